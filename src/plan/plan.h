/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_PLAN_H
#define INCA_PLAN_PLAN_H

#include "plan/job-builder.h"
#include "plan/lower-bound.h"
#include "plan/network-speed.h"
#include "plan/warning.h"
#include "scenario/scenario.h"
#include "topology/topology-plan.h"

namespace inca
{

/** All that can be said of a run before its clock starts. */
struct Plan
{
    Scenario scenario; ///< resolved: its attributes are no key's
    PreparedJob prepared;
    TopologyPlan topology; ///< host i is rank i of the job
    NetworkSpeed network;
    LowerBound lowerBound;
    Warnings warnings;
};

/**
 * Resolves a scenario, reads its trace and draws up the run.
 * @param engines of NICs that have some
 * @throws InputError if attributes contradict keys, the trace cannot be read or cannot answer what the
 *         scenario needs, or the topology cannot be built
 */
Plan MakePlan(const Scenario& scenario, const EngineSpeeds& engines = {});

} // namespace inca

#endif // INCA_PLAN_PLAN_H
