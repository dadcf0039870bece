/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"

#include "base/errors.h"
#include "exchange/collectives.h"
#include "experiment/calibrated-range.h"
#include "experiment/cycle-search.h"
#include "experiment/explanation.h"
#include "experiment/input-checksums.h"
#include "experiment/record-parts.h"
#include "experiment/simulation.h"
#include "plan/compute-times.h"
#include "plan/job-exchanges.h"
#include "plan/losses.h"
#include "plan/plan-warnings.h"
#include "scenario/keys.h"
#include "scenario/specs.h"

#include "inca-version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;

double
Seconds(std::int64_t ps)
{
    return static_cast<double>(ps) / g_psPerSecond;
}

/** Whole picoseconds, to the nearest. */
std::int64_t
Share(std::int64_t totalPs, std::uint32_t parts)
{
    return (totalPs + parts / 2) / parts;
}

/** The durations of the iterations after the warm-up, shortest first. */
std::vector<std::int64_t>
SortedIterations(const Outcome& outcome, std::uint32_t warmup)
{
    const auto& ends = outcome.Job().seen->iterationEndPs;
    std::vector<std::int64_t> durations;
    for (std::size_t i = warmup; i < ends.size(); ++i)
    {
        durations.push_back(ends[i] - (i == 0 ? 0 : ends[i - 1]));
    }
    std::sort(durations.begin(), durations.end());
    return durations;
}

/** The smallest duration that @p share of all do not exceed (nearest rank). */
std::int64_t
Percentile(const std::vector<std::int64_t>& sorted, double share)
{
    const auto rank = std::ceil(share * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

/** Of all workers. */
std::uint64_t
GpusOf(const TrainingJob& job)
{
    return std::uint64_t{job.workers} * job.updatingGpus;
}

void
AddTimes(const Outcome& outcome, RunResults& results)
{
    const auto& resolved = outcome.plan.Settings();
    const auto sorted = SortedIterations(outcome, resolved.simulation.warmup);
    const auto& breakdown = outcome.Job().breakdown;
    results.measuredIterations = static_cast<std::uint32_t>(sorted.size());
    results.iterationTimePs = Share(breakdown.TotalPs(), results.measuredIterations);
    results.iterationEndsPs = outcome.Job().seen->iterationEndPs;
    results.iterationTimeMinPs = sorted.front();
    results.iterationTimeP50Ps = Percentile(sorted, 0.50);
    results.iterationTimeP99Ps = Percentile(sorted, 0.99);
    results.shares = {breakdown.Of(Activity::FORWARD),
                      breakdown.Of(Activity::BACKWARD),
                      breakdown.Of(Activity::COPY),
                      breakdown.Of(Activity::CODEC),
                      breakdown.Of(Activity::SUM),
                      breakdown.Of(Activity::UPDATE),
                      breakdown.communicationPs};
    const auto& job = *outcome.plan.Job().job;
    const auto& batch = resolved.trace->batch;
    if (batch && results.iterationTimePs > 0)
    {
        const auto samples = *batch * GpusOf(job) * job.accumulation;
        results.samplesPerSecond = static_cast<double>(samples) / Seconds(results.iterationTimePs);
    }
}

/** Mean over what is exchanged in the measured iterations, each from the first start on a worker to the last end. */
std::int64_t
MeanExchangePs(const Outcome& outcome, std::uint32_t warmup)
{
    std::int64_t totalPs = 0;
    const auto& windows = outcome.Job().seen->exchanges;
    const auto first = warmup * outcome.plan.Job().job->exchangedBatches;
    for (std::size_t i = first; i < windows.size(); ++i)
    {
        totalPs += windows[i].lastEndPs - windows[i].firstStartPs;
    }
    return Share(totalPs, static_cast<std::uint32_t>(windows.size()) - first);
}

/** The largest share of a tensor that a worker sends to others, or gets. */
double
LargestShare(const ExchangeSpec& exchange, std::uint64_t elements)
{
    const AllToAllBlocks blocks(exchange, elements);
    std::uint64_t largest = 0;
    for (Rank rank = 0; rank < exchange.workers; ++rank)
    {
        std::uint64_t sent = 0;
        std::uint64_t got = 0;
        for (Rank other = 0; other < exchange.workers; ++other)
        {
            sent += other == rank ? 0 : blocks.Sent(rank, other).count;
            got += other == rank ? 0 : blocks.Sent(other, rank).count;
        }
        largest = std::max({largest, sent, got});
    }
    return static_cast<double>(largest) / static_cast<double>(elements);
}

/** How often as much as all values passes a link, as nccl-tests counts it for busbw. */
double
TimesOverLink(const TrainingJob& job, double gpus)
{
    const auto& chunk = job.chunks.back();
    const auto& exchange = chunk.rounds.front().exchange;
    const auto meaning = chunk.Means();
    if (exchange != nullptr && exchange->shares != nullptr)
    {
        return LargestShare(*exchange, chunk.range.count);
    }
    if (meaning == Meaning::BROADCAST || meaning == Meaning::SEND)
    {
        return 1;
    }
    const auto oneIn = job.chunks.back().rounds.front().plan->OneIn();
    return (meaning == Meaning::SUM ? 2 : 1) * (gpus - 1) / gpus / oneIn;
}

void
AddExchange(const Outcome& outcome, RunResults& results)
{
    const auto& resolved = outcome.plan.Settings();
    const auto exchangePs = MeanExchangePs(outcome, resolved.simulation.warmup);
    results.exchangeTimePs = exchangePs;
    results.buckets = outcome.plan.Job().job->buckets.size();
    if (exchangePs > 0)
    {
        constexpr double bitsPerGigabit = 1e9;
        const auto perSecond = 1 / Seconds(exchangePs) / bitsPerGigabit;
        const auto gpus = static_cast<double>(GpusOf(*outcome.plan.Job().job));
        const auto algbw = static_cast<double>(resolved.trace->Bytes()) * 8 * perSecond;
        results.aggregationThroughputGbps = algbw;
        results.algbwGbps = algbw;
        results.busbwGbps = algbw * TimesOverLink(*outcome.plan.Job().job, gpus);
    }
    results.plainBytes = outcome.Job().seen->OwnPlainBytes();
    results.wireBytes = outcome.hostWireBytes;
    const auto gradientWireBytes = outcome.Job().seen->gradientWireBytes;
    if (gradientWireBytes > 0)
    {
        results.achievedRatio = static_cast<double>(outcome.Job().seen->GradientPlainBytes()) /
                                static_cast<double>(gradientWireBytes);
    }
}

/** What other orders did to values. */
std::string
ChangesText(const OrderChanges& seen)
{
    const auto share = static_cast<double>(seen.changed) / static_cast<double>(seen.values);
    return fmt::format("; {} of {} values changed in two other orders",
                       seen.changed == 0 ? "none" : fmt::format("{:.3g} %", share * 100),
                       seen.values);
}

void
AddComparisons(const Outcome& outcome, RunResults& results)
{
    const auto& resolved = outcome.plan.Settings();
    const auto& job = *outcome.plan.Job().job;
    const auto computePs = OwnComputePs(*resolved.trace, job, resolved.fastestScale);
    if (computePs > 0)
    {
        results.scalingEfficiency =
            static_cast<double>(computePs) / static_cast<double>(results.iterationTimePs);
    }
    const auto& bound = outcome.plan.Job().alone;
    if (bound.isProven)
    {
        results.lowerBoundPs = bound.iterationPs;
    }
    results.drops = DroppedFrames(outcome.links);
    results.retransmitted = outcome.retransmittedFrames;
    for (const auto& link : outcome.links)
    {
        if (link.ends.kind != LinkKind::FROM_HOST)
        {
            results.largestQueueBytes =
                std::max(results.largestQueueBytes, link.port.largestQueueBytes);
        }
    }
    for (const auto& adding : outcome.Job().switches)
    {
        results.slotsPeak = std::max(results.slotsPeak.value_or(0), adding.slotsPeak);
        results.switchMemoryBytes =
            std::max(results.switchMemoryBytes.value_or(0), adding.memoryBytes);
    }
    results.slotsNeeded = SlotsNeeded(outcome.plan);
    results.picked = resolved.picksBySize ? PicksOf(job) : "";
    results.sketch = SketchResultsOf(outcome.plan.Job().sketches, CountedPerIteration(outcome));
    results.loses = LossesText(LossesOf(outcome.plan));
    const auto order = SumOrderOf(resolved);
    results.sumsDependOnOrder = order.matters ? "yes" : "no";
    results.sumOrderReason = order.reason;
    if (const auto& seen = outcome.Job().orderChanges)
    {
        results.sumOrderReason += ChangesText(*seen);
    }
    if (outcome.Job().errors)
    {
        results.sumErrorMax = outcome.Job().errors->largest;
        results.sumErrorMean = outcome.Job().errors->Mean();
        results.sumVnmse = outcome.Job().errors->Vnmse();
        results.sumCosine = outcome.Job().errors->Cosine();
        results.replicaDifferenceMax = outcome.Job().errors->replicaDifference;
        results.valuesInFrames = !outcome.plan.Job().ReplaysValues();
    }
}

void
AddSimulation(const Outcome& outcome, RunResults& results)
{
    const auto& fold = outcome.plan.Job().fold;
    std::uint64_t frames = 0;
    for (const auto& link : outcome.links)
    {
        frames += link.port.frames;
    }
    results.packetLevelShare =
        frames == 0 ? 1
                    : static_cast<double>(outcome.simulatedFrames) / static_cast<double>(frames);
    const bool sumsAreExact =
        !outcome.plan.Job().ReplaysValues() || outcome.plan.Job().hooks.IsNetworkExact();
    const bool isOrdered = !fold.exactWithoutTies || outcome.tiedFrames == 0;
    results.exact =
        fold.exact && isOrdered && sumsAreExact && !outcome.plan.Settings().IsFlowLevel();
    results.simulatedRanks = fold.simulated;
    results.ranks = fold.ranks;
}

/** With the share of the run in which each was busy. */
std::vector<LinkRow>
LinkRows(const Outcome& outcome)
{
    const auto runPs = static_cast<double>(outcome.Job().seen->iterationEndPs.back());
    auto rows = outcome.links;
    for (auto& row : rows)
    {
        const auto busyPs = static_cast<double>(row.wireBytesByEnd) * 8 * g_psPerSecond /
                            static_cast<double>(row.bitsPerSecond);
        row.utilisation = runPs > 0 ? busyPs / runPs : 0;
    }
    return rows;
}

std::vector<StepRatio>
StepRatios(const Outcome& outcome)
{
    std::vector<StepRatio> ratios;
    const auto& job = *outcome.plan.Job().job;
    const bool counted = job.coding.IsSome() && job.HasValues();
    for (const auto& [step, payload] : outcome.Job().seen->steps)
    {
        if (counted)
        {
            ratios.push_back({step, payload.plainBytes, payload.wireBytes});
        }
    }
    return ratios;
}

void
AddOrigin(const Scenario& scenario, const Outcome& outcome, RunRecord& record)
{
    record.settings = SettingColumns(scenario);
    record.scenario = ResolvedSettings(scenario);
    record.origin.incaVersion = INCA_VERSION;
    record.origin.ns3Version = INCA_NS3_VERSION;
    record.origin.seed = scenario.simulation.seed;
    record.origin.inputs = InputChecksums(scenario, *outcome.plan.Settings().trace);
    if (outcome.plan.Settings().trace->checksum != 0)
    {
        record.origin.traceCrc32 = outcome.plan.Settings().trace->checksum;
    }
}

RunRecord
RecordOf(const Scenario& given, const Outcome& outcome, const ProgressSink& onProgress)
{
    RunRecord record;
    AddOrigin(given, outcome, record);
    AddTimes(outcome, record.results);
    AddCalibratedRange(outcome, onProgress, record.results);
    AddExchange(outcome, record.results);
    AddComparisons(outcome, record.results);
    AddSimulation(outcome, record.results);
    AddExplanation(outcome, record);
    record.layers = LayerRows(outcome);
    record.links = LinkRows(outcome);
    record.switches = outcome.Job().switches;
    record.steps = StepRatios(outcome);
    record.errors = ErrorRows(outcome);
    record.warnings = RunWarnings(outcome);
    return record;
}

} // namespace

RunRecord
RunExperiment(const Scenario& given,
              const std::function<void(double share)>& progress,
              const TimelineRequest* timeline)
{
    const ProgressSink onProgress = progress ? progress : [](double) {};
    try
    {
        const auto plan = MakePlanOfRun(given, onProgress);
        const auto& cost = plan.cost;
        const auto searched = cost.searchSeconds > 0 ? cost.searchSeconds / cost.cpuSeconds : 0;
        const ProgressSink onRuns = [&](double share) {
            onProgress(searched + (1 - searched) * share);
        };
        const auto runs = static_cast<double>(1 + plan.explained.size());
        const auto outcome = Simulate(
            plan, [&](double share) { onRuns(share / runs); }, timeline);
        return RecordOf(given, outcome, onRuns);
    }
    catch (const InvariantError& error)
    {
        const auto extensions = ExtensionsOf(given);
        if (extensions.empty())
        {
            throw;
        }
        throw InvariantError("a bug of " + extensions +
                             ", which INCA does not bring along, or else of INCA: " + error.what());
    }
}

} // namespace inca
