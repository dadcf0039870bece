/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/trace-commands.h"
#include "report/trace-tables.h"
#include "trace/trace-catalog.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

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

} // namespace

void
AddTraceCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto* trace = app.add_subcommand(
        "trace", "shows, imports, measures and scales the gradient traces that runs can replay");
    trace->require_subcommand(1);
    trace->add_subcommand("list", "lists the traces that come with INCA")->callback(ListTraces);

    auto* show = trace->add_subcommand("show", "prints layers, totals and statistics of a trace");
    const auto name = std::make_shared<std::string>();
    show->add_option("NAME", *name, "a name from the list, a path, or as in tensor:100MB")
        ->required();
    show->callback([name] { fmt::print("{}", PrintableLines(TraceText(FindTrace(*name)))); });
    AddTraceImport(*trace);
    AddTraceMeasure(*trace);
    AddTraceScale(*trace);
}

} // namespace inca
