/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_HOMOMORPHIC_CHECKS_H
#define INCA_SCENARIO_HOMOMORPHIC_CHECKS_H

#include "scenario/scenario.h"
#include "scenario/whole-complaint.h"

#include <vector>

namespace inca
{

/**
 * What keeps the scenario's sketches from being added: where they are made, an exchange that does not
 * return sums, an index that its workers or switches cannot combine, rounds that cannot overlap; {} as
 * well if the codec is not homomorphic.
 */
std::vector<WholeComplaint> HomomorphicComplaints(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_HOMOMORPHIC_CHECKS_H
