/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/result-place.h"
#include "cli/standard-streams.h"
#include "record/run-directory.h"
#include "report/plot.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct PlotOptions
{
    std::string results;
    PlotRequest request;
    PlotLook look;
    std::string out;
    std::string script;
};

/** @return "svg" */
std::string
FormOf(const std::string& out)
{
    const auto ending = std::filesystem::path(out).extension().string();
    if (ending != ".svg" && ending != ".png" && ending != ".pdf")
    {
        throw InputError("--out: " + out + ": must end in .svg, .png or .pdf");
    }
    return ending.substr(1);
}

PlotData
DataOf(const PlotOptions& options)
{
    const auto place = FindResults(options.results);
    const auto table = ReadResults(place);
    if (table.columns.front() == "validation")
    {
        throw InputError(table.path + ": holds comparisons with published numbers, which are "
                                      "not drawn");
    }
    return CollectPlot(table, NamesOfRows(place), options.request);
}

bool
IsPage(const std::string& width)
{
    if (width != "column" && width != "page")
    {
        throw InputError("--width: must be column or page, got '" + width + "'");
    }
    return width == "page";
}

void
Plot(const PlotOptions& options)
{
    if (options.out.empty() && options.script.empty())
    {
        throw InputError(
            "plot: name the picture, -o FILE.svg, .png or .pdf, or a folder for gnuplot's script, "
            "--script DIR");
    }
    auto look = options.look;
    look.form = options.out.empty() ? look.form : FormOf(options.out);
    const auto files = ScriptOf(DataOf(options), look);
    Warn(files.notes);
    std::vector<FileText> outputs;
    if (!options.out.empty())
    {
        const AtomicFile place(options.out); // refused before it is drawn
        outputs.push_back({options.out, DrawWithGnuplot(files)});
    }
    if (!options.script.empty())
    {
        MakeRunDirectory(options.script);
        outputs.push_back({options.script + "/plot.gp", files.script});
        outputs.push_back({options.script + "/plot.dat", files.data});
    }
    WriteAtomically(outputs);
    for (const auto& crossing : files.crossings)
    {
        fmt::print("{}\n", Printable(crossing));
    }
}

} // namespace

void
AddPlotCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<PlotOptions>();
    auto* command = app.add_subcommand("plot", "draw results, through gnuplot");
    const OptionAdder add(*command);
    add("results DIR|CSV", options->results, "the folder of a sweep or run, or a CSV file of rows")
        ->required();
    add("--x KEY",
        options->request.x,
        "what to draw over: a key or a column; default: what the sweep varied");
    add("--y COLUMN", options->request.y, "what to draw; default: iteration_time_s");
    add("--series KEY,...",
        options->request.series,
        "what sets lines or bars apart; what else varies comes after it by itself");
    add("--kind KIND",
        options->request.kind,
        PlotKindOf,
        "line (default over numbers), bar (over names), stack (where the time goes), heat "
        "(two keys), curve (of `inca accuracy --csv`), pareto (error over time, a mark for each "
        "run)");
    add("--panels KEY",
        options->request.panels,
        "a panel for each value of this key, side by side");
    add("--crossover A,B",
        options->look.crossovers,
        "marks between which points these two series cross; may be repeated");
    add("--target ACCURACY,...",
        options->look.targets,
        ParseTargets,
        "of curves: marks where each comes to these accuracies");
    add("--width WIDTH",
        options->look.isPageWide,
        IsPage,
        "column (3.3 inches, the default) or page (7 inches) of a paper");
    add("--title TEXT", options->look.title, "stands above");
    add("-o,--out FILE", options->out, "the picture: .svg, .png or .pdf");
    add("--script DIR", options->script, "writes plot.gp and plot.dat, to be finished by hand");
    command->callback([options] { Plot(*options); });
}

} // namespace inca
