/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_WORKLOAD_TEXT_H
#define INCA_IMPORT_WORKLOAD_TEXT_H

#include "import/byte-source.h"
#include "import/recorded-training.h"

#include <string_view>

namespace inca
{

/** @return whether @p text begins as a workload of ASTRA-sim 1 does, of which SimAI's are a dialect */
bool IsWorkloadText(std::string_view text);

/** @return whether its first line has keys that only SimAI's and AICB's have */
bool IsSimAiText(std::string_view text);

/**
 * A workload as ASTRA-sim 1 and SimAI read it: a policy, a number of lines, and a line per layer.
 *
 *     name -1  forward NONE 0  input_gradient NONE 0  weight_gradient ALLREDUCE 37632  update
 *
 * Times are nanoseconds (ASTRA-sim's cycles at its 1 GHz), sizes bytes. What a weight gradient's
 * ALLREDUCE or REDUCESCATTER moves is the layer's gradient; a line without joins the one before it
 * (else the one after it), whose gradient is ready no earlier. Other collectives are left out. As
 * ASTRA-sim's data-parallel policies do, the first layer's input gradient is left out.
 * @throws InputError naming file and line
 */
RecordedTraining ReadWorkloadText(ByteSource& source,
                                  const ImportOptions& options,
                                  ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_WORKLOAD_TEXT_H
