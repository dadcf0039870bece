/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"

#include "base/errors.h"
#include "base/units.h"
#include "plan/plan-warnings.h"
#include "scenario/resolve.h"
#include "scenario/specs.h"
#include "topology/topology-catalog.h"

#include <utility>

namespace inca
{

namespace
{

/** Longer ones would end where the count of picoseconds does. */
void
RequireCountable(const LowerBound& bound, std::uint32_t iterations)
{
    const auto leastPs = static_cast<double>(bound.iterationPs) * iterations;
    if (leastPs > static_cast<double>(MOST_SIMULATED_PS))
    {
        throw InputError("training.iterations: " + std::to_string(iterations) + " take at least " +
                         HumanPicoseconds(bound.iterationPs) + " each, limited by " +
                         bound.limitedBy + "; a run of more than " +
                         HumanPicoseconds(MOST_SIMULATED_PS) +
                         " of simulated time cannot be counted");
    }
}

void
Estimate(Plan& plan)
{
    plan.estimate = EstimateRun(plan.scenario, *plan.simulated, plan.fold);
    RequireFeasible(plan.scenario, plan.estimate, plan.fold);
}

} // namespace

void
Unfold(Plan& plan, std::string why)
{
    plan.simulated = plan.prepared.job;
    plan.fold = FoldNothing(plan.topology, plan.prepared.job->RankCount(), std::move(why));
    Estimate(plan);
}

Plan
MakePlan(const Scenario& scenario)
{
    Plan plan;
    plan.scenario = Resolved(scenario);
    plan.prepared = PrepareJob(plan.scenario);
    const auto& job = *plan.prepared.job;
    plan.topology = MakeTopology(MakeTopologySpec(plan.scenario));
    const auto engines = job.engines ? EnginesOf(plan.scenario) : EngineSpeeds{};
    plan.network = SpeedOf(plan.scenario, plan.topology, engines);
    const auto alike = ChooseFold(plan.scenario, job, plan.topology, plan.network);
    plan.fold = alike;
    plan.simulated = alike.even ? plan.prepared.job : Evened(plan.scenario, job, alike);
    const auto bounded = plan.simulated;
    if (plan.scenario.simulation.framesPerTrain)
    {
        Unfold(plan, "every frame is to be simulated");
    }
    else
    {
        Estimate(plan);
    }
    plan.lowerBound = ComputeLowerBound(
        plan.scenario, *plan.prepared.trace, *bounded, plan.network, alike.simulated);
    RequireCountable(plan.lowerBound, job.iterations);
    plan.warnings = PlanWarnings(plan);
    return plan;
}

} // namespace inca
