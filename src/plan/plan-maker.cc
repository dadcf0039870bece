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
JobOfFrames(const Resolved& resolved, const std::shared_ptr<const TrainingJob>& job)
{
    const bool isLossless = resolved.scenario.cluster.lossRate == 0;
    if (!job->HasValues() || resolved.IsPacketLevel() || !isLossless ||
        job->coding.place == CodingPlace::HOST)
    {
        return job;
    }
    auto without = std::make_shared<TrainingJob>(*job);
    without->ownGradient = nullptr;
    return without;
}

/** @param job as frames carry it */
bool
MayRepeat(const Resolved& resolved, const TrainingJob& job)
{
    const auto& scenario = resolved.scenario;
    const bool sizesAreOfValues = scenario.training.values && job.coding.IsInEngines();
    return !resolved.IsPacketLevel() && !resolved.IsOverTcp() && scenario.cluster.lossRate == 0 &&
           !job.HasValues() && !sizesAreOfValues;
}

/** @return @p plan with its cost @throws InputError if that is too much */
Plan
WithCost(Plan plan)
{
    plan.cost = CostOf(plan);
    if (const auto& calibrated = plan.Settings().scenario.cluster.calibrated; calibrated && !ReachOf(plan).LeftOut().empty())
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
    auto prepared = PrepareJob(Resolve(scenario));
    const auto& resolved = *prepared.resolved;
    const auto ofFrames = JobOfFrames(resolved, prepared.job);
    plan.fold = ChooseFold(resolved, *ofFrames);
    const bool mayRepeat = MayRepeat(resolved, *ofFrames);
    plan.jobs = {{std::move(prepared), Folded(ofFrames, plan.fold), mayRepeat}};
    return WithCost(std::move(plan));
}

} // namespace

Plan
WithoutFold(Plan plan, std::string why)
{
    auto& job = plan.jobs.front();
    job.simulated = job.job;
    job.mayRepeat = MayRepeat(*job.resolved, *job.job);
    plan.fold = FoldNothing(job.resolved->topology, job.job->RankCount(), std::move(why));
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
    RequireCountable(plan.lowerBound, plan.Job().job->iterations);
    plan.warnings = PlanWarnings(plan);
    return plan;
}

} // namespace inca
