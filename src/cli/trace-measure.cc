/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "codec/inceptionn-widths.h"
#include "report/text-table.h"
#include "trace/layer-statistics.h"
#include "trace/native-trace.h"
#include "trace/trace-catalog.h"
#include "trace/value-counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr const char* NOTE = "statistics";
constexpr unsigned g_bounds[]{10, 8, 6}; ///< those that INCEPTIONN was evaluated with

struct MeasureOptions
{
    std::vector<std::string> values;
    std::string trace;
    std::string out;
};

/** The trace with the statistics that were measured instead of any that it had. */
GradientTrace
TraceOf(GradientTrace trace, const std::vector<ValueCounts>& counts)
{
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        trace.layers[i].statistics = StatisticsOf(counts[i]);
    }
    const auto workers = counts.front().workers;
    trace.statsWorkers = workers > 1 ? std::optional(workers) : std::nullopt;
    auto& notes = trace.notes;
    notes.erase(std::remove_if(notes.begin(),
                               notes.end(),
                               [](const auto& note) { return note.first == NOTE; }),
                notes.end());
    notes.emplace_back(
        NOTE,
        fmt::format("measured in gradients of {} worker{}", workers, workers == 1 ? "" : "s"));
    return trace;
}

/** 32 bits over the mean encoded width of single gradients. */
double
InceptionnRatio(const ValueCounts& counts, unsigned bound)
{
    constexpr double PLAIN_BITS = 32;
    const auto total = static_cast<double>(counts.elements) * counts.workers;
    ValueStatistics values;
    for (unsigned exponent = 0; exponent < counts.exponents.size(); ++exponent)
    {
        values.exponents.emplace_back(exponent,
                                      static_cast<double>(counts.exponents[exponent]) / total);
    }
    return PLAIN_BITS / MeanWidthBits(SharesAtBound(values, bound).value_or(WidthShares{1}));
}

std::string
ShareText(std::optional<double> share)
{
    return share ? fmt::format("{:.4g} %", *share * g_percent) : "-";
}

/** @param independentUnion the union's density if workers' positions were independent */
void
AddLayerRow(TextTable& table,
            const std::string& layer,
            const ValueCounts& counts,
            double independentUnion)
{
    const auto statistics = StatisticsOf(counts);
    std::vector<std::string> row{layer,
                                 ShareText(statistics.density),
                                 ShareText(statistics.unionDensity),
                                 statistics.unionDensity ? ShareText(independentUnion) : "-"};
    for (const auto bound : g_bounds)
    {
        row.push_back(fmt::format("{:.3f}", InceptionnRatio(counts, bound)));
    }
    table.AddRow(row);
}

/** A row for each layer, and one for all of them. */
std::string
TableOf(const GradientTrace& trace, const std::vector<ValueCounts>& counts)
{
    TextTable table(
        {"layer", "density", "union", "if independent", "inceptionn 2^-10", "2^-8", "2^-6"}, 1);
    ValueCounts all;
    double independentValues = 0; // of layers, which differ: that of their mean density is another
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        const auto independent =
            UnionDensity(StatisticsOf(counts[i]).density.value_or(0), counts[i].workers, 1);
        AddLayerRow(table, trace.layers[i].name, counts[i], independent);
        independentValues += independent * static_cast<double>(counts[i].elements);
        all.Add(counts[i]);
    }
    AddLayerRow(table, "all layers", all, independentValues / static_cast<double>(all.elements));
    return table.Text();
}

void
MeasureTrace(const MeasureOptions& options)
{
    if (!options.out.empty() && options.trace.empty())
    {
        throw InputError("-o: a trace has times, too, which values do not say: name the one that "
                         "has them, --trace FILE");
    }
    const auto trace = std::make_shared<const GradientTrace>(
        options.trace.empty() ? LayersOfFile(options.values.front()) : FindTrace(options.trace));
    const auto counts = CountValues(*MakeFileValues(trace, options.values), *trace, options.values);
    if (!options.out.empty())
    {
        WriteTrace(TraceOf(*trace, counts), options.out);
    }
    const auto workers = options.values.size();
    fmt::print("{}",
               PrintableLines(fmt::format("{} layer{}, {} values, {}; {} worker{}\n\n{}",
                                          trace->layers.size(),
                                          trace->layers.size() == 1 ? "" : "s",
                                          trace->Elements(),
                                          HumanBytes(trace->Elements() * sizeof(float)),
                                          workers,
                                          workers == 1 ? "" : "s",
                                          TableOf(*trace, counts))));
}

} // namespace

void
AddTraceMeasure(CLI::App& trace)
{
    auto& command =
        *trace.add_subcommand("measure", "densities, unions and exponents of gradients in files");
    const OptionAdder add(command);
    const auto options = std::make_shared<MeasureOptions>();
    command
        .add_option("VALUES",
                    options->values,
                    "safetensors files of the same step's gradients, one per worker")
        ->required();
    add("--trace NAME|FILE", options->trace, "the trace whose layers these are: a name or a path");
    add("-o,--out FILE", options->out, "writes that trace with the statistics measured");
    command.callback([options] { MeasureTrace(*options); });
}

} // namespace inca
