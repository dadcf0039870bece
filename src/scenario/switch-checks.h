/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_SWITCH_CHECKS_H
#define INCA_SCENARIO_SWITCH_CHECKS_H

#include "scenario/scenario.h"
#include "scenario/whole-complaint.h"

#include <vector>

namespace inca
{

/**
 * What keeps the scenario's switches from adding: too many switches, a codec, packets that are larger
 * than the MTU, slots that do not fit the memory; {} as well if no switch is to add.
 */
std::vector<WholeComplaint> SwitchComplaints(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_SWITCH_CHECKS_H
