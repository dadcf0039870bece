/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_NODE_H
#define INCA_IMPORT_CHAKRA_NODE_H

#include "import/import-report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Kinds of nodes of Chakra's et_def.proto, as it numbers them. */
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
    std::vector<std::uint64_t> controlDeps;
    std::vector<std::uint64_t> dataDeps;
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
    std::size_t dependencies{0}; ///< of all nodes
};

/** "ALL_REDUCE"; "collective 12" for what has no name */
std::string ChakraCollectiveName(std::uint64_t type);

/** What an attribute holds, as far as INCA uses any. */
struct ChakraValue
{
    std::optional<std::uint64_t> integer; ///< or a boolean
    std::string text;
};

/** Puts an attribute where it belongs, or says that it is left out. @param place of the node */
void TakeChakraAttribute(const std::string& place,
                         const std::string& name,
                         const ChakraValue& value,
                         ChakraNode& node,
                         ImportReport& report);

/** Sets a node's type by its number, or by its name. @param place of the node @{ */
void SetChakraType(const std::string& place,
                   std::uint64_t type,
                   ChakraNode& node,
                   ImportReport& report);
void SetChakraType(const std::string& place,
                   const std::string& name,
                   ChakraNode& node,
                   ImportReport& report);
/** @} */

/** What the file says of itself. @param name of an attribute of its GlobalMetadata */
void TakeChakraMetadata(const std::string& name, ChakraGraph& graph, ImportReport& report);

/** @throws InputError if the graph has more than 4 million nodes, or 20 million dependencies */
void AddChakraNode(ChakraGraph& graph, ChakraNode node, ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_CHAKRA_NODE_H
