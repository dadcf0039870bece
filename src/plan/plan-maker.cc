/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"

#include "plan/plan-warnings.h"
#include "scenario/resolve.h"
#include "scenario/specs.h"
#include "topology/topology-catalog.h"

namespace inca
{

Plan
MakePlan(const Scenario& scenario, const EngineSpeeds& engines)
{
    Plan plan;
    plan.scenario = Resolved(scenario);
    plan.prepared = PrepareJob(plan.scenario);
    const auto& job = *plan.prepared.job;
    plan.topology = MakeTopology(MakeTopologySpec(plan.scenario));
    plan.network = SpeedOf(plan.scenario, plan.topology, job.engines ? engines : NO_ENGINES);
    plan.lowerBound = ComputeLowerBound(plan.scenario, *plan.prepared.trace, job, plan.network);
    plan.warnings = PlanWarnings(plan);
    return plan;
}

} // namespace inca
