/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/result-row.h"

#include "record/csv-text.h"
#include "record/share-parts.h"

#include <algorithm>
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
constexpr int g_gigaPlaces = 9;
constexpr double g_bitsPerGigabit = 1e9;

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
        {"slots_peak",
         [](const auto& r) {
             return r.results.slotsPeak ? std::to_string(*r.results.slotsPeak) : std::string();
         }},
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

/** One column of a table with one row per item. */
template <class Row>
struct TableColumn
{
    std::string name;
    std::function<std::string(const Row&)> text;
};

template <class Row>
std::string
Table(const std::vector<TableColumn<Row>>& columns, const std::vector<Row>& rows)
{
    std::vector<std::string> fields;
    for (const auto& column : columns)
    {
        fields.push_back(column.name);
    }
    auto text = CsvLine(fields);
    for (const auto& row : rows)
    {
        fields.clear();
        for (const auto& column : columns)
        {
            fields.push_back(column.text(row));
        }
        text += CsvLine(fields);
    }
    return text;
}

std::vector<TableColumn<LinkRow>>
LinkColumns()
{
    return {
        {"link", [](const LinkRow& row) { return row.link; }},
        {"from", [](const LinkRow& row) { return row.from; }},
        {"to", [](const LinkRow& row) { return row.to; }},
        {"bandwidth_gbps",
         [](const LinkRow& row) {
             return DecimalPlaces(static_cast<double>(row.bitsPerSecond) / g_bitsPerGigabit,
                                  g_gigaPlaces);
         }},
        {"wire_bytes", [](const LinkRow& row) { return std::to_string(row.wireBytes); }},
        {"frames", [](const LinkRow& row) { return std::to_string(row.frames); }},
        {"utilisation",
         [](const LinkRow& row) { return DecimalPlaces(row.utilisation, g_sharePlaces); }},
        {"largest_queue_bytes",
         [](const LinkRow& row) { return std::to_string(row.largestQueueBytes); }},
        {"ecn_marked_frames", [](const LinkRow& row) { return std::to_string(row.markedFrames); }},
    };
}

/** A reason as a part of a column's name: "buffer_full". */
std::string
ColumnName(std::string reason)
{
    std::replace(reason.begin(), reason.end(), '-', '_');
    return reason;
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

std::string
LayersCsv(const RunRecord& record)
{
    const std::vector<TableColumn<LayerRow>> columns{
        {"worker", [](const LayerRow& row) { return std::to_string(row.worker); }},
        {"layer", [](const LayerRow& row) { return row.layer; }},
        {"elements", [](const LayerRow& row) { return std::to_string(row.elements); }},
        {"ready_s", [](const LayerRow& row) { return SecondsText(row.readyPs); }},
        {"start_s", [](const LayerRow& row) { return SecondsText(row.startPs); }},
        {"end_s", [](const LayerRow& row) { return SecondsText(row.endPs); }},
        {"exposed_communication_s",
         [](const LayerRow& row) { return SecondsText(row.exposedCommunicationPs); }},
        {"plain_bytes", [](const LayerRow& row) { return std::to_string(row.plainBytes); }},
        {"wire_bytes", [](const LayerRow& row) { return std::to_string(row.wireBytes); }},
    };
    return Table(columns, record.layers);
}

std::string
LinksCsv(const RunRecord& record)
{
    auto columns = LinkColumns();
    const auto reasons = record.links.empty() ? 0 : record.links.front().drops.size();
    for (std::size_t i = 0; i < reasons; ++i)
    {
        columns.push_back(
            {"drops_" + ColumnName(record.links.front().drops[i].reason),
             [i](const LinkRow& row) { return std::to_string(row.drops.at(i).frames); }});
    }
    return Table(columns, record.links);
}

std::string
SwitchesCsv(const RunRecord& record)
{
    using Count = std::uint64_t SwitchRow::*;
    const std::vector<std::pair<const char*, Count>> counts{
        {"packets_in", &SwitchRow::packetsIn},
        {"combined", &SwitchRow::combined},
        {"forwarded", &SwitchRow::forwarded},
        {"answered", &SwitchRow::answered},
        {"dropped_duplicate", &SwitchRow::droppedDuplicate},
        {"dropped_late", &SwitchRow::droppedLate},
        {"dropped_no_slot", &SwitchRow::droppedNoSlot},
        {"dropped_foreign", &SwitchRow::droppedForeign},
        {"packets_made", &SwitchRow::packetsMade},
        {"slots_peak", &SwitchRow::slotsPeak},
        {"slots", &SwitchRow::slots},
        {"memory_bytes", &SwitchRow::memoryBytes},
    };
    std::vector<TableColumn<SwitchRow>> columns{
        {"switch", [](const SwitchRow& row) { return row.name; }}};
    for (const auto& [name, count] : counts)
    {
        columns.push_back(
            {name, [count = count](const SwitchRow& row) { return std::to_string(row.*count); }});
    }
    return Table(columns, record.switches);
}

} // namespace inca
