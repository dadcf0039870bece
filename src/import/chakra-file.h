/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_FILE_H
#define INCA_IMPORT_CHAKRA_FILE_H

#include "import/byte-source.h"
#include "import/recorded-training.h"

#include <et_def.pb.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** A node of one rank's Chakra execution trace, as far as INCA uses it. */
struct ChakraNode
{
    std::uint64_t id{0};
    std::string name;
    chakra::NodeType type{chakra::INVALID_NODE};
    std::vector<std::uint64_t> needs; ///< control and data dependencies
    std::uint64_t start{0};    ///< in the file's unit of time, us unless a user says otherwise
    std::uint64_t duration{0}; ///< the same
    std::optional<bool> onCpu;
    std::optional<std::uint64_t> commType; ///< a chakra::CollectiveCommType
    std::optional<std::uint64_t> commSize; ///< bytes
    std::string group;                     ///< pg_name
};

/** One rank's trace. */
struct ChakraGraph
{
    std::string file;
    std::string version;
    bool fromText{false}; ///< its metadata hold the ASTRA-sim workload that it was made from
    std::vector<ChakraNode> nodes;
};

/** @return whether @p text begins with Chakra's GlobalMetadata, and its length before it */
bool IsChakra(std::string_view text);

/**
 * Reads a .et file: messages of et_def.proto, each with its length before it, the first of them
 * GlobalMetadata, the others Node. At most 4 MiB a message, 20 million dependencies and 4 million nodes.
 * @throws InputError naming file, byte and node
 */
ChakraGraph ReadChakra(ByteSource& source, ImportReport& report);

/** Appends a message with its length before it, as .et files hold them. */
void AppendChakra(const google::protobuf::MessageLite& message, std::string& text);

/**
 * A worker's iteration from its Chakra trace, taken as a sequence. Of operations on the GPU only these count, where
 * there are any.
 * @throws InputError naming file and node; for a file that was made from ASTRA-sim's text
 */
RecordedTraining ReadChakraTraining(ByteSource& source,
                                    const ImportOptions& options,
                                    ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_CHAKRA_FILE_H
