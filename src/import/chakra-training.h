/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_CHAKRA_TRAINING_H
#define INCA_IMPORT_CHAKRA_TRAINING_H

#include "import/chakra-file.h"
#include "import/recorded-training.h"

#include <cstddef>
#include <vector>

namespace inca
{

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
