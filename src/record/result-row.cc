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

/** The first that fits. */
constexpr std::pair<std::string_view, std::string_view> g_units[] = {
    {"_bytes_per_s", "B/s"},
    {"_values_per_s", "values/s"},
    {"_bits_per_value", "bits/value"},
    {"_per_s", "1/s"},
    {"_gbps", "Gbit/s"},
    {"_mhz", "MHz"},
    {"_bytes", "B"},
    {"_bits", "bits"},
    {"_cycles", "cycles"},
    {"_frames", "frames"},
    {"_values", "values"},
    {"_ns", "ns"},
    {"_us", "us"},
    {"_s", "s"},
};

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
                           [last](const auto& r) { return Share(r.results, last); },
                           std::string("share of the iteration time: ") + g_shareParts[last].name});
    }
    return columns;
}

std::vector<ResultColumn>
TimeColumns()
{
    return {
        {"iteration_time_s",
         [](const auto& r) { return SecondsText(r.results.iterationTimePs); },
         "mean, of all but the warm-up"},
        {"iteration_time_min_s",
         [](const auto& r) { return Seconds(r.results.iterationTimeMinPs); },
         "shortest measured iteration"},
        {"iteration_time_p50_s",
         [](const auto& r) { return Seconds(r.results.iterationTimeP50Ps); },
         "median of the measured iterations"},
        {"iteration_time_p99_s",
         [](const auto& r) { return Seconds(r.results.iterationTimeP99Ps); },
         "99th percentile of the measured iterations, by nearest rank"},
        {"samples_per_s",
         [](const auto& r) { return Places(r.results.samplesPerSecond, g_samplePlaces); },
         "batch * workers * GPUs of each * accumulation / iteration time"},
    };
}

std::vector<ResultColumn>
ExchangeColumns()
{
    return {
        {"exchange_time_s",
         [](const auto& r) { return Seconds(r.results.exchangeTimePs); },
         "first start to last end on any worker, mean per iteration"},
        {"aggregation_throughput_gbps",
         [](const auto& r) { return Places(r.results.aggregationThroughputGbps, g_ratePlaces); },
         "elements * 32 / exchange time"},
        {"algbw_gbps",
         [](const auto& r) { return Places(r.results.algbwGbps, g_ratePlaces); },
         "gradient bits / exchange time"},
        {"busbw_gbps",
         [](const auto& r) { return Places(r.results.busbwGbps, g_ratePlaces); },
         "algbw * 2 (W - 1) / W"},
        {"plain_bytes",
         [](const auto& r) { return std::to_string(r.results.plainBytes); },
         "gradients and weights that reached their receivers, uncompressed, in the whole run"},
        {"wire_bytes",
         [](const auto& r) { return std::to_string(r.results.wireBytes); },
         "whole frames that hosts sent, preamble to gap, in the whole run"},
        {"achieved_ratio",
         [](const auto& r) { return Places(r.results.achievedRatio, g_sharePlaces); },
         "plain gradient payload / gradient payload as it travelled"},
        {"scaling_efficiency",
         [](const auto& r) { return Places(r.results.scalingEfficiency, g_sharePlaces); },
         "iteration time of one worker alone / iteration time"},
        {"lower_bound_s",
         [](const auto& r) { return Seconds(r.results.lowerBoundPs); },
         "no iteration can be faster"},
        {"limited_by",
         [](const auto& r) { return r.results.limitedBy; },
         "what shortens the bound most if it is raised by a quarter"},
        {"communication_limited_by",
         [](const auto& r) { return r.results.communicationLimitedBy; },
         "the same of the exchanges alone"},
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
        {"drops",
         [](const auto& r) { return std::to_string(r.results.drops); },
         "frames dropped at ports and on links, in the whole run"},
        {"retransmitted",
         [](const auto& r) { return std::to_string(r.results.retransmitted); },
         "frames sent again by hosts, in the whole run"},
        {"largest_queue_bytes",
         [](const auto& r) { return std::to_string(r.results.largestQueueBytes); },
         "of any switch port"},
        {"slots_peak",
         [](const auto& r) { return WholeText(r.results.slotsPeak); },
         "slots in use at once, of the switch that has most"},
        {"slots_needed",
         [](const auto& r) { return WholeText(r.results.slotsNeeded); },
         "slots with which no worker waits for one"},
        {"switch_memory_used_bytes",
         [](const auto& r) { return WholeText(r.results.switchMemoryBytes); },
         "what the slots of a switch take, all copies"},
        {"sketch_ratio",
         [](const auto& r) { return OfSketch(r, [](const auto& sketch) { return sketch.ratio; }); },
         "homomorphic: rows per counter row, over all exchanges"},
        {"sketch_load",
         [](const auto& r) { return OfSketch(r, &SketchResults::load); },
         "homomorphic: expected load of the exchange with most"},
        {"peeling_rounds",
         [](const auto& r) { return OfSketch(r, &SketchResults::rounds); },
         "homomorphic: expected rounds of the exchange with most"},
        {"set_values",
         [](const auto& r) { return OfSketch(r, &SketchResults::markedValues); },
         "homomorphic: values set on some worker, mean per iteration"},
        {"estimated_values",
         [](const auto& r) { return OfSketch(r, &SketchResults::estimatedValues); },
         "homomorphic: of the set values, those that were not decoded but estimated"},
        {"sum_error_max",
         [](const auto& r) { return Digits(r.results.sumErrorMax); },
         "largest distance from the sum in fp64; with values only"},
        {"sum_error_mean",
         [](const auto& r) { return Digits(r.results.sumErrorMean); },
         "mean distance from the sum in fp64; with values only"},
        {"replica_difference_max",
         [](const auto& r) { return Digits(r.results.replicaDifferenceMax); },
         "largest distance between two workers' copies; with values only"},
        {"packet_level_share",
         [](const auto& r) { return NineDigits(r.results.packetLevelShare); },
         "of all frames, those that were simulated by themselves"},
        {"exact",
         [](const auto& r) { return r.results.exact ? "true" : "false"; },
         "true: all results are those of packet level, to the picosecond"},
    };
}

std::vector<ResultColumn>
OriginColumns()
{
    return {
        {"inca_version", [](const auto& r) { return r.origin.incaVersion; }, "of the program"},
        {"ns3_version", [](const auto& r) { return r.origin.ns3Version; }, "that it runs on"},
        {"seed",
         [](const auto& r) { return std::to_string(r.origin.seed); },
         "simulation.seed: of jitter, losses and drawn values"},
        {"trace_crc32",
         [](const auto& r) {
             return r.origin.traceCrc32 ? ChecksumText(*r.origin.traceCrc32) : std::string();
         },
         "checksum of the trace's file"},
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
UnitOfColumn(std::string_view name)
{
    for (const auto& [end, unit] : g_units)
    {
        if (name.size() > end.size() && name.substr(name.size() - end.size()) == end)
        {
            return std::string(unit);
        }
    }
    return "";
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
