/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "base/whole-file.h"
#include "cli/import-sums.h"
#include "cli/trace-commands.h"
#include "import/import-formats.h"
#include "trace/native-trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace inca
{

namespace
{

struct TraceImportOptions
{
    std::vector<std::string> files;
    std::string out;
    std::string times{"passed"};
    ImportOptions import;
};

/** @throws InputError if what is written would take the place of what is read */
void
RefuseOwnInput(const TraceImportOptions& options)
{
    for (const auto& file : options.files)
    {
        std::error_code error;
        if (std::filesystem::equivalent(file, options.out, error))
        {
            throw InputError("--out: " + options.out + ": is the record that is to be read");
        }
    }
}

void
Import(TraceImportOptions& options)
{
    if (options.times != "passed" && options.times != "kernels")
    {
        throw InputError("--times: " + UnknownName(options.times, {"passed", "kernels"}));
    }
    options.import.kernelTimes = options.times == "kernels";
    RefuseOwnInput(options);
    WholeFile out(options.out); // refused before a long file is read
    std::vector<std::unique_ptr<ByteSource>> sources;
    for (const auto& file : options.files)
    {
        sources.push_back(std::make_unique<ByteSource>(file));
    }
    auto imported = ImportTrace(sources, options.import);
    ReportSums(imported);
    const auto text = FormatTrace(imported.trace);
    ParseTrace(text, options.out); // what is written is a trace that runs take
    out.Write(text);
    out.Finish();
    fmt::print("{}", PrintableLines(imported.report.Text()));
}

} // namespace

void
AddTraceImport(CLI::App& trace)
{
    const auto options = std::make_shared<TraceImportOptions>();
    auto* command = trace.add_subcommand(
        "import", "makes a trace of the record of one worker, and reports what became of it");
    command
        ->add_option("FILE",
                     options->files,
                     "a record; PyTorch's execution trace and profile may be given together")
        ->required()
        ->type_name("FILE...");
    const auto add =
        [&](const char* name, std::string& text, const char* type, const std::string& meaning) {
            return command->add_option(name, text, meaning)->type_name(type);
        };
    add("-o,--out", options->out, "FILE", "the trace (CSV)")->required();
    add("--format",
        options->import.format,
        "NAME",
        fmt::format("what the files are, if not as they look: {}",
                    fmt::join(ImportFormatNames(), ", ")));
    add("--time-unit",
        options->import.timeUnit,
        "UNIT",
        "of workloads and Chakra traces, if not the format's: ns, us, ms, s");
    add("--gradient-type",
        options->import.gradientType,
        "TYPE",
        "of the gradients, where the files do not say: fp32, fp16, bf16");
    add("--group",
        options->import.group,
        "NAME",
        "the process group of the data-parallel workers, where several sum gradients");
    add("--times",
        options->times,
        "NAME",
        "of a profile: passed (default: when work was done) or kernels (what the GPU computed)");
    add("--model", options->import.model, "TEXT", "what the model is called");
    command->add_option("--batch", options->import.batch, "samples per worker and iteration");
    command->add_option("--iterations",
                        options->import.iterations,
                        "how many are in a record that does not mark them");
    command->add_flag("--lenient",
                      options->import.lenient,
                      "warns of what is unknown or contradicts itself, and goes on");
    command->callback([options] { Import(*options); });
}

} // namespace inca
