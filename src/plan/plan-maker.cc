/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"

#include "base/errors.h"
#include "base/units.h"
#include "plan/miniature.h"
#include "plan/plan-warnings.h"
#include "plan/uneven-blocks.h"
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
    const auto& job = *plan.prepared.job;
    const bool isPacketLevel = plan.scenario.simulation.framesPerTrain == 1U;
    const bool isLossless = plan.scenario.cluster.lossRate == 0;
    if (job.HasValues() && !isPacketLevel && isLossless && !job.hostCodec)
    {
        plan.simulated = WithoutValues(job);
    }
}

FoldChoice
ChooseFoldOf(const Plan& plan)
{
    if (plan.ReplaysValues() && plan.simulated->engines)
    {
        return FoldNothing(plan.topology,
                           plan.simulated->RankCount(),
                           "engines make of each worker's values what they are");
    }
    return ChooseFold(plan.scenario, *plan.simulated, plan.topology, plan.network);
}

void
ReckonCost(Plan& plan)
{
    plan.cost = SimulationCost(plan.scenario, *plan.prepared.job, *plan.simulated, plan.fold);
    RequireFeasible(plan.scenario, plan.cost, plan.fold);
}

void
SimulateAll(Plan& plan, std::string why)
{
    plan.fold = FoldNothing(plan.topology, plan.prepared.job->RankCount(), std::move(why));
    ReckonCost(plan);
}

/** A plan without its bound and warnings, and what the bound is computed of. */
struct Draft
{
    Plan plan;
    std::shared_ptr<const TrainingJob> bounded;
    NetworkSpeed network; ///< of those ranks
    Rank ranks{0};
};

/** @return @p network, whose worker of each number is as far from the root as those are for whom it stands */
NetworkSpeed
OfStandIns(NetworkSpeed network, const FoldChoice& fold)
{
    const auto levels = network.levelsOfWorker;
    for (Rank worker = 0; worker < levels.size(); ++worker)
    {
        network.levelsOfWorker[fold.StandIn(worker)] = levels[worker];
    }
    return network;
}

void
ReckonOrShrink(Draft& draft)
{
    auto& plan = draft.plan;
    const auto ofAll =
        SimulationCost(plan.scenario, *plan.prepared.job, *plan.simulated, plan.fold);
    const bool isLone = IsLoneRing(plan.scenario, *plan.simulated);
    std::vector<Rank> tried;
    if (isLone || !plan.prepared.job->HasValues())
    {
        tried = MiniaturesOf(plan.scenario, *plan.simulated, plan.fold, ofAll);
    }
    if (tried.empty())
    {
        ReckonCost(plan);
        return;
    }
    draft.bounded = JobOfSmallest(plan.scenario, *plan.prepared.job);
    draft.ranks = 1;
    Shrink(plan, tried.front());
    plan.miniatures = isLone ? std::vector<Rank>{} : tried;
}

Draft
MakeDraft(const Scenario& scenario)
{
    Draft draft;
    auto& plan = draft.plan;
    plan.scenario = Resolved(scenario);
    plan.prepared = PrepareJob(plan.scenario);
    const auto& job = *plan.prepared.job;
    plan.topology = MakeTopology(MakeTopologySpec(plan.scenario));
    const auto engines = job.engines ? EnginesOf(plan.scenario) : EngineSpeeds{};
    plan.network = SpeedOf(plan.scenario, plan.topology, engines);
    plan.simulated = plan.prepared.job;
    TakeValuesOut(plan);
    const auto ofAll = plan.simulated;
    plan.fold = ChooseFoldOf(plan);
    plan.simulated = Folded(plan.scenario, ofAll, plan.fold);
    const bool inTurn = plan.fold.symmetry.rows > 1;
    const bool isOfAll = inTurn || !plan.fold.partsOf.empty(); // each has a bound of its own
    draft.bounded = isOfAll ? ofAll : plan.simulated;
    draft.ranks = isOfAll ? ofAll->RankCount() : plan.fold.simulated;
    draft.network = isOfAll ? plan.network : OfStandIns(plan.network, plan.fold);
    if (inTurn)
    {
        plan.simulated = TakenInTurn(*plan.simulated, plan.fold.symmetry.rows);
    }
    if (plan.scenario.simulation.framesPerTrain)
    {
        plan.simulated = ofAll;
        plan.trains = ChooseTrains(plan.scenario);
        SimulateAll(plan, "every frame is to be simulated");
    }
    else
    {
        ReckonOrShrink(draft);
    }
    return draft;
}

} // namespace

void
Unfold(Plan& plan, std::string why)
{
    const bool boundIsOfFew = plan.IsMiniature();
    plan.trains = {};
    plan.simulated = plan.prepared.job;
    SimulateAll(plan, std::move(why));
    if (boundIsOfFew)
    {
        plan.lowerBound = ComputeLowerBound(plan.scenario,
                                            *plan.prepared.trace,
                                            *plan.simulated,
                                            plan.network,
                                            plan.fold.simulated);
    }
}

void
Shrink(Plan& plan, Rank standIns)
{
    const bool replaysValues = plan.ReplaysValues();
    plan.fold = FoldInMiniature(plan.topology, plan.prepared.job->RankCount(), standIns);
    plan.simulated = JobInMiniature(plan.scenario, *plan.prepared.job, standIns);
    plan.simulated = replaysValues ? WithoutValues(*plan.simulated) : plan.simulated;
    plan.trains = TrainsOfMiniature(plan.scenario);
    ReckonCost(plan);
}

Cost
CostOf(const Scenario& scenario)
{
    return MakeDraft(scenario).plan.cost;
}

Plan
MakePlan(const Scenario& scenario)
{
    auto [plan, bounded, network, ranks] = MakeDraft(scenario);
    plan.lowerBound =
        ComputeLowerBound(plan.scenario, *plan.prepared.trace, *bounded, network, ranks);
    RequireCountable(plan.lowerBound, plan.prepared.job->iterations);
    plan.warnings = PlanWarnings(plan);
    return std::move(plan);
}

} // namespace inca
