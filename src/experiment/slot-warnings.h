/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SLOT_WARNINGS_H
#define INCA_EXPERIMENT_SLOT_WARNINGS_H

#include "experiment/simulation.h"
#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * What the user should know of a run whose switches add: fewer slots than fill the workers' links,
 * buffers that cannot hold what the slots have on their way, packets sent again though none was
 * lost, and values that did not fit their scale.
 */
void WarnOfSlots(const Scenario& scenario,
                 const Outcome& outcome,
                 std::vector<std::string>& warnings);

} // namespace inca

#endif // INCA_EXPERIMENT_SLOT_WARNINGS_H
