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

/** A plan without its bound and warnings, and what the bound is computed of. */
struct Draft
{
    Plan plan;
    std::shared_ptr<const TrainingJob> bounded;
    Rank ranks{0};
};

Draft
MakeDraft(const Scenario& scenario, const EngineSpeeds& engines)
{
    Draft draft;
    auto& plan = draft.plan;
    plan.scenario = Resolved(scenario);
    plan.prepared = PrepareJob(plan.scenario);
    const auto& job = *plan.prepared.job;
    plan.topology = MakeTopology(MakeTopologySpec(plan.scenario));
    plan.network = SpeedOf(plan.scenario, plan.topology, job.engines ? engines : NO_ENGINES);
    plan.fold = ChooseFold(plan.scenario, job, plan.topology, plan.network);
    plan.simulated = plan.fold.even ? plan.prepared.job : Evened(plan.scenario, job, plan.fold);
    draft.bounded = plan.simulated;
    draft.ranks = plan.fold.simulated;
    if (plan.scenario.simulation.framesPerTrain)
    {
        Unfold(plan, "every frame is to be simulated");
    }
    else
    {
        Estimate(plan);
    }
    return draft;
}

} // namespace

void
Unfold(Plan& plan, std::string why)
{
    plan.simulated = plan.prepared.job;
    plan.fold = FoldNothing(plan.topology, plan.prepared.job->RankCount(), std::move(why));
    Estimate(plan);
}

RunEstimate
EstimateOf(const Scenario& scenario)
{
    return MakeDraft(scenario, {}).plan.estimate;
}

Plan
MakePlan(const Scenario& scenario, const EngineSpeeds& engines)
{
    auto [plan, bounded, ranks] = MakeDraft(scenario, engines);
    plan.lowerBound =
        ComputeLowerBound(plan.scenario, *plan.prepared.trace, *bounded, plan.network, ranks);
    RequireCountable(plan.lowerBound, plan.prepared.job->iterations);
    plan.warnings = PlanWarnings(plan);
    return std::move(plan);
}

} // namespace inca
