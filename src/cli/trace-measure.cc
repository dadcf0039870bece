/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/value-form.h"
#include "cli/commands.h"
#include "cli/figures.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "codec/inceptionn-widths.h"
#include "codec/peeling-forecast.h"
#include "report/progress.h"
#include "trace/layer-statistics.h"
#include "trace/native-trace.h"
#include "trace/step-files.h"
#include "trace/trace-catalog.h"
#include "trace/value-counts.h"
#include "trace/value-source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr const char* g_note = "statistics";

using Figures = std::vector<Figure>; // a row

struct MeasureOptions
{
    std::vector<std::string> values;
    std::string trace;
    std::string out;
    std::string csv;
    SparsifySpec sparsify; ///< by --top-k
    bool withLayers{false};
};

/** What there is to measure, and in which layers. */
struct Measurement
{
    GradientTrace trace; ///< without times if the user named none
    std::vector<StepFiles> steps;
    std::vector<std::string> outs; ///< of -o, by step; none: it is not given
};

/** Tells of tensors that are no layers, because nothing is dropped without a word. */
void
WarnOfOthers(const GradientTrace& trace, const GradientTrace& tensors)
{
    std::set<std::string> names;
    for (const auto& layer : trace.layers)
    {
        names.insert(layer.name);
    }
    std::string others;
    for (const auto& tensor : tensors.layers)
    {
        others += names.count(tensor.name) == 0 ? (others.empty() ? "" : ", ") + tensor.name : "";
    }
    if (!others.empty())
    {
        Warn({"no layers of trace '" + trace.name + "', and left out: " + others});
    }
}

std::string
NoteOf(const StepFiles& step, const SparsifySpec& sparsify)
{
    const auto gradients =
        step.step ? fmt::format("the gradients of step {}", *step.step) : std::string("gradients");
    const auto kept = sparsify.method == "none"
                          ? ""
                          : fmt::format(", of each layer the share {} of largest values",
                                        DecimalText(sparsify.density));
    return fmt::format("measured in {} of {} worker{}{}",
                       gradients,
                       step.paths.size(),
                       step.paths.size() == 1 ? "" : "s",
                       kept);
}

/** The trace with the statistics of a step instead of any that it had. */
GradientTrace
TraceOf(GradientTrace trace,
        const StepFiles& step,
        const MeasureOptions& options,
        const std::vector<ValueCounts>& counts)
{
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        trace.layers[i].statistics = StatisticsOf(counts[i]);
    }
    const auto workers = static_cast<std::uint32_t>(step.paths.size());
    trace.statsWorkers = workers > 1 ? std::optional(workers) : std::nullopt;
    auto& notes = trace.notes;
    notes.erase(std::remove_if(notes.begin(),
                               notes.end(),
                               [](const auto& note) { return note.first == g_note; }),
                notes.end());
    notes.emplace_back(g_note, NoteOf(step, options.sparsify));
    return trace;
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
    const auto ratio = RoundedSafeRatio(rows, FoundDensity(settings, unionDensity));
    if (!ratio)
    {
        return {};
    }
    settings.ratio = *ratio;
    const auto bytes = static_cast<double>(ShapeOf(settings, values).Bytes());
    return {ratio, static_cast<double>(values * sizeof(float)) / bytes};
}

/**
 * A row of what is printed and written (docs/formats.md, "Measured values").
 * @param layer empty: all layers of the step together
 * @param independentUnion the union's density if workers' positions were independent
 */
Figures
FiguresOf(const StepFiles& step,
          const std::string& layer,
          const ValueCounts& counts,
          double independentUnion)
{
    const auto statistics = StatisticsOf(counts);
    const auto density = statistics.density;
    const auto unionDensity = statistics.unionDensity;
    const auto share = [](const char* title, const char* column, std::optional<double> value) {
        return NumberFigure(title, column, "{:.4g} %", value, 100);
    };
    const auto name = step.step ? std::to_string(*step.step) : "";
    Figures figures{
        {"step", "step", name.empty() ? "-" : name, name},
        NameFigure("layer", "layer", layer.empty() ? "all layers" : layer),
        NameFigure("", "workers", std::to_string(counts.workers)),
        NameFigure("", "elements", std::to_string(counts.elements)),
        share("density", "worker_density", density),
        share("union", "union_density", unionDensity),
        share("if independent",
              "independent_union_density",
              unionDensity ? std::optional(independentUnion) : std::nullopt),
        NumberFigure("",
                     "fitted_union_exponent",
                     "{}",
                     layer.empty() ? std::nullopt : FitUnionExponent(statistics, counts.workers)),
        share("blocks", "block_density", statistics.blockDensity),
        share("union of blocks", "union_block_density", statistics.unionBlockDensity),
        NumberFigure("rms", "rms", "{:.3g}", counts.Rms())};
    const auto add = [&figures](const std::string& title,
                                const std::string& column,
                                const std::optional<double>& value) {
        figures.push_back(NumberFigure(title, column, "{:.3f}", value));
    };
    for (const auto bound : {10U, 8U, 6U}) // those that INCEPTIONN was evaluated with
    {
        add(fmt::format("{}2^-{}", bound == 10 ? "inceptionn " : "", bound),
            fmt::format("inceptionn_b{}_ratio", bound),
            InceptionnRatio(counts, bound));
    }
    const auto sketch = SketchAt(counts.elements, unionDensity.value_or(density.value_or(0)));
    add("safe ratio", "homomorphic_safe_ratio", sketch.ratio);
    add("reduction", "homomorphic_reduction", sketch.reduction);
    return figures;
}

/** Adds a row for each layer of a step, and one for all of them. */
void
AddRows(const StepFiles& step,
        const GradientTrace& trace,
        const std::vector<ValueCounts>& counts,
        std::vector<Figures>& rows)
{
    ValueCounts all;
    double independentValues = 0; // of layers, which differ: that of their mean density is another
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        const auto density = StatisticsOf(counts[i]).density.value_or(0);
        const auto independent = UnionDensity(density, counts[i].workers, 1);
        rows.push_back(FiguresOf(step, trace.layers[i].name, counts[i], independent));
        independentValues += independent * static_cast<double>(counts[i].elements);
        all.Add(counts[i]);
    }
    rows.push_back(FiguresOf(step, "", all, independentValues / static_cast<double>(all.elements)));
}

/** Of each step all layers together, or with @p withLayers every layer, too. */
std::string
TableOf(const std::vector<Figures>& rows, std::size_t layers, bool withLayers)
{
    std::vector<Figures> shown;
    for (std::size_t i = withLayers ? 0 : layers; i < rows.size(); i += withLayers ? 1 : layers + 1)
    {
        shown.push_back(rows[i]);
        shown.back()[1].title = withLayers ? "layer" : "";
    }
    return FiguresText(shown, withLayers ? 2 : 0);
}

/**
 * The traces that are written, by step.
 * @throws InputError if -o does not go with the rest, or a file could not be written in the end
 */
std::vector<std::string>
OutsOf(const MeasureOptions& options, const std::vector<StepFiles>& steps)
{
    const std::string place = "{step}";
    const bool hasPlace = options.out.find(place) != std::string::npos;
    if (options.out.empty())
    {
        return {};
    }
    if (options.trace.empty())
    {
        throw InputError("-o: a trace has times, too, which values do not tell: name the one that "
                         "has them, --trace FILE");
    }
    if (!hasPlace && steps.size() > 1)
    {
        throw InputError(fmt::format("-o: {}: there are {} steps, and one trace each: put {} into "
                                     "its name",
                                     options.out,
                                     steps.size(),
                                     place));
    }
    if (hasPlace && !steps.front().step)
    {
        throw InputError(fmt::format("-o: {}: the files do not tell their step", options.out));
    }
    std::vector<std::string> outs;
    for (const auto& step : steps)
    {
        auto out = options.out;
        for (auto at = out.find(place); at != std::string::npos; at = out.find(place))
        {
            out.replace(at, place.size(), std::to_string(*step.step));
        }
        if (out == options.csv)
        {
            throw InputError("-o and --csv: both are " + out);
        }
        outs.push_back(out);
    }
    const AtomicFile first(outs.front());
    return outs;
}

/** @throws InputError if steps have other tensors than the first step */
Measurement
Prepare(const MeasureOptions& options)
{
    Measurement measurement;
    measurement.steps = FindStepFiles(options.values);
    measurement.outs = OutsOf(options, measurement.steps);
    std::vector<std::string> all;
    for (const auto& step : measurement.steps)
    {
        all.insert(all.end(), step.paths.begin(), step.paths.end());
    }
    measurement.trace = LayersOfFiles(all);
    if (!options.trace.empty())
    {
        const auto trace = FindTrace(options.trace);
        WarnOfOthers(trace, measurement.trace);
        measurement.trace = trace;
    }
    return measurement;
}

std::string
Heading(const Measurement& measurement, const SparsifySpec& sparsify)
{
    const auto& trace = measurement.trace;
    const auto& steps = measurement.steps;
    const auto workers = steps.front().paths.size();
    const bool areAlike = std::all_of(
        steps.begin(), steps.end(), [&](const auto& step) { return step.paths.size() == workers; });
    const auto kept =
        sparsify.method == "none"
            ? ""
            : fmt::format("; the largest {:.4g} % of each layer", sparsify.density * 100);
    return fmt::format("{} layer{}, {} values, {}; {} step{}, {}{}\n\n",
                       trace.layers.size(),
                       trace.layers.size() == 1 ? "" : "s",
                       trace.Elements(),
                       HumanBytes(trace.Elements() * sizeof(float)),
                       steps.size(),
                       steps.size() == 1 ? "" : "s",
                       !areAlike      ? "with as many workers as each has"
                       : workers == 1 ? "one worker"
                                      : fmt::format("{} workers", workers),
                       kept);
}

void
Measure(const MeasureOptions& options)
{
    const auto measurement = Prepare(options);
    if (!options.csv.empty())
    {
        const AtomicFile place(options.csv);
    }
    const auto trace = std::make_shared<const GradientTrace>(measurement.trace);
    const auto& steps = measurement.steps;
    Progress progress("measuring");
    std::vector<Figures> rows;
    std::vector<FileText> files;
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const auto& paths = steps[i].paths;
        const auto values =
            MakeSparsifiedValues(MakeFileValues(trace, paths), trace, options.sparsify);
        const auto counts = CountValues(*values, *trace, paths);
        AddRows(steps[i], *trace, counts, rows);
        if (!options.out.empty())
        {
            files.push_back({measurement.outs[i],
                             FormatTrace(TraceOf(measurement.trace, steps[i], options, counts))});
        }
        progress.Update(static_cast<double>(i + 1) / static_cast<double>(steps.size()));
    }
    progress.Done();
    if (!options.csv.empty())
    {
        files.push_back({options.csv, FiguresCsv(rows)});
    }
    WriteAtomically(files);
    fmt::print("{}",
               PrintableLines(Heading(measurement, options.sparsify) +
                              TableOf(rows, trace->layers.size(), options.withLayers)));
}

} // namespace

void
AddTraceMeasure(CLI::App& trace)
{
    auto& command = *trace.add_subcommand(
        "measure", "densities, unions and exponents of gradients in files, step by step");
    const OptionAdder add(command);
    const auto options = std::make_shared<MeasureOptions>();
    command
        .add_option("VALUES",
                    options->values,
                    "safetensors files, one per worker and step; {worker} and {step} in a path "
                    "stand for all numbers that are there")
        ->required();
    add("--trace NAME|FILE", options->trace, "the trace whose layers these are: a name or a path");
    add("-o,--out FILE",
        options->out,
        "writes that trace with the statistics measured, one for each {step}");
    add("--csv FILE", options->csv, "writes every layer of every step to this CSV file");
    add(
        "--top-k SHARE",
        options->sparsify,
        [](const auto& text) {
            return SparsifySpec{"top-k", SomeShareForm().parse(text)};
        },
        "measures what is left of each layer and worker when only this share is kept, the "
        "largest values");
    add("--layers", options->withLayers, "prints every layer, too");
    command.callback([options] { Measure(*options); });
}

} // namespace inca
