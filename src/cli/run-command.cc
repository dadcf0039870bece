/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/result-csv.h"
#include "cli/scenario-options.h"
#include "experiment/run-experiment.h"
#include "record/run-directory.h"
#include "report/progress.h"
#include "report/run-table.h"
#include "scenario/scenario-reader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

namespace
{

struct RunOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::string csv;
    std::string out;
};

/** A file with a sweep is a scenario, too; who runs it once should know. */
void
TellOfSweep(std::string_view text, const std::string& path)
{
    if (!ParseSweep(text, path).empty())
    {
        Warn({path + ": table [sweep] is left out; `inca sweep " + path + "` runs it"});
    }
}

void
Run(const RunOptions& options)
{
    const auto text = ReadScenarioText(options.scenario);
    const auto loaded = ParseScenario(text, options.scenario, options.settings);
    Warn(loaded.warnings);
    TellOfSweep(text, options.scenario);
    const auto csv = OpenResultCsv(options.csv);
    if (!options.out.empty())
    {
        MakeRunDirectory(options.out);
    }
    Progress progress("run");
    auto record =
        RunExperiment(loaded.scenario, [&progress](double share) { progress.Update(share); });
    progress.Done();
    record.warnings.insert(record.warnings.begin(), loaded.warnings.begin(), loaded.warnings.end());
    fmt::print("{}", PrintableLines(FormatRunTable(record)));
    if (csv)
    {
        AppendResult(*csv, record);
    }
    if (!options.out.empty())
    {
        WriteRunDirectory(options.out, record);
    }
}

} // namespace

void
AddRunCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<RunOptions>();
    auto* command = app.add_subcommand("run", "run one scenario and print what it predicts");
    command->add_option("scenario", options->scenario, "a scenario's TOML file")->required();
    AddSetOption(*command, options->settings);
    command->add_option("--csv", options->csv, "adds the result row to this CSV file")
        ->type_name("FILE");
    command
        ->add_option("--out",
                     options->out,
                     "writes run.json, result.csv, layers.csv, links.csv here, and switches.csv "
                     "where switches add")
        ->type_name("DIR");
    command->callback([options] { Run(*options); });
}

} // namespace inca
