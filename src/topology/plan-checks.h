/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TOPOLOGY_PLAN_CHECKS_H
#define INCA_TOPOLOGY_PLAN_CHECKS_H

#include "inca/topology/topology-plan.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * What is wrong with a plan that someone wrote by hand; {} = it can be built: numbers in range, names
 * that are unique, trunks that lead from a lower tier to a higher one, frames for everybody that
 * reach every host once, and from every host a way up and down again to every other, whichever trunks
 * the flows' hashes take.
 */
std::vector<std::string> PlanComplaints(const TopologyPlan& plan);

/** @throws InputError with all complaints, if there are any */
void CheckPlan(const TopologyPlan& plan);

} // namespace inca

#endif // INCA_TOPOLOGY_PLAN_CHECKS_H
