/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/plan-maker.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"
#include "plan/cost.h"
#include "plan/lower-bound.h"
#include "plan/plan-warnings.h"
#include "plan/preset-range.h"
#include "scenario/key-attributes.h"
#include "scenario/keys.h"

#include <memory>
#include <set>
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
                         HumanPicoseconds(bound.iterationPs) + " each; a run of more than " +
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
        job->coding.IsAt(CodingPlace::HOST))
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
    const bool sizesAreOfValues = scenario.training.values && job.coding.IsAt(CodingPlace::ENGINE);
    const bool isKnown = resolved.transport->hasFrames && !resolved.transport->isExtension;
    return !resolved.IsPacketLevel() && !resolved.IsFlowLevel() && isKnown &&
           scenario.cluster.lossRate == 0 && !job.HasValues() && !sizesAreOfValues;
}

/** @return @p plan with its cost @throws InputError if that is too much */
Plan
WithCost(Plan plan)
{
    plan.cost = CostOf(plan);
    if (const auto& calibrated = plan.Settings().scenario.cluster.calibrated;
        calibrated && WhyNoRange(plan).empty())
    {
        plan.cost.cpuSeconds *=
            static_cast<double>(1 + calibrated->explanations.size()); // for the range
    }
    RequireFeasible(plan);
    return plan;
}

/** @param prepared of a job that sits alone on its network, or on its hosts of a network that others share */
PlannedJob
Planned(PreparedJob prepared, bool isAlone)
{
    const auto& resolved = *prepared.resolved;
    const auto ofFrames = JobOfFrames(resolved, prepared.job);
    auto fold =
        isAlone
            ? ChooseFold(resolved, *ofFrames)
            : FoldNothing(resolved.topology, prepared.job->RankCount(), "jobs share the network");
    auto simulated = Folded(ofFrames, fold);
    const bool mayRepeat = isAlone && MayRepeat(resolved, *ofFrames);
    return {std::move(prepared), std::move(fold), std::move(simulated), mayRepeat};
}

/** A plan without its bound and warnings. */
Plan
DraftOf(const Scenario& scenario, const std::vector<std::size_t>& cycleBegins)
{
    CheckAttributes(scenario);
    Plan plan;
    plan.jobs.push_back(Planned(PrepareJob(Resolve(scenario, {}, cycleBegins)), true));
    return WithCost(std::move(plan));
}

/** @throws InputError unless both say the same of the network and of hosts, which is said once for all */
void
RequireAgreement(const Resolved& first, const Resolved& other)
{
    for (std::size_t i = 0; i < first.keyAttributes.size(); ++i)
    {
        const auto& [path, text] = first.keyAttributes[i];
        if (i >= other.keyAttributes.size() || other.keyAttributes[i] != first.keyAttributes[i])
        {
            throw InputError("jobs that share a network must agree on " + path + ": " + text +
                             " of the first");
        }
    }
    for (const auto& key : ScenarioKeys()) // how it is wired, and what it loses
    {
        const bool isOfJob =
            IsAmong(LeafOf(key.name),
                    {"workers", "servers", "preset", "gpus", "gpu_bandwidth", "gpu_latency"});
        const auto text = key.text(first.scenario);
        if (TableOf(key.name) == "cluster" && !isOfJob && key.text(other.scenario) != text)
        {
            throw InputError("jobs that share a network must agree on " + key.name + ": " + text +
                             " of the first");
        }
    }
}

/** @throws InputError if a host is not there, or has two ranks */
void
RequireOwnHosts(const std::vector<PlacedScenario>& jobs, std::uint32_t hosts)
{
    std::set<std::uint32_t> taken;
    for (const auto& job : jobs)
    {
        for (const auto host : job.hosts)
        {
            if (host >= hosts || !taken.insert(host).second)
            {
                throw InputError(host >= hosts
                                     ? Text("host ", host, " is not there: there are ", hosts)
                                     : Text("host ", host, " has two ranks"));
            }
        }
    }
}

} // namespace

Plan
WithoutFold(Plan plan, std::string why)
{
    auto& job = plan.jobs.front();
    job.simulated = job.job;
    job.mayRepeat = MayRepeat(*job.resolved, *job.job);
    job.fold = FoldNothing(job.resolved->topology, job.job->RankCount(), std::move(why));
    return WithCost(std::move(plan));
}

Cost
CostOf(const Scenario& scenario)
{
    return DraftOf(scenario, {}).cost;
}

Plan
MakePlan(const Scenario& scenario, const std::vector<std::size_t>& cycleBegins)
{
    auto plan = DraftOf(scenario, cycleBegins);
    auto& job = plan.jobs.front();
    job.alone = ComputeLowerBound(job);
    RequireCountable(job.alone, job.job->iterations);
    plan.warnings = PlanWarnings(plan);
    const auto& calibrated = scenario.cluster.calibrated;
    if (calibrated && WhyNoRange(plan).empty())
    {
        for (const auto& explanation : calibrated->explanations)
        {
            auto explained = Explained(scenario, explanation);
            explained.simulation.explains = false; // only its time is asked for
            plan.explained.push_back(MakePlan(explained, cycleBegins));
        }
    }
    return plan;
}

Plan
MakePlan(const std::vector<PlacedScenario>& jobs, std::uint32_t hosts)
{
    RequireOwnHosts(jobs, hosts);
    Plan plan;
    for (std::uint32_t number = 0; number < jobs.size(); ++number)
    {
        CheckAttributes(jobs[number].scenario);
        const auto resolved =
            Resolve(jobs[number].scenario, HostPlacement{hosts, jobs[number].hosts});
        plan.jobs.push_back(Planned(PrepareJob(resolved, JobId(number)), false));
        RequireAgreement(plan.Settings(), *resolved);
        auto& job = plan.jobs.back();
        job.alone = ComputeLowerBound(job);
        RequireCountable(job.alone, job.job->iterations);
    }
    return WithCost(std::move(plan));
}

} // namespace inca
