/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "cli/colour-option.h"
#include "cli/commands.h"
#include "cli/result-csv.h"
#include "cli/scenario-options.h"
#include "cli/timeline-options.h"
#include "experiment/run-experiment.h"
#include "plan/plan-maker.h"
#include "record/precision.h"
#include "record/result-row.h"
#include "record/run-directory.h"
#include "report/progress.h"
#include "report/run-table.h"
#include "report/text-table.h"
#include "scenario/scenario-reader.h"
#include "trace/trace-catalog.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
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
    TimelineOptions timeline;
    std::string color;
    bool json{false};
    bool check{false};
    bool quiet{false};
};

/** A file with a sweep is a scenario, too; who runs it once should know. */
void
AddSweepWarning(std::string_view text, const std::string& path, std::vector<std::string>& warnings)
{
    if (ParseSweep(text, path).Varies())
    {
        warnings.push_back(ScenarioName(path) + ": table [sweep] is left out; `inca sweep " + path +
                           "` runs it");
    }
}

/** A run, and how long it took. (seconds of this process's CPU time) */
struct TimedRun
{
    RunRecord record;
    double cpuSeconds{0};
};

TimedRun
RunTimed(const Scenario& scenario,
         const char* what,
         bool quiet,
         const TimelineRequest* timeline = nullptr)
{
    const auto begin = std::clock();
    Progress progress(what, quiet);
    TimedRun timed;
    timed.record = RunWithTimeline(
        scenario, [&progress](double share) { progress.Update(share); }, timeline);
    progress.Done();
    timed.cpuSeconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return timed;
}

/** @throws InputError if it, or its packet level, takes more than its limits, before either runs */
void
RequireCheckable(Scenario scenario)
{
    CostOf(scenario);
    scenario.simulation.mode = "packet";
    try
    {
        CostOf(scenario);
    }
    catch (const InputError& error)
    {
        throw InputError(fmt::format("--check, which runs packet level, too: {}", error.what()));
    }
}

/** Runs it at packet level, too. @return whether the first run keeps to its bounds */
bool
Check(Scenario scenario, const TimedRun& first, bool quiet)
{
    scenario.simulation.mode = "packet";
    const auto packetLevel = RunTimed(scenario, "run at packet level", quiet);
    const auto precision = PrecisionOf(first.record, packetLevel.record);
    if (quiet)
    {
        return precision.IsSound(first.record.results.exact);
    }
    const auto speedUp = packetLevel.cpuSeconds / std::max(first.cpuSeconds, 1e-6);
    fmt::print("{}", FormatPrecision(precision, first.record.results.exact));
    const auto times = fmt::format("{:.1f} times, {:.2f} s of CPU time instead of {:.2f} s",
                                   speedUp,
                                   first.cpuSeconds,
                                   packetLevel.cpuSeconds);
    fmt::print("{}", TableLine("speed-up", times));
    return precision.IsSound(first.record.results.exact);
}

/** Where the results of a run go: to a table, unless it is to be quiet, and to files. */
class RunOutput
{
  public:
    /** @throws as the files do, before a long run rather than after it */
    explicit RunOutput(const RunOptions& options)
        : m_csv(OpenResultCsv(options.csv)),
          m_directory(options.out),
          m_json(options.json),
          m_quiet(options.quiet),
          m_ink(WantsColour(options.color))
    {
        if (!m_directory.empty())
        {
            MakeRunDirectory(m_directory);
        }
    }

    void Warn(const std::vector<std::string>& warnings) const
    {
        inca::Warn(m_quiet ? std::vector<std::string>() : warnings);
    }

    void Write(const RunRecord& record) const
    {
        fmt::print("{}",
                   m_quiet  ? ""
                   : m_json ? JsonLineOf(RowOf(record))
                            : FormatRunTable(record, m_ink));
        if (m_csv)
        {
            Warn(AppendResult(*m_csv, record));
        }
        if (!m_directory.empty())
        {
            WriteRunDirectory(m_directory, record);
        }
    }

  private:
    std::unique_ptr<CsvOutput> m_csv;
    std::string m_directory;
    bool m_json;
    bool m_quiet;
    TableInk m_ink;
};

void
Run(const RunOptions& options, ExitCode& exitCode)
{
    const auto text = ReadScenarioText(options.scenario);
    const auto loaded = ParseScenario(text, ScenarioName(options.scenario), options.settings);
    const RunOutput output(options);
    auto timeline = RequestOf(options.timeline, loaded.scenario.training.iterations);
    std::vector<std::string> leftOut;
    if (timeline)
    {
        timeline->warn = [&leftOut](const std::string& note) { leftOut.push_back(note); };
    }
    auto warnings = loaded.warnings;
    AddSweepWarning(text, options.scenario, warnings);
    output.Warn(warnings);
    auto scenario = loaded.scenario;
    scenario.training.readTrace = // once: it may be a pipe, and more than one run may need it
        std::make_shared<const GradientTrace>(FindTrace(scenario.training.trace));
    if (options.check)
    {
        RequireCheckable(scenario);
    }
    auto timed = RunTimed(scenario, "run", options.quiet, timeline ? &*timeline : nullptr);
    auto& record = timed.record;
    record.idle = loaded.warnings;
    output.Warn(leftOut);
    output.Write(record);
    if (options.check && !Check(scenario, timed, options.quiet))
    {
        exitCode = ExitCode::CHECK_FAILED;
    }
}

} // namespace

void
AddRunCommand(CLI::App& app, ExitCode& exitCode)
{
    auto options = std::make_shared<RunOptions>();
    auto* command = app.add_subcommand("run", "run one scenario and print what it predicts");
    AddScenario(*command, options->scenario);
    AddQuiet(*command, options->quiet);
    AddSetOption(*command, options->settings);
    command->add_option("--csv", options->csv, "adds the result row to this CSV file")
        ->type_name("FILE");
    command
        ->add_option("--out",
                     options->out,
                     "writes run.json, result.csv, layers.csv, links.csv here, and switches.csv "
                     "where switches add")
        ->type_name("DIR");
    command->add_flag(
        "--json", options->json, "prints the result row as a line of JSON instead of the table");
    AddTimelineOptions(*command, options->timeline);
    command->add_flag("--check",
                      options->check,
                      "runs packet level beside it, and prints how far it is off and how much "
                      "faster; exit 1 beyond 0.5 %");
    AddColourOption(*command, options->color);
    command->callback([options, &exitCode] { Run(*options, exitCode); });
}

} // namespace inca
