/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/value-text.h"
#include "base/whole-file.h"
#include "cli/measured-step.h"
#include "cli/scenario-options.h"
#include "cli/trace-commands.h"
#include "report/progress.h"
#include "trace/native-trace.h"
#include "trace/value-source.h"
#include "trace/trace-catalog.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr const char* g_stepPlace = "{step}";
constexpr const char* g_note = "statistics";

struct MeasureOptions
{
    std::vector<std::string> values;
    std::string trace;
    std::string out;
    std::string csv;
    std::string topK;
    bool withLayers{false};
};

/** What there is to measure, and in which layers. */
struct Measurement
{
    GradientTrace trace; ///< without times if the user named none
    std::vector<StepFiles> steps;
    SparsifySpec sparsify;
};

SparsifySpec
SparsifyOption(const std::string& topK)
{
    if (topK.empty())
    {
        return {};
    }
    try
    {
        return {"top-k", ParseSomeShare(topK)};
    }
    catch (const UnitError& error)
    {
        throw InputError(std::string("--top-k: ") + error.what());
    }
}

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

/** @throws InputError if steps have other tensors than the first step */
Measurement
Prepare(const MeasureOptions& options)
{
    Measurement measurement;
    measurement.sparsify = SparsifyOption(options.topK);
    measurement.steps = FindStepFiles(options.values);
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
NoteOf(const Measurement& measurement, const StepFiles& step)
{
    const auto gradients =
        step.step ? fmt::format("the gradients of step {}", *step.step) : std::string("gradients");
    const auto kept = measurement.sparsify.method == "none"
                          ? ""
                          : fmt::format(", of each layer the share {} of largest values",
                                        DecimalText(measurement.sparsify.density));
    return fmt::format("measured in {} of {} worker{}{}",
                       gradients,
                       step.paths.size(),
                       step.paths.size() == 1 ? "" : "s",
                       kept);
}

/** The trace with the statistics of a step instead of any that it had. */
GradientTrace
TraceOf(const Measurement& measurement,
        const StepFiles& step,
        const std::vector<ValueCounts>& counts)
{
    auto trace = measurement.trace;
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        trace.layers[i].statistics = StatisticsOf(counts[i]);
    }
    trace.statsWorkers = step.paths.size() > 1
                             ? std::optional(static_cast<std::uint32_t>(step.paths.size()))
                             : std::nullopt;
    auto& notes = trace.notes;
    notes.erase(std::remove_if(notes.begin(),
                               notes.end(),
                               [](const auto& note) { return note.first == g_note; }),
                notes.end());
    notes.emplace_back(g_note, NoteOf(measurement, step));
    return trace;
}

/** @throws InputError unless -o goes with the rest */
void
CheckOut(const MeasureOptions& options, const std::vector<StepFiles>& steps)
{
    if (options.out.empty())
    {
        return;
    }
    if (options.trace.empty())
    {
        throw InputError("-o: a trace has times, too, which values do not tell: name the one that "
                         "has them, --trace FILE");
    }
    const bool hasPlace = options.out.find(g_stepPlace) != std::string::npos;
    if (!hasPlace && steps.size() > 1)
    {
        throw InputError(fmt::format("-o: {}: there are {} steps, and one trace each: put {} into "
                                     "its name",
                                     options.out,
                                     steps.size(),
                                     g_stepPlace));
    }
    if (hasPlace && !steps.front().step)
    {
        throw InputError(fmt::format("-o: {}: the files do not tell their step", options.out));
    }
}

std::string
OutOf(std::string out, const StepFiles& step)
{
    const std::string place = g_stepPlace;
    for (auto at = out.find(place); at != std::string::npos; at = out.find(place))
    {
        out.replace(at, place.size(), std::to_string(*step.step));
    }
    return out;
}

/** @throws InputError if a file could not be written in the end, or two are the same */
void
CheckPlaces(const MeasureOptions& options, const std::vector<StepFiles>& steps)
{
    for (const auto& step : steps)
    {
        if (!options.csv.empty() && !options.out.empty() && OutOf(options.out, step) == options.csv)
        {
            throw InputError("-o and --csv: both are " + options.csv);
        }
    }
    if (!options.csv.empty())
    {
        const WholeFile place(options.csv);
    }
    if (!options.out.empty())
    {
        const WholeFile place(OutOf(options.out, steps.front()));
    }
}

std::string
Heading(const Measurement& measurement)
{
    const auto& trace = measurement.trace;
    const auto& steps = measurement.steps;
    const auto workers = steps.front().paths.size();
    const bool areAlike = std::all_of(
        steps.begin(), steps.end(), [&](const auto& step) { return step.paths.size() == workers; });
    const auto kept = measurement.sparsify.method == "none"
                          ? ""
                          : fmt::format("; the largest {:.4g} % of each layer",
                                        measurement.sparsify.density * 100);
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
    CheckOut(options, measurement.steps);
    CheckPlaces(options, measurement.steps);
    const auto trace = std::make_shared<const GradientTrace>(measurement.trace);
    Progress progress("measuring");
    std::vector<MeasuredLine> lines;
    std::vector<FileText> files;
    std::size_t done = 0;
    for (const auto& step : measurement.steps)
    {
        const auto values =
            MakeSparsifiedValues(MakeFileValues(trace, step.paths), trace, measurement.sparsify);
        const auto counts = CountValues(*values, *trace, step.paths);
        const auto ofStep = LinesOf(step, *trace, counts);
        lines.insert(lines.end(), ofStep.begin(), ofStep.end());
        if (!options.out.empty())
        {
            files.push_back(
                {OutOf(options.out, step), FormatTrace(TraceOf(measurement, step, counts))});
        }
        ++done;
        progress.Update(static_cast<double>(done) / static_cast<double>(measurement.steps.size()));
    }
    progress.Done();
    if (!options.csv.empty())
    {
        files.push_back({options.csv, MeasuredCsv(lines)});
    }
    WriteWholeFiles(files);
    fmt::print("{}",
               PrintableLines(Heading(measurement) + MeasuredText(lines, options.withLayers)));
}

} // namespace

void
AddTraceMeasure(CLI::App& trace)
{
    auto& command = *trace.add_subcommand(
        "measure", "densities, unions and exponents of gradients in files, step by step");
    const auto options = std::make_shared<MeasureOptions>();
    command
        .add_option("VALUES",
                    options->values,
                    "safetensors files, one per worker and step; {worker} and {step} in a path "
                    "stand for all numbers that are there")
        ->required();
    command
        .add_option("--trace", options->trace, "the trace whose layers these are: a name or a path")
        ->type_name("NAME|FILE");
    command
        .add_option("-o,--out",
                    options->out,
                    "writes that trace with the statistics measured, one for each {step}")
        ->type_name("FILE");
    command.add_option("--csv", options->csv, "writes every layer of every step to this CSV file")
        ->type_name("FILE");
    command
        .add_option("--top-k",
                    options->topK,
                    "measures what is left of each layer and worker when only this share is kept, "
                    "the largest values")
        ->type_name("SHARE");
    command.add_flag("--layers", options->withLayers, "prints every layer, too");
    command.callback([options] { Measure(*options); });
}

} // namespace inca
