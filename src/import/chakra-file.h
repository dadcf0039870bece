/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_FILE_H
#define INCA_IMPORT_CHAKRA_FILE_H

#include "import/byte-source.h"
#include "import/recorded-training.h"

#include <cstddef>
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

/** The part of an iteration that an operation belongs to. */
enum class RecordedPhase : std::uint8_t
{
    UNKNOWN,
    FORWARD,
    BACKWARD,
    UPDATE,
};

/** One thing that a worker did, in the order in which it did them. */
struct RecordedOperation
{
    RecordedPhase phase{RecordedPhase::UNKNOWN};
    std::string collective; ///< as collectives are normalised: "allreduce"; empty: it computes
    std::string group;      ///< of the collective
    std::uint64_t bytes{0}; ///< the same
    std::int64_t ps{0};     ///< that it computes, or that the collective goes on
};

/**
 * What workers of INCA can do with a record that is but a sequence: all-reduces (and reduce-scatters)
 * outside forward are gradients, in the order in which backward makes them, each of one layer; computing
 * between two of them is the backward pass of the later one's. Where nothing says what is forward, it is
 * a third of what is computed up to the last of them, as far as that comes before the first. What
 * is computed after the last is the update. A forward pass after a gradient begins an iteration, or, where
 * none is marked, options say how many there are; of several that are alike, medians are taken.
 * @throws InputError if several groups have gradients and options say not which
 */
RecordedTraining TrainingOfSequence(const std::vector<RecordedOperation>& operations,
                                    const ImportOptions& options,
                                    ImportReport& report);

/**
 * @return nodes by index, each after those that it depends on; among those that could be next, the one
 *         that starts first, then of the lowest id
 * @throws InputError naming the nodes of a circle; with @p report strict, of an id that two nodes have,
 *         and of a dependency that the file does not have
 */
std::vector<std::size_t> OrderOf(const ChakraGraph& graph, ImportReport& report);

/**
 * A worker's iteration from its Chakra trace. Files made from ASTRA-sim's text name layers and passes
 * (COMP_NODE_conv1_BWD_WG), and have nanoseconds where Chakra has microseconds; a gradient is what
 * is summed right after a layer's BWD_WG. Others are a sequence (TrainingOfSequence), of whose
 * operations on the GPU only these count, where there are any.
 * @throws InputError naming file and node
 */
RecordedTraining ReadChakraTraining(ByteSource& source,
                                    const ImportOptions& options,
                                    ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_CHAKRA_FILE_H
