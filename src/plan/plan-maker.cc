/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"

#include "base/errors.h"
#include "base/units.h"
#include "plan/cost.h"
#include "plan/lower-bound.h"
#include "plan/plan-warnings.h"
#include "plan/preset-range.h"
#include "scenario/key-attributes.h"
#include "scenario/specs.h"
#include "topology/topology-catalog.h"

#include <memory>
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

/**
 * What frames do of @p job. Values need not be in them where times depend on values only by what engines make of each
 * frame, which is known beforehand: then workers may stand for each other, and what repeats itself is skipped.
 */
std::shared_ptr<const TrainingJob>
JobOfFrames(const Scenario& scenario, const std::shared_ptr<const TrainingJob>& job)
{
    const bool isLossless = scenario.cluster.lossRate == 0;
    if (!job->HasValues() || IsPacketLevel(scenario) || !isLossless || job->hostCodec)
    {
        return job;
    }
    auto without = std::make_shared<TrainingJob>(*job);
    without->ownGradient = nullptr;
    return without;
}

/** @return @p plan with its cost @throws InputError if that is too much */
Plan
WithCost(Plan plan)
{
    plan.cost = CostOf(plan);
    if (const auto& calibrated = plan.scenario.cluster.calibrated; calibrated && !ReachOf(plan).LeftOut().empty())
    {
        plan.cost.cpuSeconds *= static_cast<double>(1 + calibrated->explanations.size()); // for the range
    }
    RequireFeasible(plan);
    return plan;
}

/** A plan without its bound and warnings. */
Plan
DraftOf(const Scenario& scenario)
{
    Plan plan;
    CheckAttributes(scenario);
    plan.scenario = scenario;
    auto prepared = PrepareJob(plan.scenario);
    plan.scenario.exchange.concurrent = prepared.job->concurrent;
    plan.topology = MakeTopology(MakeTopologySpec(plan.scenario));
    plan.network = SpeedOf(plan.scenario, plan.topology, prepared.job->engines);
    plan.scenario.transport.window = WindowOf(plan.scenario, plan.topology, plan.network);
    const auto ofFrames = JobOfFrames(plan.scenario, prepared.job);
    plan.fold = ChooseFold(plan.scenario, *ofFrames, plan.topology);
    plan.jobs = {{std::move(prepared), Folded(ofFrames, plan.fold)}};
    return WithCost(std::move(plan));
}

} // namespace

Plan
WithoutFold(Plan plan, std::string why)
{
    auto& [prepared, simulated] = plan.jobs.front();
    simulated = prepared.job;
    plan.fold = FoldNothing(plan.topology, prepared.job->RankCount(), std::move(why));
    return WithCost(std::move(plan));
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
    plan.lowerBound = ComputeLowerBound(plan);
    RequireCountable(plan.lowerBound, plan.Job().prepared.job->iterations);
    plan.warnings = PlanWarnings(plan, scenario);
    return plan;
}

} // namespace inca
