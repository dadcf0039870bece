/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/result-row.h"

#include "record/csv-text.h"
#include "record/json-text.h"
#include "record/share-parts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

namespace inca
{

namespace
{

/** The texts of figures: of counts, of times in ps, and of shares and rates. What does not apply has none. @{ */
std::string
TextOf(bool truth)
{
    return truth ? "true" : "false";
}

std::string
TextOf(std::uint64_t count)
{
    return std::to_string(count);
}

std::string
TextOf(std::int64_t ps)
{
    return SecondsText(ps);
}

std::string
TextOf(double number)
{
    constexpr int places = 6;
    return DecimalPlaces(number, places);
}

std::string
TextOf(const std::string& name)
{
    return name;
}

template <typename Value>
std::string
TextOf(const std::optional<Value>& value)
{
    return value ? TextOf(*value) : std::string();
}

/** @} */

/** A column of a @p member of the results. */
template <typename Member>
ResultColumn
Of(std::string name, Member RunResults::*member, std::string meaning)
{
    return {std::move(name),
            [=](const RunRecord& record) { return TextOf(record.results.*member); },
            std::move(meaning),
            std::is_same_v<Member, std::string>};
}

/** A column of a number of any size, in nine digits. */
template <typename Member>
ResultColumn
Digits(std::string name, Member RunResults::*member, std::string meaning)
{
    return {std::move(name),
            [=](const RunRecord& record) {
                const std::optional<double> number = record.results.*member;
                return number ? NineDigits(*number) : std::string();
            },
            std::move(meaning)};
}

/** A column of exchanges in sketches, where there were some. */
template <typename Member>
ResultColumn
OfSketch(std::string name, Member SketchResults::*member, const std::string& meaning)
{
    return {std::move(name),
            [=](const RunRecord& record) {
                const auto& sketch = record.results.sketch;
                std::optional<double> number;
                if (sketch && sketch->coded > 0)
                {
                    number = (*sketch).*member;
                }
                return number ? NineDigits(*number) : std::string();
            },
            "homomorphic: " + meaning};
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

using Columns = std::vector<ResultColumn>;

/** Parts of the time, per iteration: rounded such that all of them add up to the iteration time. */
Columns
ShareColumns()
{
    Columns columns;
    for (std::size_t last = 0; last < g_shareParts.size(); ++last)
    {
        const std::string name = g_shareParts[last].name;
        columns.push_back({name + "_s",
                           [last](const RunRecord& record) { return Share(record.results, last); },
                           "share of the iteration time: " + name});
    }
    return columns;
}

Columns
OriginColumns()
{
    return {
        {"inca_version",
         [](const auto& r) { return r.origin.incaVersion; },
         "of the program",
         true},
        {"ns3_version", [](const auto& r) { return r.origin.ns3Version; }, "that it runs on", true},
        {"seed",
         [](const auto& r) { return TextOf(r.origin.seed); },
         "simulation.seed: of jitter, losses and random values"},
        {"trace_crc32",
         [](const auto& r) {
             return r.origin.traceCrc32 ? ChecksumText(*r.origin.traceCrc32) : std::string();
         },
         "checksum of the trace's file",
         true}};
}

Columns
Joined(const std::vector<Columns>& parts)
{
    Columns all;
    for (const auto& part : parts)
    {
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

/** Of results alone. */
Columns
FigureColumns()
{
    using R = RunResults;
    using S = SketchResults;
    const Columns times{
        Of("iteration_time_s", &R::iterationTimePs, "mean, of all but the warm-up"),
        Of("iteration_time_low_s",
           &R::iterationTimeLowPs,
           "of cluster.preset: nine of ten times that it predicts are in its range"),
        Of("iteration_time_high_s", &R::iterationTimeHighPs, "the same, the other end"),
        Of("iteration_time_range",
           &R::iterationTimeRange,
           "what it rests on: times that were left out between sizes or ranks; beyond what was "
           "measured there is none"),
        Of("iteration_time_min_s", &R::iterationTimeMinPs, "shortest measured iteration"),
        Of("iteration_time_p50_s", &R::iterationTimeP50Ps, "median of the measured iterations"),
        Of("iteration_time_p99_s",
           &R::iterationTimeP99Ps,
           "99th percentile of the measured iterations, by nearest rank"),
        {"samples_per_s",
         [](const RunRecord& record) {
             const auto& samples = record.results.samplesPerSecond;
             return samples ? DecimalPlaces(*samples, 3) : std::string();
         },
         "batch * workers * GPUs of each * accumulation / iteration time"},
    };
    const Columns others{
        Of("exchange_time_s",
           &R::exchangeTimePs,
           "of gradients: first start to last end on any GPU, mean per iteration"),
        Of("buckets",
           &R::buckets,
           "of an iteration: gradients that are ready, and exchanged, together"),
        Of("aggregation_throughput_gbps",
           &R::aggregationThroughputGbps,
           "gradient bits / exchange time, however they travel"),
        Of("algbw_gbps", &R::algbwGbps, "gradient bits / exchange time"),
        Of("busbw_gbps",
           &R::busbwGbps,
           "algbw * 2 (n - 1) / n with n GPUs in all; half of it where workers get a part each, or "
           "blocks, and of tokens experts_per_token / workers of that; of unequal blocks the "
           "largest share that a worker sends or gets; algbw where one sends"),
        Of("plain_bytes",
           &R::plainBytes,
           "gradients and weights that reached their receivers, uncompressed, in the whole run"),
        Of("wire_bytes",
           &R::wireBytes,
           "whole frames that hosts sent, preamble to gap, in the whole run"),
        Of("achieved_ratio",
           &R::achievedRatio,
           "plain gradient payload / gradient payload as it travelled"),
        Of("scaling_efficiency",
           &R::scalingEfficiency,
           "what a worker itself computes / iteration time"),
        Of("lower_bound_s",
           &R::lowerBoundPs,
           "no iteration can be faster; empty with jitter, over TCP, and with a warm-up of what is "
           "no "
           "all-reduce"),
        Of("limited_by",
           &R::limitedBy,
           "what saves most along the chain of events that ends last, if it is a quarter better"),
        Of("communication_limited_by",
           &R::communicationLimitedBy,
           "the same of the exchanges alone"),
        Of("drops", &R::drops, "frames dropped at ports and on links, in the whole run"),
        Of("retransmitted", &R::retransmitted, "frames sent again by hosts, in the whole run"),
        Of("largest_queue_bytes", &R::largestQueueBytes, "of any switch port"),
        Of("slots_peak", &R::slotsPeak, "slots in use at once, of the switch that has most"),
        Of("slots_needed", &R::slotsNeeded, "slots with which no worker waits for one"),
        Of("switch_memory_used_bytes",
           &R::switchMemoryBytes,
           "what the slots of a switch take, all copies"),
        OfSketch("sketch_ratio", &S::ratio, "rows per counter row, over all exchanges"),
        OfSketch("sketch_load", &S::load, "expected load of the exchange with most"),
        OfSketch("peeling_rounds", &S::rounds, "expected rounds of the exchange with most"),
        OfSketch("set_values", &S::markedValues, "values set on some worker, mean per iteration"),
        OfSketch("estimated_values",
                 &S::estimatedValues,
                 "of the set values, those that were not decoded but estimated"),
        Of("loses",
           &R::loses,
           "what keeps its sums from being those of fp32 additions, and how much; or none"),
        Digits("sum_error_max",
               &R::sumErrorMax,
               "largest distance from the sum in fp64, or from what was sent where nothing is "
               "added; with "
               "values only"),
        Digits("sum_error_mean",
               &R::sumErrorMean,
               "mean distance from the sum in fp64; with values only"),
        Digits("sum_vnmse",
               &R::sumVnmse,
               "squared distances from the sum in fp64 / squared sums, over all values; inf: the "
               "sums are zeros; with values only"),
        Digits("sum_cosine",
               &R::sumCosine,
               "cosine of the angle between what workers hold and the sums in fp64: 1 if both are "
               "zeros, 0 if one is; with values only"),
        Digits("replica_difference_max",
               &R::replicaDifferenceMax,
               "largest distance between two workers' copies; with values only"),
        Of("sums_depend_on_order",
           &R::sumsDependOnOrder,
           "yes: sums are rounded in the order in which packets arrive; no: another order gives "
           "the same bits"),
        Of("values_in_frames",
           &R::valuesInFrames,
           "true: frames carried the values; false: they were replayed beside sizes"),
        Of("picked",
           &R::picked,
           "exchanges of an iteration that exchange.library picked: which, how many"),
        Digits("packet_level_share",
               &R::packetLevelShare,
               "of all frames, those that were simulated by themselves"),
        Of("exact", &R::exact, "true: all results are those of packet level, to the picosecond"),
    };
    return Joined({times, ShareColumns(), others});
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

using Words = std::pair<std::string_view, std::string_view>;

/** What the columns of a row's head mean. */
constexpr Words g_sweepMeanings[] = {
    {"label", "of the point's system"},
    {"point", "number in its sweep, from 1"},
    {"status", "done, refused, failed or timeout"},
    {g_warnings, "what there is to say of the run, or why it is not done"},
    {GAIN_COLUMN, "iteration time of the system of --against at the same point / iteration time"},
    {GAIN_LOW_COLUMN,
     "of cluster.preset: the same of the ends of both ranges; below 1 and gain_high above 1: "
     "undecided"},
    {GAIN_HIGH_COLUMN, "the same, the other end"}};

/** The first that fits counts. */
constexpr ColumnUnit g_units[] = {
    {"_bytes_per_s", "B/s", "B/s"},
    {"_values_per_s", "values/s", "values/s"},
    {"_bits_per_value", "bits/value"},
    {"_per_s", "1/s"},
    {"_gbps", "Gbit/s", "bit/s", 1e9},
    {"_mhz", "MHz", "Hz", 1e6},
    {"_bytes", "B", "B"},
    {"_bits", "bits"},
    {"_cycles", "cycles"},
    {"_frames", "frames"},
    {"_percent", "%"},
    {"_ns", "ns", "s", 1e-9},
    {"_us", "us", "s", 1e-6},
    {"_s", "s", "s"},
};
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
    return isLiteral ? cell.text : JsonText(nlohmann::json(cell.text));
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

std::string
MeaningOfColumn(std::string_view name)
{
    for (const auto& [column, meaning] : g_sweepMeanings)
    {
        if (column == name)
        {
            return std::string(meaning);
        }
    }
    const auto found = std::find_if(ResultColumns().begin(),
                                    ResultColumns().end(),
                                    [name](const auto& column) { return column.name == name; });
    return found == ResultColumns().end() ? std::string() : found->meaning;
}

const ColumnUnit*
FindColumnUnit(std::string_view name)
{
    const auto* const found =
        std::find_if(std::begin(g_units), std::end(g_units), [name](const ColumnUnit& unit) {
            const auto length = unit.ending.size();
            return name.size() > length && name.substr(name.size() - length) == unit.ending;
        });
    return found == std::end(g_units) ? nullptr : found;
}

std::string
FigureColumn(const std::string& column, const std::string& figure)
{
    const auto unit = UnitOfColumn(column).empty() ? column.size() : column.rfind('_');
    return column.substr(0, unit) + "_" + figure + column.substr(unit);
}

std::string
UnitOfColumn(std::string_view name)
{
    const auto* const unit = FindColumnUnit(name);
    return unit == nullptr ? "" : std::string(unit->unit);
}

Row
HeadCells(const RowHead& head)
{
    return {{"label", head.label, true},
            {"point", TextOf(head.point)},
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
