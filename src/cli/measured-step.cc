/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/measured-step.h"

#include "codec/inceptionn-widths.h"
#include "codec/peeling-forecast.h"
#include "record/csv-text.h"
#include "report/text-table.h"
#include "trace/layer-statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace inca
{

namespace
{

constexpr double g_percent = 100;
constexpr std::array<unsigned, 3> g_bounds{10, 8, 6}; ///< those that INCEPTIONN was evaluated with
constexpr const char* g_allLayers = "all layers";

std::string
Percent(const std::optional<double>& share)
{
    return share ? fmt::format("{:.4g} %", *share * g_percent) : "-";
}

std::string
Figure(const std::optional<double>& value)
{
    return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string
CsvFigure(const std::optional<double>& value)
{
    return value ? NineDigits(*value) : "";
}

/** 32 bits over the mean encoded width of single gradients. */
double
InceptionnRatio(const ValueCounts& counts, unsigned bound)
{
    constexpr double plainBits = 32;
    const auto total = static_cast<double>(counts.elements) * counts.workers;
    ValueStatistics values;
    for (unsigned exponent = 0; exponent < counts.exponents.size(); ++exponent)
    {
        values.exponents.emplace_back(exponent,
                                      static_cast<double>(counts.exponents[exponent]) / total);
    }
    return plainBits / MeanWidthBits(SharesAtBound(values, bound).value_or(WidthShares{1}));
}

/** What the homomorphic codec makes of the values as one bucket, with an index of a bit per value. */
struct Sketch
{
    std::optional<double> ratio;     ///< the largest safe one; empty: none is safe
    std::optional<double> reduction; ///< plain bytes over the stream's
};

Sketch
SketchAt(std::uint64_t values, double unionDensity)
{
    HomomorphicSettings settings;
    const auto rows = ShapeOf(settings, values).rows;
    const auto ratio = TellableSafeRatio(rows, FoundDensity(settings, unionDensity));
    if (!ratio)
    {
        return {};
    }
    settings.ratio = *ratio;
    const auto bytes = static_cast<double>(ShapeOf(settings, values).Bytes());
    return {ratio, static_cast<double>(values * sizeof(float)) / bytes};
}

double
UnionOf(const MeasuredLine& line)
{
    return line.statistics.unionDensity.value_or(line.statistics.density.value_or(0));
}

std::vector<std::string>
TextCells(const MeasuredLine& line, bool withLayers)
{
    const auto& statistics = line.statistics;
    std::vector<std::string> cells{line.step.empty() ? "-" : line.step};
    if (withLayers)
    {
        cells.push_back(line.layer);
    }
    for (const auto& text : {Percent(statistics.density),
                             Percent(statistics.unionDensity),
                             statistics.unionDensity ? Percent(line.independentUnion) : "-",
                             Percent(statistics.blockDensity),
                             Percent(statistics.unionBlockDensity),
                             fmt::format("{:.3g}", line.counts.Rms())})
    {
        cells.push_back(text);
    }
    for (const auto bound : g_bounds)
    {
        cells.push_back(Figure(InceptionnRatio(line.counts, bound)));
    }
    const auto sketch = SketchAt(line.counts.elements, UnionOf(line));
    cells.push_back(Figure(sketch.ratio));
    cells.push_back(Figure(sketch.reduction));
    return cells;
}

std::vector<std::string>
CsvCells(const MeasuredLine& line)
{
    const auto& [step, layer, counts, statistics, independentUnion] = line;
    const auto exponent = FitUnionExponent(statistics, counts.workers);
    std::vector<std::string> cells{step,
                                   layer,
                                   std::to_string(counts.workers),
                                   std::to_string(counts.elements),
                                   CsvFigure(statistics.density),
                                   CsvFigure(statistics.unionDensity),
                                   statistics.unionDensity ? NineDigits(independentUnion) : "",
                                   CsvFigure(layer == g_allLayers ? std::nullopt : exponent),
                                   CsvFigure(statistics.blockDensity),
                                   CsvFigure(statistics.unionBlockDensity),
                                   NineDigits(counts.Rms())};
    for (const auto bound : g_bounds)
    {
        cells.push_back(NineDigits(InceptionnRatio(counts, bound)));
    }
    const auto sketch = SketchAt(counts.elements, UnionOf(line));
    cells.push_back(CsvFigure(sketch.ratio));
    cells.push_back(CsvFigure(sketch.reduction));
    return cells;
}

MeasuredLine
LineOf(const std::string& step, const std::string& layer, const ValueCounts& counts)
{
    const auto statistics = StatisticsOf(counts);
    const auto independent = UnionDensity(statistics.density.value_or(0), counts.workers, 1);
    return {step, layer, counts, statistics, independent};
}

} // namespace

std::vector<MeasuredLine>
LinesOf(const StepFiles& files, const GradientTrace& trace, const std::vector<ValueCounts>& counts)
{
    const auto step = files.step ? std::to_string(*files.step) : "";
    std::vector<MeasuredLine> lines;
    ValueCounts all;
    double independentValues = 0;
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        lines.push_back(LineOf(step, trace.layers[i].name, counts[i]));
        all.Add(counts[i]);
        independentValues +=
            lines.back().independentUnion * static_cast<double>(counts[i].elements);
    }
    lines.push_back(LineOf(step, g_allLayers, all));
    // layers differ: what they have together is not what one of their mean density would have
    lines.back().independentUnion = independentValues / static_cast<double>(all.elements);
    return lines;
}

std::string
MeasuredText(const std::vector<MeasuredLine>& lines, bool withLayers)
{
    std::vector<std::string> titles{"step"};
    if (withLayers)
    {
        titles.emplace_back("layer");
    }
    for (const auto* title : {"density",
                              "union",
                              "if independent",
                              "blocks",
                              "union of blocks",
                              "rms",
                              "inceptionn 2^-10",
                              "2^-8",
                              "2^-6",
                              "safe ratio",
                              "reduction"})
    {
        titles.emplace_back(title);
    }
    TextTable table(titles, withLayers ? 2 : 0);
    for (const auto& line : lines)
    {
        if (withLayers || line.layer == g_allLayers)
        {
            table.AddRow(TextCells(line, withLayers));
        }
    }
    return table.Text();
}

std::string
MeasuredCsv(const std::vector<MeasuredLine>& lines)
{
    std::vector<std::string> columns{"step",
                                     "layer",
                                     "workers",
                                     "elements",
                                     "worker_density",
                                     "union_density",
                                     "independent_union_density",
                                     "fitted_union_exponent",
                                     "block_density",
                                     "union_block_density",
                                     "rms"};
    for (const auto bound : g_bounds)
    {
        columns.push_back(fmt::format("inceptionn_b{}_ratio", bound));
    }
    columns.emplace_back("homomorphic_safe_ratio");
    columns.emplace_back("homomorphic_reduction");
    auto text = CsvLine(columns);
    for (const auto& line : lines)
    {
        text += CsvLine(CsvCells(line));
    }
    return text;
}

} // namespace inca
