/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_FILE_H
#define INCA_IMPORT_CHAKRA_FILE_H

#include "import/byte-source.h"
#include "import/import-report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** Kinds of nodes, as NodeType of et_def.proto numbers them. */
enum class ChakraType : std::uint8_t
{
    INVALID = 0,
    METADATA = 1,
    MEM_LOAD = 2,
    MEM_STORE = 3,
    COMP = 4,
    COMM_SEND = 5,
    COMM_RECV = 6,
    COMM_COLL = 7,
};

/** The same of CollectiveCommType. */
enum class ChakraCollective : std::uint8_t
{
    ALL_REDUCE = 0,
    REDUCE = 1,
    ALL_GATHER = 2,
    GATHER = 3,
    SCATTER = 4,
    BROADCAST = 5,
    ALL_TO_ALL = 6,
    REDUCE_SCATTER = 7,
    REDUCE_SCATTER_BLOCK = 8,
    BARRIER = 9,
};

/** A node of one rank's Chakra execution trace, as far as INCA uses it. */
struct ChakraNode
{
    std::uint64_t id{0};
    std::string name;
    ChakraType type{ChakraType::INVALID};
    std::vector<std::uint64_t> needs; ///< control and data dependencies
    std::uint64_t start{0}; ///< in the file's unit of time, us but for files made from ASTRA-sim's
    std::uint64_t duration{0}; ///< the same
    std::optional<bool> onCpu;
    std::optional<std::uint64_t> commType; ///< a ChakraCollective
    std::optional<std::uint64_t> commSize; ///< bytes
    std::string group;                     ///< pg_name
    std::optional<std::uint64_t> commSource;
    std::optional<std::uint64_t> commDestination;
    std::optional<std::uint64_t> commTag;
};

/** One rank's trace. */
struct ChakraGraph
{
    std::string file;
    std::string version;
    bool fromText{false}; ///< its metadata hold the ASTRA-sim workload that it was made from
    std::vector<ChakraNode> nodes;
};

/** "ALL_REDUCE"; "collective 12" for what has no name */
std::string ChakraCollectiveName(std::uint64_t type);

/** @return whether @p text begins with Chakra's GlobalMetadata, and its length before it */
bool IsChakra(std::string_view text);

/**
 * Reads a .et file: messages of et_def.proto, each with its length before it, the first of them
 * GlobalMetadata, the others Node. At most 4 MiB a message, 20 million dependencies and 4 million nodes.
 * @throws InputError naming file, byte and node
 */
ChakraGraph ReadChakra(ByteSource& source, ImportReport& report);

/** @return the text of a .et file */
std::string FormatChakra(const ChakraGraph& graph);

} // namespace inca

#endif // INCA_IMPORT_CHAKRA_FILE_H
