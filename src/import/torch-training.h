/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_TORCH_TRAINING_H
#define INCA_IMPORT_TORCH_TRAINING_H

#include "import/recorded-training.h"
#include "import/torch-recording.h"

namespace inca
{

/**
 * One iteration of a worker from PyTorch's records: an execution trace, a profile, or both of the same
 * training (either may be null). Parameters whose gradients follow one operator's NODE are one layer;
 * the model's order is that of readiness, reversed. The sizes of the all-reduces check those of the
 * gradients between them. Without sizes of gradients, each all-reduce is a layer.
 *
 * Times are medians over the iterations of a profile. Passed times count work as done when the CPU has
 * said so and the GPU has finished what it was told until then, so they are right for runs bound by
 * either: forward from its range (else the step's beginning) to backward's beginning, cut where each
 * layer's operator begins; backward cut where each gradient is ready; update from the optimizer's
 * range, less what collectives take in it while nothing computes, shared out by elements. With
 * ImportOptions::kernelTimes they are what the GPU computed of that.
 * @throws InputError if the two are of different trainings, or nothing says what is exchanged
 */
RecordedTraining TrainingOfTorch(const TorchRecording* executionTrace,
                                 const TorchRecording* profile,
                                 const ImportOptions& options,
                                 ImportReport& report);

} // namespace inca

#endif // INCA_IMPORT_TORCH_TRAINING_H
