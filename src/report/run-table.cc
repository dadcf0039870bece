/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/run-table.h"

#include "base/printable.h"
#include "base/units.h"
#include "record/share-parts.h"
#include "report/text-table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr int g_valueWidth = 12;
constexpr int g_barWidth = 40;
constexpr std::size_t g_mostSteps = 8;

std::string
Heading(const char* text, const TableInk& ink)
{
    return "\n" + ink(text, TableColour::HEADING) + "\n";
}

template <class Number>
std::string
LineIfGiven(std::string_view label, const std::optional<Number>& value, const char* format)
{
    return value ? TableLine(label, fmt::format(fmt::runtime(format), *value)) : std::string();
}

std::string
TimeIfGiven(std::string_view label, const std::optional<std::int64_t>& ps)
{
    return ps ? TableLine(label, HumanPicoseconds(*ps)) : std::string();
}

/** "alexnet, ring, codec inceptionn (bound 2^-10), 4 workers at 10 Gbit/s" */
std::string
Title(const RunRecord& r, const TableInk& ink)
{
    const auto bound = r.Setting("bound_bits");
    const auto title = fmt::format("{}, {}, codec {}{}, {} workers at {} Gbit/s",
                                   r.Setting("trace"),
                                   r.Setting("exchange"),
                                   r.Setting("codec"),
                                   bound.empty() ? "" : " (bound 2^-" + bound + ")",
                                   r.Setting("workers"),
                                   r.Setting("bandwidth_gbps"));
    return ink(Printable(title), TableColour::HEADING) + "\n\n";
}

std::string
IterationLines(const RunRecord& r)
{
    const auto& results = r.results;
    auto text = TableLine("iteration time", HumanPicoseconds(results.iterationTimePs));
    if (results.measuredIterations > 1 && results.iterationTimeMinPs &&
        results.iterationTimeP50Ps && results.iterationTimeP99Ps)
    {
        text += TableLine(fmt::format("  over {} iterations", results.measuredIterations),
                          fmt::format("min {}, median {}, p99 {}",
                                      HumanPicoseconds(*results.iterationTimeMinPs),
                                      HumanPicoseconds(*results.iterationTimeP50Ps),
                                      HumanPicoseconds(*results.iterationTimeP99Ps)));
    }
    if (results.lowerBoundPs)
    {
        text += TableLine("lower bound",
                          fmt::format("{}, limited by {}",
                                      HumanPicoseconds(*results.lowerBoundPs),
                                      results.limitedBy));
    }
    text += LineIfGiven("throughput", results.samplesPerSecond, "{:.1f} samples/s");
    if (results.scalingEfficiency)
    {
        text += TableLine("scaling efficiency",
                          fmt::format("{:.1f} % of one worker", *results.scalingEfficiency * 100));
    }
    return text;
}

/** One part of the breakdown, per iteration, with its share and a bar. */
std::string
ShareLine(const char* name, std::int64_t ps, const RunResults& results, const TableInk& ink)
{
    const auto total = results.shares.TotalPs();
    const double share = total == 0 ? 0 : static_cast<double>(ps) / static_cast<double>(total);
    const auto bar = static_cast<std::size_t>(share * g_barWidth + 0.5);
    return fmt::format("  {:<{}}{:<{}}{:>5.1f} %{}{}\n",
                       name,
                       TABLE_LABEL_WIDTH,
                       HumanPicoseconds(ps / results.measuredIterations),
                       g_valueWidth,
                       share * 100,
                       bar == 0 ? "" : "  ",
                       ink(std::string(bar, '#'), TableColour::BAR));
}

std::string
BreakdownLines(const RunResults& results, const TableInk& ink)
{
    auto text = Heading("where the time goes, on the worker that ends last", ink);
    for (const auto& part : g_shareParts)
    {
        const auto ps = results.shares.*part.ps;
        text += ps == 0 ? "" : ShareLine(part.name, ps, results, ink);
    }
    return text;
}

/** " in 3 iterations": bytes are totals, warm-up included, beside times that are means. */
std::string
InIterations(const RunRecord& r)
{
    const auto iterations = r.Setting("iterations");
    return iterations.empty() || iterations == "1" ? "" : " in " + iterations + " iterations";
}

std::string
ExchangeLines(const RunRecord& r, const TableInk& ink)
{
    const auto& results = r.results;
    const auto iterations = InIterations(r);
    auto text = Heading("exchange", ink) + TimeIfGiven("time", results.exchangeTimePs);
    if (!results.communicationLimitedBy.empty())
    {
        text += TableLine("  limited by", results.communicationLimitedBy);
    }
    text += TableLine("buckets", std::to_string(results.buckets));
    text +=
        LineIfGiven("aggregation throughput", results.aggregationThroughputGbps, "{:.3f} Gbit/s");
    text += LineIfGiven("algbw", results.algbwGbps, "{:.3f} Gbit/s");
    text += LineIfGiven("busbw", results.busbwGbps, "{:.3f} Gbit/s");
    text += TableLine("plain payload", HumanBytes(results.plainBytes) + iterations);
    text += TableLine("on the wire",
                      HumanBytes(results.wireBytes) + " in whole frames" +
                          (iterations.empty() ? "" : "," + iterations));
    text += LineIfGiven("compression ratio", results.achievedRatio, "{:.3f}");
    return text;
}

std::string
RatioText(const StepRatio& step)
{
    const auto wireBytes = static_cast<double>(step.wireBytes);
    return step.wireBytes == 0
               ? "-"
               : fmt::format("{:.3f}", static_cast<double>(step.plainBytes) / wireBytes);
}

/** The first steps one by one; of the others, the first and the last. */
std::string
StepLines(const RunRecord& r)
{
    const auto shown = std::min(r.steps.size(), g_mostSteps);
    std::string text;
    for (std::size_t i = 0; i < shown; ++i)
    {
        text +=
            TableLine(fmt::format("  ratio of step {}", r.steps[i].step), RatioText(r.steps[i]));
    }
    if (shown < r.steps.size())
    {
        text += TableLine(fmt::format("  of {} more steps", r.steps.size() - shown),
                          RatioText(r.steps[shown]) + ".." + RatioText(r.steps.back()));
    }
    return text;
}

std::string
SketchLines(const RunRecord& record, const TableInk& ink)
{
    if (!record.results.sketch)
    {
        return "";
    }
    const auto& sketch = *record.results.sketch;
    const auto sharding = record.Setting("sharding");
    const bool isOfShards = !sharding.empty() && sharding != "none"; // each a sketch by itself
    auto text = Heading("homomorphic compression", ink) +
                TableLine(isOfShards ? "coded shards" : "coded exchanges",
                          fmt::format("{} of {}", sketch.coded, sketch.exchanges));
    text += LineIfGiven("ratio", sketch.ratio, "{:.4g} rows per counter row");
    if (sketch.coded > 0)
    {
        text += TableLine("load", fmt::format("{:.3g} at most", sketch.load));
        text += TableLine("rounds of peeling", fmt::format("{:.3g} at most", sketch.rounds));
        text += TableLine("estimated values",
                          fmt::format("{:.0f} of {:.0f} that are set, {}",
                                      sketch.estimatedValues,
                                      sketch.markedValues,
                                      sketch.counted ? "counted" : "expected"));
    }
    return text;
}

std::string
ErrorLines(const RunResults& results, const TableInk& ink)
{
    if (!results.sumErrorMax)
    {
        return "";
    }
    auto text = Heading("values, beside a sum in fp64", ink) +
                TableLine("largest error", fmt::format("{:.4g}", *results.sumErrorMax));
    text += LineIfGiven("mean error", results.sumErrorMean, "{:.4g}");
    text += LineIfGiven("largest replica difference", results.replicaDifferenceMax, "{:.4g}");
    if (results.valuesInFrames == false)
    {
        text += TableLine("verified", "by a replay beside the simulation");
    }
    return text;
}

/** Of the switches that add, the fullest. */
std::string
SwitchLines(const RunRecord& r)
{
    const auto fullest = std::max_element(
        r.switches.begin(), r.switches.end(), [](const SwitchRow& a, const SwitchRow& b) {
            return a.slotsPeak < b.slotsPeak;
        });
    if (fullest == r.switches.end())
    {
        return "";
    }
    return TableLine(
               "slots in use at most",
               fmt::format("{} of {}, {}", fullest->slotsPeak, fullest->slots, fullest->name)) +
           (r.results.slotsNeeded
                ? TableLine("slots to fill the link", std::to_string(*r.results.slotsNeeded))
                : "") +
           TableLine("memory of a switch", HumanBytes(fullest->memoryBytes));
}

std::string
LinkLines(const RunRecord& r, const TableInk& ink)
{
    const auto& results = r.results;
    auto text = Heading("network", ink);
    const auto busiest =
        std::max_element(r.links.begin(), r.links.end(), [](const LinkRow& a, const LinkRow& b) {
            return a.utilisation < b.utilisation;
        });
    if (busiest != r.links.end())
    {
        text += TableLine("busiest link",
                          fmt::format("{}, {:.1f} % of the time, {}",
                                      busiest->link,
                                      busiest->utilisation * 100,
                                      HumanBytes(busiest->wireBytes)));
    }
    text += TableLine("largest queue", HumanBytes(results.largestQueueBytes));
    text += SwitchLines(r);
    text += TableLine("frames dropped", std::to_string(results.drops));
    return text + TableLine("frames sent again", std::to_string(results.retransmitted));
}

std::string
Simulated(const RunRecord& r)
{
    const auto& results = r.results;
    if (results.simulatedRanks < results.ranks)
    {
        const bool areWorkers = std::to_string(results.ranks) == r.Setting("workers");
        return fmt::format("{} of {} {}, which {}",
                           results.simulatedRanks,
                           results.ranks,
                           areWorkers ? "workers" : "workers and servers",
                           results.simulatedRanks == 1 ? "all do the same"
                                                       : "do what all others do");
    }
    return "all, but for what repeats itself";
}

std::string
Nearness(const RunResults& results)
{
    if (results.exact)
    {
        return "the same, to the picosecond";
    }
    return results.simulatedRanks < results.ranks
               ? "nearly the same; inca run --check tells"
               : "some per cent off where transfers meet; inca run --check tells";
}

/** Where not every frame was simulated by itself. */
std::string
SimulationLines(const RunRecord& r, const TableInk& ink)
{
    const auto& results = r.results;
    if (results.packetLevelShare == 1)
    {
        return "";
    }
    return Heading("simulation", ink) + TableLine("simulated", Simulated(r)) +
           TableLine("frames one by one", fmt::format("{:.3g} %", results.packetLevelShare * 100)) +
           TableLine("against packet level", Nearness(results));
}

std::string
WarningLines(const RunRecord& r, const TableInk& ink)
{
    const auto warnings = AllWarnings(r);
    auto text = warnings.empty() ? "" : "\n" + ink("warnings\n", TableColour::WARNING);
    for (const auto& warning : warnings)
    {
        text += ink("  " + Printable(warning) + "\n", TableColour::WARNING);
    }
    return text;
}

std::string
ErrorText(double error)
{
    return error == 0 ? "the same" : fmt::format("{:.2g} % off", error * 100);
}

} // namespace

std::string
FormatRunTable(const RunRecord& record, const TableInk& ink)
{
    return Title(record, ink) + IterationLines(record) + BreakdownLines(record.results, ink) +
           ExchangeLines(record, ink) + StepLines(record) + SketchLines(record, ink) +
           ErrorLines(record.results, ink) + LinkLines(record, ink) + SimulationLines(record, ink) +
           WarningLines(record, ink);
}

std::string
FormatPrecision(const Precision& precision, bool exact)
{
    auto text = "\nchecked against packet level\n" +
                TableLine("iteration time", ErrorText(precision.iterationError)) +
                TableLine("communication", ErrorText(precision.communicationError)) +
                TableLine("exchange time", ErrorText(precision.exchangeError)) +
                TableLine("bytes and frames", precision.sameCounts ? "the same" : "differ") +
                TableLine("columns that differ",
                          precision.differing.empty()
                              ? "none"
                              : fmt::format("{}", fmt::join(precision.differing, ", ")));
    return text + TableLine("verdict",
                            precision.IsSound(exact) ? "within its bounds" : "BEYOND ITS BOUNDS");
}

} // namespace inca
