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
 * Whether values and times have nothing to do with each other: sizes do not depend on values, nor a sum's
 * bits on the order of arrival.
 */
bool
AreValuesApart(const Plan& plan)
{
    const auto& job = *plan.prepared.job;
    return !job.engines && !job.hostCodec && plan.prepared.exactSums;
}

/**
 * Workers stand for each other, or the network may do the same again and again: as long as no values are in
 * its frames. Where every frame is simulated by itself, it may as well carry them.
 */
void
TakeValuesOut(Plan& plan)
{
    const bool isAuto = !plan.scenario.simulation.framesPerTrain;
    if (plan.prepared.job->HasValues() && isAuto && plan.scenario.cluster.lossRate == 0 &&
        AreValuesApart(plan))
    {
        auto withoutValues = std::make_shared<TrainingJob>(*plan.prepared.job);
        withoutValues->ownGradient = nullptr;
        plan.simulated = std::move(withoutValues);
    }
}

void
Estimate(Plan& plan)
{
    plan.estimate = EstimateRun(plan.scenario, *plan.simulated, plan.fold);
    AddValues(*plan.prepared.job, plan.ReplaysValues(), plan.fold, plan.estimate);
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
MakePlan(const Scenario& scenario, const EngineSpeeds& engines)
{
    Plan plan;
    plan.scenario = Resolved(scenario);
    plan.prepared = PrepareJob(plan.scenario);
    const auto& job = *plan.prepared.job;
    plan.topology = MakeTopology(MakeTopologySpec(plan.scenario));
    plan.network = SpeedOf(plan.scenario, plan.topology, job.engines ? engines : NO_ENGINES);
    plan.simulated = plan.prepared.job;
    TakeValuesOut(plan);
    const auto alike = ChooseFold(plan.scenario, *plan.simulated, plan.topology, plan.network);
    plan.fold = alike;
    if (!alike.even)
    {
        plan.simulated = Evened(plan.scenario, *plan.simulated, alike);
    }
    if (!alike.IsFolded() && SumsInNetwork(plan.scenario))
    {
        plan.simulated = plan.prepared.job;
    }
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
