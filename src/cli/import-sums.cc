/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/import-sums.h"

#include "base/units.h"
#include "import/recorded-training.h"
#include "job/bucket-plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::size_t MOST_ROWS = 100;

/** Bytes of the buckets that INCA makes of a trace, in the order in which they are ready. */
std::vector<std::uint64_t>
BucketsOf(const GradientTrace& trace)
{
    LayerTensors layers;
    for (const auto& layer : trace.layers)
    {
        layers.push_back(layer.tensors.empty() ? std::vector<std::uint64_t>{layer.elements}
                                               : layer.tensors);
    }
    BucketSpec spec;
    spec.bytesPerElement = BytesOfGradientType(trace.gradientType);
    std::vector<std::uint64_t> bytes;
    for (const auto& bucket : PlanBuckets(layers, spec).buckets)
    {
        bytes.push_back(bucket.elements.count * spec.bytesPerElement);
    }
    return bytes;
}

/** "3.25 GB/s" of @p bytes in @p ps; "-" where the time is unknown */
std::string
RateText(double bytes, const std::optional<std::int64_t>& ps)
{
    constexpr double PS_PER_NS = 1000; // bytes per ns are GB/s
    return ps && *ps > 0
               ? fmt::format("{:.4g} GB/s", bytes / (static_cast<double>(*ps) / PS_PER_NS))
               : "-";
}

using Cells = std::vector<std::string>;

/** Rows with their cells below each other. */
std::vector<std::string>
Lines(const std::vector<Cells>& rows)
{
    std::vector<std::string> lines(rows.size());
    for (std::size_t column = 0; column < rows.front().size(); ++column)
    {
        std::size_t width = 0;
        for (const auto& row : rows)
        {
            width = std::max(width, row[column].size());
        }
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            lines[i] += fmt::format("{}{:>{}}", column == 0 ? "" : "  ", rows[i][column], width);
        }
    }
    return lines;
}

Cells
CellsOf(const ImportedTrace& imported, const std::vector<std::uint64_t>& buckets, std::size_t i)
{
    const auto& each = imported.sums.each;
    const auto bucket = i < buckets.size() ? std::to_string(buckets[i]) : "-";
    if (i >= each.size())
    {
        return {std::to_string(i + 1), "-", bucket, "-", "-", "-"};
    }
    const auto bytes = static_cast<double>(each[i].bytes);
    const bool same = i < buckets.size() && buckets[i] == each[i].bytes;
    // what a ring moves over each link for a byte that is summed, and, but for a reduce-scatter, shared
    const auto workers = static_cast<double>(imported.workers.value_or(0));
    const auto ringShare = (imported.sums.scattered ? 1 : 2) * (workers - 1) / workers;
    return {std::to_string(i + 1),
            std::to_string(each[i].bytes),
            same ? "same" : bucket,
            each[i].ps ? HumanPicoseconds(*each[i].ps) : "-",
            RateText(bytes, each[i].ps),
            workers > 0 ? RateText(bytes * ringShare, each[i].ps) : "-"};
}

} // namespace

void
ReportSums(ImportedTrace& imported)
{
    const auto& sums = imported.sums;
    if (sums.each.empty())
    {
        return;
    }
    const auto buckets = BucketsOf(imported.trace);
    const auto rows = std::max(sums.each.size(), buckets.size());
    std::vector<Cells> cells{{"", "bytes", "INCA's", "time", "algbw", "busbw"}};
    for (std::size_t i = 0; i < std::min(rows, MOST_ROWS); ++i)
    {
        cells.push_back(CellsOf(imported, buckets, i));
    }
    auto lines = Lines(cells);
    if (rows > MOST_ROWS)
    {
        lines.push_back(fmt::format("{} more", rows - MOST_ROWS));
    }
    if (sums.iterations > 1)
    {
        lines.push_back(fmt::format("times are medians over {} iterations", sums.iterations));
    }
    imported.report.sums = std::move(lines);
    if (sums.scattered)
    {
        imported.report.Assume("reduce-scatters are compared to no buckets: training.sharding = "
                               "\"full\" makes units of its own");
        return;
    }
    const auto isSame = [](const RecordedSum& sum, std::uint64_t bytes) {
        return sum.bytes == bytes;
    };
    if (std::equal(sums.each.begin(), sums.each.end(), buckets.begin(), buckets.end(), isSame))
    {
        imported.report.Check(
            fmt::format("INCA's buckets (training.send = \"bucket\") are the recorded all-reduces, "
                        "{} of {}",
                        buckets.size(),
                        sums.each.size()));
        return;
    }
    imported.report.Warn(fmt::format(
        "INCA's {} buckets (training.send = \"bucket\") are not the {} recorded all-reduces: if "
        "DDP had "
        "another bucket_cap_mb, set exchange.bucket_bytes, and exchange.first_bucket_bytes",
        buckets.size(),
        sums.each.size()));
}

} // namespace inca
