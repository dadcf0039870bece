/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "codec/inceptionn-widths.h"
#include "record/csv-text.h"
#include "report/progress.h"
#include "report/text-table.h"
#include "trace/layer-statistics.h"
#include "trace/native-trace.h"
#include "trace/trace-catalog.h"
#include "trace/value-counts.h"
#include "trace/value-source.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* STEP = "{step}";
constexpr const char* WORKER = "{worker}";
constexpr const char* NOTE = "statistics";

/** A figure that was measured, or a name beside it: a cell of a table and of a CSV file. */
struct Figure
{
    std::string title;  ///< of the table's column; empty: the table has none of it
    std::string column; ///< of the CSV file
    std::string text;   ///< of the table's cell
    std::string csv;
};

using Figures = std::vector<Figure>; // a row

struct MeasureOptions
{
    std::string values;
    std::string trace;
    std::string out;
    std::string csv;
};

/** A step's number, nothing where the path has no {step}, and the file of each worker. */
using StepFiles = std::map<std::optional<std::uint64_t>, std::vector<std::string>>;

std::string
Replaced(std::string text, const std::string& place, std::uint64_t number)
{
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place))
    {
        text.replace(at, place.size(), std::to_string(number));
    }
    return text;
}

/** The files of worker 0, 1, ... as far as they are there; without a {worker}, one file. */
std::vector<std::string>
FilesOfWorkers(const std::string& path)
{
    std::vector<std::string> files;
    std::error_code error;
    while (fs::exists(Replaced(path, WORKER, files.size()), error) &&
           (files.empty() || path.find(WORKER) != std::string::npos))
    {
        files.push_back(Replaced(path, WORKER, files.size()));
    }
    return files;
}

/** @throws InputError if there is no file, or steps have different numbers of workers */
StepFiles
FindFiles(const std::string& path)
{
    StepFiles steps;
    const auto first = Replaced(path, WORKER, 0);
    const auto at = first.find(STEP);
    if (at == std::string::npos)
    {
        steps[std::nullopt] = FilesOfWorkers(path);
    }
    else
    {
        const auto begin = first.rfind('/', at) + 1; // npos + 1 is 0
        const auto prefix = first.substr(begin, at - begin);
        std::error_code error;
        for (const auto& entry :
             fs::directory_iterator(begin == 0 ? "." : first.substr(0, begin), error))
        {
            const auto name = entry.path().filename().string();
            std::uint64_t step = 0;
            const bool isNumber =
                name.compare(0, prefix.size(), prefix) == 0 &&
                std::from_chars(name.data() + prefix.size(), name.data() + name.size(), step).ec ==
                    std::errc{};
            if (auto files = FilesOfWorkers(Replaced(path, STEP, step)); isNumber && !files.empty())
            {
                steps[step] = std::move(files);
            }
        }
    }
    if (steps.empty() || steps.begin()->second.empty())
    {
        throw InputError(path + ": no such file is there; {step} stands for a number, and {worker} "
                                "for 0, 1, and so on");
    }
    const auto workers = steps.begin()->second.size();
    for (const auto& [step, files] : steps)
    {
        if (files.size() != workers)
        {
            throw InputError(fmt::format("{}: step {} has files of {} workers, step {} of {}",
                                         path,
                                         *step,
                                         files.size(),
                                         *steps.begin()->first,
                                         workers));
        }
    }
    return steps;
}

/** The trace with the statistics of a step instead of any that it had. */
GradientTrace
TraceOf(GradientTrace trace,
        std::optional<std::uint64_t> step,
        const std::vector<ValueCounts>& counts)
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
        fmt::format("measured in {} of {} worker{}",
                    step ? fmt::format("the gradients of step {}", *step) : "gradients",
                    workers,
                    workers == 1 ? "" : "s"));
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

/** A name or a count, which is the same in both. */
Figure
NameFigure(const std::string& title, const std::string& column, const std::string& text)
{
    return {title, column, text, text};
}

/** A number: in the file with nine digits, in the table as @p form, "{:.3f}", shows it times @p scale. */
Figure
NumberFigure(const std::string& title,
             const std::string& column,
             const char* form,
             const std::optional<double>& number,
             double scale = 1)
{
    return {title,
            column,
            number ? fmt::format(fmt::runtime(form), *number * scale) : "-",
            number ? NineDigits(*number) : ""};
}

/** @return that member of all figures that have a name in @p named */
std::vector<std::string>
TextsOf(const Figures& row, std::string Figure::*named, std::string Figure::*member)
{
    std::vector<std::string> texts;
    for (const auto& figure : row)
    {
        if (!(figure.*named).empty())
        {
            texts.push_back(figure.*member);
        }
    }
    return texts;
}

std::string
TableOf(const std::vector<Figures>& rows)
{
    TextTable table(TextsOf(rows.front(), &Figure::title, &Figure::title), 2);
    for (const auto& row : rows)
    {
        table.AddRow(TextsOf(row, &Figure::title, &Figure::text));
    }
    return table.Text();
}

std::string
CsvOf(const std::vector<Figures>& rows)
{
    auto text = CsvLine(TextsOf(rows.front(), &Figure::column, &Figure::column));
    for (const auto& row : rows)
    {
        text += CsvLine(TextsOf(row, &Figure::column, &Figure::csv));
    }
    return text;
}

/**
 * A row of what is printed and written (docs/formats.md, "Measured values").
 * @param independentUnion the union's density if workers' positions were independent
 */
Figures
FiguresOf(std::optional<std::uint64_t> step,
          const std::string& layer,
          const ValueCounts& counts,
          double independentUnion)
{
    constexpr double PERCENT = 100;
    const auto statistics = StatisticsOf(counts);
    const auto share = [](const char* title, const char* column, std::optional<double> value) {
        return NumberFigure(title, column, "{:.4g} %", value, PERCENT);
    };
    const auto name = step ? std::to_string(*step) : "";
    Figures figures{
        {"step", "step", name.empty() ? "-" : name, name},
        NameFigure("layer", "layer", layer),
        NameFigure("", "workers", std::to_string(counts.workers)),
        NameFigure("", "elements", std::to_string(counts.elements)),
        share("density", "worker_density", statistics.density),
        share("union", "union_density", statistics.unionDensity),
        share("if independent",
              "independent_union_density",
              statistics.unionDensity ? std::optional(independentUnion) : std::nullopt),
        NumberFigure(
            "", "fitted_union_exponent", "{}", FitUnionExponent(statistics, counts.workers)),
        NumberFigure("rms", "rms", "{:.3g}", counts.Rms())};
    for (const auto bound : {10U, 8U, 6U}) // those that INCEPTIONN was evaluated with
    {
        figures.push_back(
            NumberFigure(fmt::format("{}2^-{}", bound == 10 ? "inceptionn " : "", bound),
                         fmt::format("inceptionn_b{}_ratio", bound),
                         "{:.3f}",
                         InceptionnRatio(counts, bound)));
    }
    return figures;
}

/** Adds a row for each layer of a step, and one for all of them. */
void
AddRows(std::optional<std::uint64_t> step,
        const GradientTrace& trace,
        const std::vector<ValueCounts>& counts,
        std::vector<Figures>& rows)
{
    ValueCounts all;
    double independentValues = 0; // of layers, which differ: that of their mean density is another
    for (std::size_t i = 0; i < counts.size(); ++i)
    {
        const auto independent =
            UnionDensity(StatisticsOf(counts[i]).density.value_or(0), counts[i].workers, 1);
        rows.push_back(FiguresOf(step, trace.layers[i].name, counts[i], independent));
        independentValues += independent * static_cast<double>(counts[i].elements);
        all.Add(counts[i]);
    }
    rows.push_back(
        FiguresOf(step, "all layers", all, independentValues / static_cast<double>(all.elements)));
}

/** @throws InputError if -o does not go with the rest */
void
CheckOut(const MeasureOptions& options, const StepFiles& steps)
{
    const bool hasStep = options.out.find(STEP) != std::string::npos;
    if (options.out.empty())
    {
        return;
    }
    if (options.trace.empty())
    {
        throw InputError("-o: a trace has times, too, which values do not say: name the one that "
                         "has them, --trace FILE");
    }
    if (hasStep != steps.begin()->first.has_value())
    {
        throw InputError(fmt::format("-o: {}: there is one trace for each step: {} must be in its "
                                     "name as in the values'",
                                     options.out,
                                     STEP));
    }
}

void
RequireAnother(const std::string& csv, const std::vector<FileText>& files)
{
    for (const auto& file : files)
    {
        if (file.path == csv)
        {
            throw InputError("-o and --csv: both are " + csv);
        }
    }
}

void
MeasureTrace(const MeasureOptions& options)
{
    const auto steps = FindFiles(options.values);
    CheckOut(options, steps);
    if (!options.csv.empty())
    {
        const AtomicFile place(options.csv); // refused before long files are read
    }
    const auto trace = std::make_shared<const GradientTrace>(
        options.trace.empty() ? LayersOfFile(steps.begin()->second.front())
                              : FindTrace(options.trace));
    Progress progress("measuring");
    std::vector<Figures> rows;
    std::vector<FileText> files;
    double done = 0;
    for (const auto& [step, paths] : steps)
    {
        const auto counts = CountValues(*MakeFileValues(trace, paths), *trace, paths);
        AddRows(step, *trace, counts, rows);
        if (!options.out.empty())
        {
            files.push_back({Replaced(options.out, STEP, step.value_or(0)),
                             FormatTrace(TraceOf(*trace, step, counts))});
        }
        progress.Update(++done / static_cast<double>(steps.size()));
    }
    progress.Done();
    if (!options.csv.empty())
    {
        RequireAnother(options.csv, files);
        files.push_back({options.csv, CsvOf(rows)});
    }
    WriteAtomically(files);
    const auto workers = steps.begin()->second.size();
    fmt::print("{}",
               PrintableLines(fmt::format("{} layer{}, {} values, {}; {} step{}, {} worker{}\n\n{}",
                                          trace->layers.size(),
                                          trace->layers.size() == 1 ? "" : "s",
                                          trace->Elements(),
                                          HumanBytes(trace->Elements() * sizeof(float)),
                                          steps.size(),
                                          steps.size() == 1 ? "" : "s",
                                          workers,
                                          workers == 1 ? "" : "s",
                                          TableOf(rows))));
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
                    "path of safetensors files, one per worker and step: {worker} in it stands for "
                    "0, 1, and so on, {step} for all numbers that are there")
        ->required();
    add("--trace NAME|FILE", options->trace, "the trace whose layers these are: a name or a path");
    add("-o,--out FILE",
        options->out,
        "writes that trace with the statistics measured, one for each {step}");
    add("--csv FILE", options->csv, "writes every layer of every step to this CSV file");
    command.callback([options] { MeasureTrace(*options); });
}

} // namespace inca
