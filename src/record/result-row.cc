/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/result-row.h"

#include "record/csv-text.h"
#include "record/share-parts.h"

#include <cstddef>
#include <functional>
#include <utility>

namespace inca
{

namespace
{

constexpr int g_ratePlaces = 6;
constexpr int g_sharePlaces = 6;
constexpr int g_samplePlaces = 3;

std::string
Seconds(const std::optional<std::int64_t>& ps)
{
    return ps ? SecondsText(*ps) : std::string();
}

std::string
Places(const std::optional<double>& value, int places)
{
    return value ? DecimalPlaces(*value, places) : std::string();
}

std::string
WholeText(const std::optional<std::uint64_t>& count)
{
    return count ? std::to_string(*count) : std::string();
}

std::string
TruthText(std::optional<bool> truth)
{
    return !truth ? std::string() : *truth ? "true" : "false";
}

std::string
Digits(const std::optional<double>& value)
{
    return value ? NineDigits(*value) : std::string();
}

/** The part at @p last, as the difference of two running totals' means. */
std::string
Share(const RunResults& results, std::size_t last)
{
    std::int64_t before = 0;
    for (std::size_t i = 0; i < last; ++i)
    {
        before += results.shares.*g_shareParts[i].ps;
    }
    const auto upTo = before + results.shares.*g_shareParts[last].ps;
    return SecondsText(MeanPs(upTo, results.measuredIterations) -
                       MeanPs(before, results.measuredIterations));
}

/** Parts of the time, per iteration: rounded such that all of them add up to the iteration time. */
std::vector<ResultColumn>
ShareColumns()
{
    std::vector<ResultColumn> columns;
    for (std::size_t last = 0; last < g_shareParts.size(); ++last)
    {
        columns.push_back({g_shareParts[last].name + std::string("_s"),
                           [last](const auto& r) { return Share(r.results, last); }});
    }
    return columns;
}

std::vector<ResultColumn>
TimeColumns()
{
    return {
        {"iteration_time_s", [](const auto& r) { return SecondsText(r.results.iterationTimePs); }},
        {"iteration_time_min_s",
         [](const auto& r) { return Seconds(r.results.iterationTimeMinPs); }},
        {"iteration_time_p50_s",
         [](const auto& r) { return Seconds(r.results.iterationTimeP50Ps); }},
        {"iteration_time_p99_s",
         [](const auto& r) { return Seconds(r.results.iterationTimeP99Ps); }},
        {"samples_per_s",
         [](const auto& r) { return Places(r.results.samplesPerSecond, g_samplePlaces); }},
    };
}

std::vector<ResultColumn>
ExchangeColumns()
{
    return {
        {"exchange_time_s", [](const auto& r) { return Seconds(r.results.exchangeTimePs); }},
        {"aggregation_throughput_gbps",
         [](const auto& r) { return Places(r.results.aggregationThroughputGbps, g_ratePlaces); }},
        {"algbw_gbps", [](const auto& r) { return Places(r.results.algbwGbps, g_ratePlaces); }},
        {"busbw_gbps", [](const auto& r) { return Places(r.results.busbwGbps, g_ratePlaces); }},
        {"plain_bytes", [](const auto& r) { return std::to_string(r.results.plainBytes); }},
        {"wire_bytes", [](const auto& r) { return std::to_string(r.results.wireBytes); }},
        {"achieved_ratio",
         [](const auto& r) { return Places(r.results.achievedRatio, g_sharePlaces); }},
        {"scaling_efficiency",
         [](const auto& r) { return Places(r.results.scalingEfficiency, g_sharePlaces); }},
        {"lower_bound_s", [](const auto& r) { return Seconds(r.results.lowerBoundPs); }},
        {"limited_by", [](const auto& r) { return r.results.limitedBy; }},
        {"communication_limited_by",
         [](const auto& r) { return r.results.communicationLimitedBy; }},
    };
}

template <class Figure>
std::string
OfSketch(const RunRecord& r, Figure figure)
{
    const auto& sketch = r.results.sketch;
    const bool applies = sketch && sketch->coded > 0;
    return applies ? Digits(std::invoke(figure, *sketch)) : std::string();
}

std::vector<ResultColumn>
HealthColumns()
{
    return {
        {"drops", [](const auto& r) { return std::to_string(r.results.drops); }},
        {"retransmitted", [](const auto& r) { return std::to_string(r.results.retransmitted); }},
        {"largest_queue_bytes",
         [](const auto& r) { return std::to_string(r.results.largestQueueBytes); }},
        {"slots_peak", [](const auto& r) { return WholeText(r.results.slotsPeak); }},
        {"slots_needed", [](const auto& r) { return WholeText(r.results.slotsNeeded); }},
        {"switch_memory_used_bytes",
         [](const auto& r) { return WholeText(r.results.switchMemoryBytes); }},
        {"sketch_ratio",
         [](const auto& r) {
             return OfSketch(r, [](const auto& sketch) { return sketch.ratio; });
         }},
        {"sketch_load", [](const auto& r) { return OfSketch(r, &SketchResults::load); }},
        {"peeling_rounds", [](const auto& r) { return OfSketch(r, &SketchResults::rounds); }},
        {"set_values", [](const auto& r) { return OfSketch(r, &SketchResults::markedValues); }},
        {"estimated_values",
         [](const auto& r) { return OfSketch(r, &SketchResults::estimatedValues); }},
        {"sum_error_max", [](const auto& r) { return Digits(r.results.sumErrorMax); }},
        {"sum_error_mean", [](const auto& r) { return Digits(r.results.sumErrorMean); }},
        {"replica_difference_max",
         [](const auto& r) { return Digits(r.results.replicaDifferenceMax); }},
        {"values_in_frames", [](const auto& r) { return TruthText(r.results.valuesInFrames); }},
        {"packet_level_share",
         [](const auto& r) { return NineDigits(r.results.packetLevelShare); }},
        {"exact", [](const auto& r) { return TruthText(r.results.exact); }},
    };
}

std::vector<ResultColumn>
OriginColumns()
{
    return {
        {"inca_version", [](const auto& r) { return r.origin.incaVersion; }},
        {"ns3_version", [](const auto& r) { return r.origin.ns3Version; }},
        {"seed", [](const auto& r) { return std::to_string(r.origin.seed); }},
        {"trace_crc32",
         [](const auto& r) {
             return r.origin.traceCrc32 ? ChecksumText(*r.origin.traceCrc32) : std::string();
         }},
    };
}

std::vector<ResultColumn>
AllColumns()
{
    std::vector<ResultColumn> all;
    for (const auto& part :
         {TimeColumns(), ShareColumns(), ExchangeColumns(), HealthColumns(), OriginColumns()})
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

} // namespace

const std::vector<ResultColumn>&
ResultColumns()
{
    static const std::vector<ResultColumn> columns = AllColumns();
    return columns;
}

std::string
CsvHeader(const RunRecord& record)
{
    std::vector<std::string> fields;
    for (const auto& cell : record.settings)
    {
        fields.push_back(cell.column);
    }
    for (const auto& column : ResultColumns())
    {
        fields.push_back(column.name);
    }
    return CsvLine(fields);
}

std::string
CsvRow(const RunRecord& record)
{
    std::vector<std::string> fields;
    for (const auto& cell : record.settings)
    {
        fields.push_back(cell.text);
    }
    for (const auto& column : ResultColumns())
    {
        fields.push_back(column.text(record));
    }
    return CsvLine(fields);
}

} // namespace inca
