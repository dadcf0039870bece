/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_BUCKET_FIT_H
#define INCA_IMPORT_BUCKET_FIT_H

#include "import/import-report.h"
#include "import/torch-recording.h"
#include "import/torch-step.h"

#include <vector>

namespace inca
{

/**
 * Where all gradients of an iteration add up to some of its sums exactly, the others sum something else (what
 * batches have in common, say), and are left out.
 */
void LeaveOutOtherSums(TorchStep& step, ImportReport& report);

/**
 * The sums' own sizes are the check of the gradients of iterations that exchange the same. Where they do not
 * fit, no gradient's size is known any more.
 * @throws InputError if they do not fit, but that the import is lenient
 */
void CheckGradients(const TorchRecording& recording,
                    std::vector<TorchStep>& steps,
                    ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_BUCKET_FIT_H
