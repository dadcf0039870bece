/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/result-place.h"
#include "report/report-data.h"

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

void
Report(const ReportOptions& options)
{
    const auto ending = std::filesystem::path(options.out).extension();
    if (ending != ".html" && ending != ".htm") // what is no page is not written over
    {
        throw InputError("--out: " + options.out + ": must end in .html");
    }
    AtomicFile file(options.out); // refused before anything is read
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
    const OptionAdder add(*command);
    add("results DIR|CSV", options->results, "the folder of a sweep or run, or a CSV file of one")
        ->required();
    add("-o,--out FILE.html", options->out, "the page")->capture_default_str();
    command->callback([options] { Report(*options); });
}

} // namespace inca
