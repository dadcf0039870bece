/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/result-row.h"

#include "record/csv-text.h"
#include "record/share-parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
        {"buckets", [](const auto& r) { return std::to_string(r.results.buckets); }},
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
        {"limited_by", [](const auto& r) { return r.results.limitedBy; }, true},
        {"communication_limited_by",
         [](const auto& r) { return r.results.communicationLimitedBy; },
         true},
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
        {"inca_version", [](const auto& r) { return r.origin.incaVersion; }, true},
        {"ns3_version", [](const auto& r) { return r.origin.ns3Version; }, true},
        {"seed", [](const auto& r) { return std::to_string(r.origin.seed); }},
        {"trace_crc32",
         [](const auto& r) {
             return r.origin.traceCrc32 ? ChecksumText(*r.origin.traceCrc32) : std::string();
         },
         true},
    };
}

std::vector<ResultColumn>
Joined(const std::vector<std::vector<ResultColumn>>& parts)
{
    std::vector<ResultColumn> all;
    for (const auto& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/** Of results alone. */
std::vector<ResultColumn>
FigureColumns()
{
    return Joined({TimeColumns(), ShareColumns(), ExchangeColumns(), HealthColumns()});
}

Row
CellsOf(const std::vector<ResultColumn>& columns, const RunRecord& record)
{
    Row row;
    for (const auto& column : columns)
    {
        row.push_back({column.name, column.text(record), column.isName});
    }
    return row;
}

constexpr const char* g_warnings = "warnings";
constexpr std::string_view g_between = " | ";

/** A cell as JSON; what looks like a number, true or false is one unless it is a name. */
std::string
JsonValue(const RowCell& cell)
{
    if (cell.text.empty())
    {
        return "null";
    }
    const bool isLiteral = !cell.isName && nlohmann::json::accept(cell.text);
    // a path need not be UTF-8; such bytes become the replacement character
    return isLiteral ? cell.text
                     : nlohmann::json(cell.text).dump(
                           -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/** What Joined texts were joined from. */
std::string
JsonList(std::string_view text)
{
    std::string list;
    while (!text.empty())
    {
        const auto item = text.substr(0, text.find(g_between));
        list += (list.empty() ? "" : ", ") + JsonValue({"", std::string(item), true});
        text.remove_prefix(std::min(item.size() + g_between.size(), text.size()));
    }
    return "[" + list + "]";
}

} // namespace

const std::vector<ResultColumn>&
ResultColumns()
{
    static const std::vector<ResultColumn> columns = Joined({FigureColumns(), OriginColumns()});
    return columns;
}

Row
HeadCells(const RowHead& head)
{
    return {{"label", head.label, true},
            {"point", WholeText(head.point)},
            {"status", head.status, true},
            {g_warnings, fmt::format("{}", fmt::join(head.warnings, g_between)), true}};
}

Row
FigureCells(const RunRecord& record)
{
    return CellsOf(FigureColumns(), record);
}

Row
ResultCells(const RunRecord& record)
{
    return CellsOf(ResultColumns(), record);
}

Row
OriginCells(const RunOrigin& origin)
{
    RunRecord record;
    record.origin = origin;
    Row row;
    for (const auto& column : FigureColumns())
    {
        row.push_back({column.name, "", column.isName});
    }
    const auto cells = CellsOf(OriginColumns(), record);
    row.insert(row.end(), cells.begin(), cells.end());
    return row;
}

Row
JoinRow(const RowHead& head, const Row& settings, const Row& results)
{
    auto row = HeadCells(head);
    row.insert(row.end(), settings.begin(), settings.end());
    row.insert(row.end(), results.begin(), results.end());
    return row;
}

Row
RowOf(const RunRecord& record)
{
    RowHead head;
    head.warnings = record.warnings;
    Row settings;
    for (const auto& [column, text] : record.settings)
    {
        settings.push_back({column, text, false});
    }
    return JoinRow(head, settings, ResultCells(record));
}

std::string
CellText(const Row& row, std::string_view column)
{
    const auto found = std::find_if(
        row.begin(), row.end(), [column](const RowCell& cell) { return cell.column == column; });
    return found == row.end() ? std::string() : found->text;
}

std::string
CsvHeader(const Row& row)
{
    std::vector<std::string> fields;
    for (const auto& cell : row)
    {
        fields.push_back(cell.column);
    }
    return CsvLine(fields);
}

std::string
CsvHeader(const RunRecord& record)
{
    return CsvHeader(RowOf(record));
}

std::string
CsvRow(const RunRecord& record)
{
    return CsvRow(RowOf(record));
}

std::string
CsvRow(const Row& row)
{
    std::vector<std::string> fields;
    for (const auto& cell : row)
    {
        fields.push_back(cell.text);
    }
    return CsvLine(fields);
}

std::string
JsonLineOf(const Row& row)
{
    std::string line;
    for (const auto& cell : row)
    {
        line += line.empty() ? "" : ", ";
        line += JsonValue({"", cell.column, true}) + ": ";
        line += cell.column == g_warnings ? JsonList(cell.text) : JsonValue(cell);
    }
    return "{" + line + "}\n";
}

} // namespace inca
