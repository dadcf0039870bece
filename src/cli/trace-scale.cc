/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cli/trace-commands.h"
#include "trace/native-trace.h"
#include "trace/trace-catalog.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace inca
{

namespace
{

struct TraceScaleOptions
{
    std::string trace;
    std::string out;
    TraceScale scale;
};

void
Scale(const TraceScaleOptions& options)
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
AddTraceScale(CLI::App& trace)
{
    const auto options = std::make_shared<TraceScaleOptions>();
    auto* command = trace.add_subcommand(
        "scale", "makes a trace of another batch, another GPU's speed or another gradient type");
    command->add_option("NAME", options->trace, "a name from the list, or a path")->required();
    command->add_option("--batch",
                        options->scale.batch,
                        "samples; forward and backward times change in proportion");
    command->add_option("--compute",
                        options->scale.compute,
                        "factor of all times; 0.5 is a GPU that is twice as fast");
    command->add_option("--gradient-type", options->scale.gradientType, "fp32, fp16 or bf16");
    command->add_option("-o,--out", options->out, "where to; default: stdout")->type_name("FILE");
    command->callback([options] { Scale(*options); });
}

} // namespace inca
