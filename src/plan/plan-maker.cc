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

#include <memory>
#include <utility>
#include <vector>

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

std::shared_ptr<const TrainingJob>
WithoutValues(const TrainingJob& job)
{
    auto without = std::make_shared<TrainingJob>(job);
    without->ownGradient = nullptr;
    return without;
}

/**
 * Values need not be in frames where times do not depend on them but by what engines make of each frame, which
 * is known beforehand. Then workers may stand for each other, and what the network does again and again is not
 * simulated.
 */
void
TakeValuesOut(Plan& plan)
{
    const auto& job = *plan.Job().prepared.job;
    const bool isLossless = plan.scenario.cluster.lossRate == 0;
    if (job.HasValues() && !IsPacketLevel(plan.scenario) && isLossless && !job.hostCodec)
    {
        plan.Job().simulated = WithoutValues(job);
    }
}

FoldChoice
ChooseFoldOf(const Plan& plan)
{
    if (plan.Job().ReplaysValues() && plan.Job().simulated->engines)
    {
        return FoldNothing(plan.topology,
                           plan.Job().simulated->RankCount(),
                           "engines make of each worker's values what they are");
    }
    return ChooseFold(plan.scenario, *plan.Job().simulated, plan.topology, plan.network);
}

void
ReckonCost(Plan& plan)
{
    plan.cost =
        SimulationCost(plan.scenario, *plan.Job().prepared.job, *plan.Job().simulated, plan.fold);
    RequireFeasible(plan.scenario, plan.cost, plan.fold);
}

void
SimulateAll(Plan& plan, std::string why)
{
    plan.fold = FoldNothing(plan.topology, plan.Job().prepared.job->RankCount(), std::move(why));
    ReckonCost(plan);
}

/** A plan without its bound and warnings. */
Plan
DraftOf(const Scenario& scenario)
{
    Plan plan;
    plan.scenario = Resolved(scenario);
    plan.jobs.push_back({PrepareJob(plan.scenario), nullptr});
    const auto& job = *plan.Job().prepared.job;
    plan.topology = MakeTopology(MakeTopologySpec(plan.scenario));
    const auto engines = job.engines ? EnginesOf(plan.scenario) : EngineSpeeds{};
    plan.network = SpeedOf(plan.scenario, plan.topology, engines);
    plan.Job().simulated = plan.Job().prepared.job;
    TakeValuesOut(plan);
    const auto ofAll = plan.Job().simulated;
    plan.fold = ChooseFoldOf(plan);
    plan.Job().simulated = Folded(ofAll, plan.fold);
    if (IsPacketLevel(plan.scenario))
    {
        plan.Job().simulated = ofAll;
        SimulateAll(plan, "every frame is to be simulated");
    }
    else
    {
        ReckonCost(plan);
    }
    return plan;
}

} // namespace

Plan
WithoutFold(Plan plan, std::string why)
{
    plan.Job().simulated = plan.Job().prepared.job;
    SimulateAll(plan, std::move(why));
    return plan;
}

Cost
CostOf(const Scenario& scenario)
{
    return DraftOf(scenario).cost;
}

Plan
MakePlan(const Scenario& scenario)
{
    auto plan = DraftOf(scenario);
    plan.lowerBound = ComputeLowerBound(
        plan.scenario, *plan.Job().prepared.trace, *plan.Job().prepared.job, plan.network);
    RequireCountable(plan.lowerBound, plan.Job().prepared.job->iterations);
    plan.warnings = PlanWarnings(plan);
    return plan;
}

} // namespace inca
