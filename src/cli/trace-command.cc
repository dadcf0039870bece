/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "report/trace-tables.h"
#include "trace/native-trace.h"
#include "trace/trace-catalog.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr const char* g_named = "a name from the list, or a path";

struct TraceOptions
{
    std::string trace;
    std::string out;
    TraceScale scale;
};

void
ListTraces()
{
    std::vector<GradientTrace> traces;
    for (const auto& name : ShippedTraceNames(TracesDirectory()))
    {
        traces.push_back(FindTrace(name));
    }
    fmt::print("{}", TraceListText(traces));
}

void
Scale(const TraceOptions& options)
{
    const auto scaled = Scaled(FindTrace(options.trace), options.scale);
    if (options.out.empty())
    {
        fmt::print("{}", FormatTrace(scaled));
        return;
    }
    WriteTrace(scaled, options.out);
}

} // namespace

void
AddTraceCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto& trace = *app.add_subcommand(
        "trace", "shows, imports, measures and scales the gradient traces that runs can replay");
    trace.require_subcommand(1);
    trace.add_subcommand("list", "lists the traces that come with INCA")->callback(ListTraces);

    const auto options = std::make_shared<TraceOptions>();
    auto& show = *trace.add_subcommand("show", "prints layers, totals and statistics of a trace");
    OptionAdder{show}(
        "NAME TRACE", options->trace, "a name from the list, a path, or as in tensor:100MB")
        ->required();
    show.callback(
        [options] { fmt::print("{}", PrintableLines(TraceText(FindTrace(options->trace)))); });
    AddTraceImport(trace);
    AddTraceMeasure(trace);

    auto& scale = *trace.add_subcommand(
        "scale", "makes a trace of another batch, another GPU's speed or another gradient type");
    const OptionAdder add(scale);
    add("NAME TRACE", options->trace, g_named)->required();
    scale.add_option("--batch",
                     options->scale.batch,
                     "samples; forward and backward times change in proportion");
    scale.add_option("--compute",
                     options->scale.compute,
                     "factor of all times; 0.5 is a GPU that is twice as fast");
    scale.add_option("--gradient-type", options->scale.gradientType, "fp32, fp16 or bf16");
    add("-o,--out FILE", options->out, "where to; default: stdout");
    scale.callback([options] { Scale(*options); });
}

} // namespace inca
