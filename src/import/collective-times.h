/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_IMPORT_COLLECTIVE_TIMES_H
#define INCA_IMPORT_COLLECTIVE_TIMES_H

#include "import/torch-recording.h"

namespace inca
{

/**
 * Gives the collectives of a profile that have no time yet that of the kernels (or the backend's work on
 * the CPU) that was launched while PyTorch started them: from the first's begin to the last's end. Where
 * nothing was launched, they stay without.
 */
void TimeCollectives(TorchRecording& recording);

} // namespace inca

#endif // INCA_IMPORT_COLLECTIVE_TIMES_H
