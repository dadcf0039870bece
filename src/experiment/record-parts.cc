/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/record-parts.h"

#include "base/units.h"
#include "job/breakdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

/** The part of @p bytes that belongs to the first @p count of @p elements. */
std::uint64_t
PartOf(std::uint64_t bytes, std::uint64_t count, std::uint64_t elements)
{
    return static_cast<std::uint64_t>(MulDivCeil(bytes, count, elements));
}

/** The first and the last bucket that a layer lies in, from 1. */
std::pair<std::uint32_t, std::uint32_t>
BucketsOf(const TrainingJob& job, std::size_t layer)
{
    const auto& buckets = job.buckets; // as backward finishes them, so their layers descend
    const auto first =
        std::partition_point(buckets.begin(), buckets.end(), [layer](const JobBucket& bucket) {
            return bucket.firstLayer > layer;
        });
    const auto end = std::partition_point(first, buckets.end(), [layer](const JobBucket& bucket) {
        return bucket.lastLayer >= layer;
    });
    return {static_cast<std::uint32_t>(first - buckets.begin()) + 1,
            static_cast<std::uint32_t>(end - buckets.begin())};
}

/** Adds to @p row what chunk @p seen of the job says of it. */
void
AddChunk(const JobChunk& chunk, const ChunkSeen& seen, const JobLayer& layer, LayerRow& row)
{
    const auto chunkEnd = chunk.range.begin + chunk.range.count;
    const auto layerEnd = layer.range.begin + layer.range.count;
    const auto from = std::max(chunk.range.begin, layer.range.begin) - chunk.range.begin;
    const auto to = std::min(chunkEnd, layerEnd) - chunk.range.begin;
    const auto part = [&](std::uint64_t bytes) {
        return PartOf(bytes, to, chunk.range.count) - PartOf(bytes, from, chunk.range.count);
    };
    if (chunk.purpose == ExchangePurpose::GRADIENTS)
    {
        row.startPs = std::min(row.startPs, seen.startPs);
        row.endPs = std::max(row.endPs, seen.endPs);
    }
    const auto ownBytes = PartOf(seen.received.plainBytes, chunk.range.count, chunk.ValueCount());
    row.plainBytes += part(ownBytes);
    row.wireBytes += part(seen.received.wireBytes);
}

/** By layer, of one simulated worker. (ps) */
std::vector<std::int64_t>
ExposedCommunication(const Outcome& outcome, Rank simulated)
{
    const auto& layers = outcome.Job().seen->layers[simulated];
    std::vector<std::int64_t> exposedPs(layers.size(), 0);
    auto coveredPs = outcome.Job().seen->backwardEndPs[simulated];
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
    {
        const auto updatedPs = layers[layer].updatedPs;
        if (updatedPs > coveredPs)
        {
            const SpanSet waited{{coveredPs, updatedPs}};
            exposedPs[layer] = Length(Intersect(waited, outcome.Job().communication[simulated]));
            coveredPs = updatedPs;
        }
    }
    return exposedPs;
}

/** @param exposedPs by layer, of whoever stands for @p worker */
std::vector<LayerRow>
RowsOf(const Outcome& outcome, Rank worker, const std::vector<std::int64_t>& exposedPs)
{
    const auto& job = *outcome.plan.Job().job;
    const auto& seen = *outcome.Job().seen;
    const auto standsIn = outcome.plan.Job().fold.Representative(worker);
    std::vector<LayerRow> rows(job.layers.size());
    for (std::size_t layer = 0; layer < rows.size(); ++layer)
    {
        auto& row = rows[layer];
        const auto& when = seen.layers[standsIn][layer];
        row.worker = worker;
        row.layer = outcome.plan.Settings().trace->layers[layer].name;
        row.elements = job.layers[layer].range.count;
        std::tie(row.firstBucket, row.lastBucket) = BucketsOf(job, layer);
        row.readyPs = when.readyPs;
        row.startPs = std::numeric_limits<std::int64_t>::max();
        row.exposedCommunicationPs = exposedPs[layer];
        row.weightsWaitPs = when.weightsWaitPs;
    }
    for (std::size_t i = 0; i < job.chunks.size(); ++i)
    {
        const auto& chunk = job.chunks[i];
        for (auto layer = chunk.firstLayer; layer <= chunk.lastLayer; ++layer)
        {
            AddChunk(chunk, seen.chunks[standsIn][i], job.layers[layer], rows[layer]);
        }
    }
    return rows;
}

/** Random values scatter by much less than this around what their density says. */
constexpr double g_noticeable = 0.1;
constexpr double g_noticeableValues = 1000; ///< fewer may well be off by that share

void
WarnOfDrops(const Outcome& outcome, Warnings& warnings)
{
    const auto drops = DroppedFrames(outcome.links);
    const bool explained = drops == 0 && !outcome.Job().switches.empty(); // by WarnOfSums
    if ((drops > 0 || outcome.retransmittedFrames > 0) && !explained)
    {
        warnings.push_back(
            {WarningTopic::DROPS,
             fmt::format("{} frames were dropped and {} sent again: links.csv says where",
                         drops,
                         outcome.retransmittedFrames)});
    }
}

/** Buffers of flows have no end (docs/model.md, Messages as flows). */
void
WarnOfLongQueues(const Outcome& outcome, Warnings& warnings)
{
    std::size_t full = 0;
    std::uint64_t longestBytes = 0;
    for (const auto& link : outcome.links)
    {
        const auto bytes = link.port.largestQueueBytes;
        if (link.ends.kind != LinkKind::FROM_HOST && bytes > link.bufferBytes)
        {
            ++full;
            longestBytes = std::max(longestBytes, bytes);
        }
    }
    if (full > 0)
    {
        const auto holdsBytes = outcome.plan.Settings().scenario.cluster.bufferBytes;
        warnings.push_back(
            {WarningTopic::DROPS,
             fmt::format(
                 "cluster.buffer: {} of the switches' ports, which hold {}, may drop frames: "
                 "up to {} wait for one. Flows leave that out; simulation.mode=auto shows "
                 "what it costs",
                 full,
                 HumanBytes(holdsBytes),
                 HumanBytes(longestBytes))});
    }
}

/** A switch has several ways up, among which a hash chooses, other than for NICs, and for what switches add. */
bool
HasEqualPaths(const Resolved& resolved)
{
    const auto& topology = resolved.topology;
    const bool isOfTrees =
        resolved.sumScope == SumScope::WORKERS || resolved.sumScope == SumScope::RAILS;
    std::set<std::uint32_t> lower;
    return !isOfTrees &&
           std::any_of(topology.trunks.begin(), topology.trunks.end(), [&](const auto& trunk) {
               return trunk.lower >= topology.nodes && !lower.insert(trunk.lower).second;
           });
}

void
WarnOfRoutes(const Outcome& outcome, Warnings& warnings)
{
    const auto busyPs = BusiestTrunkPs(outcome);
    const auto boundPs = outcome.plan.Job().alone.iterationPs;
    if (busyPs > boundPs && HasEqualPaths(outcome.plan.Settings()))
    {
        warnings.push_back(
            {WarningTopic::NETWORK,
             fmt::format(
                 "cluster.ecmp_seed: the hash leads so many flows over one trunk that it is busy "
                 "for {} of "
                 "an iteration, where all else needs {}; other seeds give other times: vary it",
                 HumanPicoseconds(busyPs),
                 HumanPicoseconds(boundPs))});
    }
}

SumStats
SumStatsOf(const Outcome& outcome)
{
    SumStats seen;
    for (const auto& row : outcome.Job().switches)
    {
        if (row.packets.noSlot > 0)
        {
            seen.fullSwitches.push_back({row.name, row.packets.noSlot, row.slots});
        }
    }
    seen.repeatedFrames = outcome.retransmittedFrames;
    seen.lostFrames = DroppedFrames(outcome.links);
    seen.clampedValues = outcome.Job().clampedValues;
    seen.startedTogether = outcome.plan.Job().job->startTogether;
    return seen;
}

void
WarnOfSums(const Outcome& outcome, Warnings& warnings)
{
    for (auto& text : outcome.plan.Settings().Scheme()->WarningsAfter(SumStatsOf(outcome)))
    {
        warnings.push_back({WarningTopic::NETWORK, std::move(text)});
    }
}

void
WarnOfNotFinite(const Outcome& outcome, Warnings& warnings)
{
    if (outcome.Job().errors && outcome.Job().errors->notFinite > 0)
    {
        warnings.push_back(
            {WarningTopic::VALUES,
             fmt::format("{} values or their sums are infinite or no numbers: the errors "
                         "leave them out",
                         outcome.Job().errors->notFinite)});
    }
}

} // namespace

std::vector<LayerRow>
LayerRows(const Outcome& outcome)
{
    std::vector<std::vector<std::int64_t>> exposedPs; // by simulated worker
    for (Rank simulated = 0; simulated < outcome.Job().communication.size(); ++simulated)
    {
        exposedPs.push_back(ExposedCommunication(outcome, simulated));
    }
    std::vector<LayerRow> rows;
    for (Rank worker = 0; worker < outcome.plan.Job().job->workers; ++worker)
    {
        const auto own =
            RowsOf(outcome, worker, exposedPs[outcome.plan.Job().fold.Representative(worker)]);
        rows.insert(rows.end(), own.begin(), own.end());
    }
    return rows;
}

std::vector<ErrorRow>
ErrorRows(const Outcome& outcome)
{
    std::vector<ErrorRow> rows;
    const auto add = [&rows](std::size_t bucket, std::size_t hop, const ErrorSums& of) {
        rows.push_back({bucket + 1, hop, of.values, of.Vnmse(), of.Cosine(), of.largest});
    };
    for (std::size_t bucket = 0; bucket < outcome.Job().bucketErrors.size(); ++bucket)
    {
        add(bucket, 0, outcome.Job().bucketErrors[bucket]);
        const auto hops =
            outcome.Job().hops.empty() ? std::vector<ErrorSums>() : outcome.Job().hops[bucket];
        for (std::size_t hop = 0; hop < hops.size(); ++hop)
        {
            add(bucket, hop + 1, hops[hop]);
        }
    }
    return rows;
}

std::optional<SketchResults>
SketchResultsOf(const std::vector<PlannedSketch>& sketches, std::optional<CountedValues> counted)
{
    if (sketches.empty())
    {
        return std::nullopt;
    }
    SketchResults results;
    std::uint64_t rows = 0;
    std::uint64_t counterRows = 0;
    for (const auto& sketch : sketches)
    {
        rows += sketch.rows;
        counterRows += sketch.counterRows;
        results.coded += sketch.rows > 0 ? 1 : 0;
        results.load = std::max(results.load, sketch.load);
        results.rounds = std::max(results.rounds, sketch.rounds);
        results.markedValues += sketch.markedValues;
        results.estimatedValues += sketch.estimatedValues;
    }
    results.exchanges = sketches.size();
    if (counterRows > 0)
    {
        results.ratio = static_cast<double>(rows) / static_cast<double>(counterRows);
    }
    if (counted)
    {
        results.counted = true;
        results.markedValues = counted->marked;
        results.estimatedValues = counted->estimated;
    }
    return results;
}

std::optional<CountedValues>
CountedPerIteration(const Outcome& outcome)
{
    if (!outcome.Job().errors)
    {
        return std::nullopt;
    }
    const double iterations = outcome.plan.Job().job->iterations;
    return CountedValues{static_cast<double>(outcome.Job().errors->marked) / iterations,
                         static_cast<double>(outcome.Job().errors->estimated) / iterations};
}

void
WarnOfDensities(const std::vector<PlannedSketch>& sketches,
                const CountedValues& counted,
                Warnings& warnings)
{
    double expected = 0;
    for (const auto& sketch : sketches)
    {
        expected += sketch.markedValues;
    }
    const auto off = std::fabs(counted.marked - expected);
    if (off > g_noticeable * expected && off > g_noticeableValues)
    {
        warnings.push_back({WarningTopic::DENSITIES,
                            fmt::format("the values of an iteration have {:.0f} set positions, and "
                                        "the densities (the trace's, "
                                        "training.density, training.union_exponent) say {:.0f}: "
                                        "ratio, rounds and times are "
                                        "those of the densities",
                                        counted.marked,
                                        expected)});
    }
}

std::int64_t
BusiestTrunkPs(const Outcome& outcome)
{
    std::int64_t busiestPs = 0;
    for (const auto& link : outcome.links)
    {
        const auto busyPs = SerialisationPs(link.wireBytesByEnd, link.bitsPerSecond);
        busiestPs = std::max(busiestPs, link.ends.kind == LinkKind::TRUNK ? busyPs : 0);
    }
    return busiestPs / outcome.plan.Job().job->iterations;
}

std::vector<std::string>
RunWarnings(const Outcome& outcome)
{
    auto warnings = outcome.plan.warnings;
    if (!outcome.Job().switches.empty())
    {
        WarnOfSums(outcome, warnings);
    }
    WarnOfDrops(outcome, warnings);
    WarnOfLongQueues(outcome, warnings);
    WarnOfRoutes(outcome, warnings);
    if (const auto counted = CountedPerIteration(outcome))
    {
        WarnOfDensities(outcome.plan.Job().sketches, *counted, warnings);
    }
    WarnOfNotFinite(outcome, warnings);
    return TextsOf(std::move(warnings));
}

} // namespace inca
