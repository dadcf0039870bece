/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_SWITCH_CHECKS_H
#define INCA_SCENARIO_SWITCH_CHECKS_H

#include "base/key-complaint.h"
#include "scenario/scenario.h"

#include <vector>

namespace inca
{

/**
 * What keeps the scenario's switches from adding: too many switches, a codec, and what their
 * aggregation scheme complains of; {} as well if no switch is to add.
 */
std::vector<KeyComplaint> SwitchComplaints(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_SWITCH_CHECKS_H
