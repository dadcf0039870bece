/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_TORCH_STEPS_H
#define INCA_IMPORT_TORCH_STEPS_H

#include "import/recorded-training.h"
#include "import/torch-recording.h"
#include "import/torch-step.h"

#include <vector>

namespace inca
{

/**
 * The iterations of a recording that exchange the same, as most of them do; what is left out is said. The
 * sizes of gradients are known only where they add up to those of the sums.
 * @throws InputError if ranges contradict each other, or options must say which group is data-parallel
 */
std::vector<TorchStep> StepsOf(const TorchRecording& recording,
                               const ImportOptions& options,
                               ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_TORCH_STEPS_H
