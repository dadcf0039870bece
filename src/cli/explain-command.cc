/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/value-form.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "experiment/key-trials.h"
#include "experiment/run-experiment.h"
#include "plan/plan-maker.h"
#include "record/explanation-json.h"
#include "report/explanation-table.h"
#include "report/progress.h"
#include "scenario/scenario-reader.h"
#include "trace/trace-catalog.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct ExplainOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::uint64_t keys{10}; ///< that are simulated again
    bool json{false};
    bool quiet{false};
};

void
ExplainFile(const ExplainOptions& options)
{
    const auto text = ReadScenarioText(options.scenario);
    const auto name = ScenarioName(options.scenario);
    const auto loaded = ParseScenario(text, name, options.settings);
    Warn(options.quiet ? std::vector<std::string>() : loaded.warnings);
    const auto trace = // once: it may be a pipe
        std::make_shared<const GradientTrace>(FindTrace(loaded.scenario.training.trace));
    const auto with = [&](const std::string& setting) {
        auto settings = options.settings;
        if (!setting.empty())
        {
            settings.push_back(setting);
        }
        auto scenario = ParseScenario(text, name, settings).scenario;
        scenario.training.readTrace = trace;
        return scenario;
    };
    auto scenario = with("");
    scenario.simulation.explains = true;
    Progress progress("explain", options.quiet);
    const auto tell = [&progress](double share) { progress.Update(share); };
    progress.Expect([&scenario] { return CostOf(scenario).cpuSeconds; });
    auto record = RunExperiment(scenario, tell);
    progress.Update(0);
    SimulateEffects(with, options.keys, tell, record);
    progress.Done();
    if (!options.quiet)
    {
        constexpr std::size_t mostRows = 15;
        fmt::print("{}",
                   options.json ? ExplanationJson(record) : FormatExplanation(record, mostRows));
    }
}

} // namespace

void
AddExplainCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<ExplainOptions>();
    auto* command = app.add_subcommand(
        "explain", "say why a scenario takes so long, and what a change of each key would save");
    const OptionAdder add(*command);
    AddScenario(*command, options->scenario);
    AddQuiet(*command, options->quiet);
    AddSetOption(*command, options->settings);
    add("--json",
        options->json,
        "prints a line of JSON with all parts and keys instead of the tables");
    add(
        "--keys COUNT",
        options->keys,
        [](const auto& text) {
            return WholeForm({0, 1000}).parse(text);
        },
        "simulates again with other values of so many keys, those first that decide most; default: "
        "10");
    command->callback([options] { ExplainFile(*options); });
}

} // namespace inca
