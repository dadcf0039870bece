/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SLOT_WARNINGS_H
#define INCA_EXPERIMENT_SLOT_WARNINGS_H

#include "experiment/simulation.h"
#include "plan/warning.h"

namespace inca
{

/**
 * What was seen of a run whose switches add: pools that were too small, packets sent again though
 * none was lost, and values that did not fit their scale.
 */
void WarnOfSlotsSeen(const Outcome& outcome, Warnings& warnings);

} // namespace inca

#endif // INCA_EXPERIMENT_SLOT_WARNINGS_H
