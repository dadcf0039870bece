/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_CHECKS_H
#define INCA_SCENARIO_CHECKS_H

#include "inca/base/key-complaint.h"
#include "inca/scenario/scenario.h"

#include <vector>

namespace inca
{

/**
 * What keys contradict each other or are missing; each field by itself is in its range already.
 * @return {} = ready to run, as far as can be said without reading its trace
 */
std::vector<KeyComplaint> Complaints(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_CHECKS_H
