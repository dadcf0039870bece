/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/whole-file.h"
#include "cli/commands.h"
#include "cli/report-sources.h"
#include "cli/result-place.h"
#include "report/report-data.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

namespace inca
{

namespace
{

struct ReportOptions
{
    std::string results;
    std::string out{"report.html"};
};

/** What is no page is not written over. */
void
RequirePage(const std::string& out)
{
    const auto ending = std::filesystem::path(out).extension();
    if (ending != ".html" && ending != ".htm")
    {
        throw InputError("--out: " + out + ": must end in .html");
    }
}

void
Report(const ReportOptions& options)
{
    RequirePage(options.out);
    WholeFile file(options.out); // refused before anything is read
    file.Write(ReportPage(CollectReport(FindResults(options.results))));
    file.Finish();
    fmt::print("{}\n", options.out);
}

} // namespace

void
AddReportCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<ReportOptions>();
    auto* command =
        app.add_subcommand("report", "write a page with all that was found, for a browser");
    command
        ->add_option("results",
                     options->results,
                     "the folder of a sweep, run or validation, or a CSV file of one")
        ->required()
        ->type_name("DIR|CSV");
    command->add_option("-o,--out", options->out, "the page")
        ->type_name("FILE.html")
        ->capture_default_str();
    command->callback([options] { Report(*options); });
}

} // namespace inca
