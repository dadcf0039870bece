/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_TRAINING_H
#define INCA_IMPORT_CHAKRA_TRAINING_H

#include "import/chakra-file.h"
#include "import/recorded-training.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

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
 */
RecordedTraining TrainingOfChakra(const ChakraGraph& graph,
                                  const ImportOptions& options,
                                  ImportReport& report);

/** The same of a file. @throws InputError naming file and node */
RecordedTraining ReadChakraTraining(ByteSource& source,
                                    const ImportOptions& options,
                                    ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_CHAKRA_TRAINING_H
