/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/nearest.h"
#include "base/units.h"
#include "base/value-form.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/row-output.h"
#include "cli/standard-streams.h"
#include "experiment/run-experiment.h"
#include "plan/plan-maker.h"
#include "record/csv-file.h"
#include "record/result-row.h"
#include "record/run-directory.h"
#include "record/timeline-request.h"
#include "report/progress.h"
#include "report/run-table.h"
#include "scenario/scenario-reader.h"
#include "trace/trace-catalog.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct RunOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::string system; ///< the label of one that the file brings along
    std::string csv;
    std::string out;
    TimelineRequest timeline; ///< without a path: none is asked for
    bool json{false};
    bool quiet{false};
};

/** The settings of the system that is asked for, then those of --set. @throws InputError if the file has no such system */
std::vector<std::string>
OverridesOf(const RunOptions& options, const SweepSpec& sweep)
{
    std::vector<std::string> settings;
    std::vector<std::string> labels;
    bool isFound = options.system.empty();
    for (const auto& system : sweep.systems)
    {
        labels.push_back(system.label);
        for (std::size_t i = 0; system.label == options.system && i < system.settings.size(); ++i)
        {
            settings.push_back(system.settings[i].text);
        }
        isFound = isFound || system.label == options.system;
    }
    if (!isFound)
    {
        throw InputError("--system: " + (labels.empty() ? ScenarioName(options.scenario) +
                                                              " has no [[sweep.system]]"
                                                        : UnknownName(options.system, labels)));
    }
    settings.insert(settings.end(), options.settings.begin(), options.settings.end());
    return settings;
}

/** A file with a sweep is a scenario, too; who runs it once should know. */
void
AddSweepWarning(const SweepSpec& sweep,
                const RunOptions& options,
                std::vector<std::string>& warnings)
{
    if (sweep.Varies() && options.system.empty())
    {
        warnings.push_back(ScenarioName(options.scenario) +
                           ": table [sweep] is left out; `inca sweep " + options.scenario +
                           "` runs it");
    }
}

void
Write(const RunRecord& record, const RunOptions& options, CsvOutput* csv)
{
    if (!options.quiet)
    {
        fmt::print("{}", options.json ? JsonLineOf(RowOf(record)) : FormatRunTable(record));
    }
    if (csv != nullptr)
    {
        csv->Append(CsvRow(record));
    }
    if (!options.out.empty())
    {
        WriteRunDirectory(options.out, record);
    }
}

void
RunFile(const RunOptions& options)
{
    const auto text = ReadScenarioText(options.scenario);
    const auto name = ScenarioName(options.scenario);
    const auto sweep = ParseSweep(text, name);
    const auto loaded = ParseScenario(text, name, OverridesOf(options, sweep));
    const auto csv = // which complains before a long run
        options.csv.empty() ? nullptr
                            : std::make_unique<CsvOutput>(options.csv, CsvHeader(EmptyRow()));
    if (!options.out.empty())
    {
        MakeRunDirectory(options.out);
    }
    auto timeline = options.timeline;
    const bool hasTimeline = !timeline.path.empty();
    if (hasTimeline)
    {
        const AtomicFile trial(timeline.path); // before a long run
    }
    auto warnings = loaded.warnings;
    AddSweepWarning(sweep, options, warnings);
    const auto tell = [&] {
        Warn(options.quiet ? std::vector<std::string>() : warnings);
        warnings.clear();
    };
    tell();
    timeline.warn = [&warnings](const std::string& note) { warnings.push_back(note); };
    auto scenario = loaded.scenario;
    scenario.training.readTrace = // once: it may be a pipe, and may be simulated twice
        std::make_shared<const GradientTrace>(FindTrace(scenario.training.trace));
    Progress progress("run", options.quiet);
    progress.Expect([&scenario] { return CostOf(scenario).cpuSeconds; });
    auto record = RunExperiment(
        scenario,
        [&progress](double share) { progress.Update(share); },
        hasTimeline ? &timeline : nullptr);
    progress.Done();
    record.idle = loaded.warnings;
    tell();
    Write(record, options, csv.get());
}

} // namespace

void
AddRunCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<RunOptions>();
    auto* command = app.add_subcommand("run", "run one scenario and print what it predicts");
    const OptionAdder add(*command);
    AddScenario(*command, options->scenario);
    AddQuiet(*command, options->quiet);
    AddSetOption(*command, options->settings);
    add("--system LABEL", options->system, "runs this [[sweep.system]] of the file");
    add("--csv FILE", options->csv, "adds the result row to this CSV file");
    add("--out DIR",
        options->out,
        "writes run.json, result.csv, layers.csv, links.csv here, switches.csv where switches add, "
        "errors.csv with values, and path.csv, why it takes so long");
    add("--json", options->json, "prints the result row as a line of JSON instead of the table");
    auto* timeline = add("--timeline FILE.json",
                         options->timeline.path,
                         "writes what happened when as Chrome trace events, for Perfetto and "
                         "speedscope");
    add(
        "--timeline-limit COUNT",
        options->timeline.limit,
        [](const auto& text) {
            return WholeForm({1, std::numeric_limits<std::uint64_t>::max()}).parse(text);
        },
        "the most events of the timeline, of which devices get half; default: " +
            std::to_string(TimelineRequest::DEFAULT_LIMIT))
        ->needs(timeline);
    command->callback([options] { RunFile(*options); });
}

} // namespace inca
