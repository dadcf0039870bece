/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_HOMOMORPHIC_CHECKS_H
#define INCA_SCENARIO_HOMOMORPHIC_CHECKS_H

#include "base/key-complaint.h"
#include "scenario/scenario.h"

#include <vector>

namespace inca
{

/**
 * What keeps the scenario's sketches from being added: where they are made, an exchange that does not
 * return sums, an index that its workers or switches cannot combine, rounds that cannot overlap; {} as
 * well if the codec is not homomorphic.
 */
std::vector<KeyComplaint> HomomorphicComplaints(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_HOMOMORPHIC_CHECKS_H
