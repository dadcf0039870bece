/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/layer-rows.h"

#include "experiment/whole-network.h"

#include "base/units.h"
#include "job/span-set.h"

#include <algorithm>
#include <limits>

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
    row.startPs = std::min(row.startPs, seen.startPs);
    row.endPs = std::max(row.endPs, seen.endPs);
    row.plainBytes += part(seen.received.plainBytes);
    row.wireBytes += part(seen.received.wireBytes);
}

std::vector<LayerRow>
RowsOf(const Outcome& outcome, const WholeNetwork& whole, Rank worker)
{
    const auto& job = *outcome.plan.prepared.job;
    const auto& seen = *outcome.seen;
    const auto standsIn = worker % outcome.plan.fold.simulated;
    std::vector<LayerRow> rows(job.layers.size());
    auto coveredPs = seen.backwardEndPs[standsIn];
    for (std::size_t layer = 0; layer < rows.size(); ++layer)
    {
        auto& row = rows[layer];
        const auto& when = seen.layers[standsIn][layer];
        row.worker = worker;
        row.layer = outcome.plan.prepared.trace->layers[layer].name;
        row.elements = job.layers[layer].range.count;
        row.readyPs = when.readyPs;
        row.startPs = std::numeric_limits<std::int64_t>::max();
        if (when.updatedPs > coveredPs)
        {
            const SpanSet waited{{coveredPs, when.updatedPs}};
            row.exposedCommunicationPs = Length(Intersect(waited, outcome.communication[standsIn]));
            coveredPs = when.updatedPs;
        }
    }
    for (std::size_t i = 0; i < job.chunks.size(); ++i)
    {
        const auto& chunk = job.chunks[i];
        auto chunkSeen = seen.chunks[standsIn][i];
        chunkSeen.received = whole.Received(worker, i, chunkSeen.received);
        for (auto layer = chunk.firstLayer; layer <= chunk.lastLayer; ++layer)
        {
            AddChunk(chunk, chunkSeen, job.layers[layer], rows[layer]);
        }
    }
    return rows;
}

} // namespace

std::vector<LayerRow>
LayerRows(const Outcome& outcome)
{
    const WholeNetwork whole(outcome.plan);
    std::vector<LayerRow> rows;
    for (Rank worker = 0; worker < outcome.plan.prepared.job->workers; ++worker)
    {
        const auto own = RowsOf(outcome, whole, worker);
        rows.insert(rows.end(), own.begin(), own.end());
    }
    return rows;
}

} // namespace inca
