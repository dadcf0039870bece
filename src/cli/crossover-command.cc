/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/value-form.h"
#include "base/value-text.h"
#include "cli/commands.h"
#include "cli/crossover-text.h"
#include "cli/scenario-options.h"
#include "report/progress.h"
#include "sweep/crossover.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Of a scan, and of one crossing that is narrowed. */
constexpr double g_usualRuns = 2 * g_crossoverScan + 12;

struct CrossoverOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::string a;
    std::string b;
    std::string over;
    std::string metric{Metrics().front().column};
    std::string tolerance{"1%"};
};

/** @return the share that "1%" says. @throws InputError */
double
ParseTolerance(const std::string& text)
{
    constexpr double percent = 100;
    constexpr ValueRange<double> range{0.1, 50}; // values have four digits
    try
    {
        const bool isPercent = !text.empty() && text.back() == '%';
        const auto number = isPercent ? text.substr(0, text.size() - 1) : std::string();
        return ParseDecimalNumber(number, range.least, range.most) / percent;
    }
    catch (const UnitError&)
    {
        throw InputError("--tolerance: needs 0.1% to 50%, got '" + text + "'");
    }
}

void
Compare(const CrossoverOptions& options)
{
    ScenarioVariants variants(options.scenario);
    variants.LimitCpuTime(ONE_OF_MANY_CPU_PS);
    const auto systems = variants.Systems();
    const CrossoverQuestion question{options.settings,
                                     ParseComparedSystem(options.a, "--a", systems),
                                     ParseComparedSystem(options.b, "--b", systems),
                                     options.over,
                                     FindMetric(options.metric),
                                     ParseTolerance(options.tolerance)};
    Progress progress("crossover");
    const auto run = [&progress, runs = 0.0](const Scenario& scenario) mutable {
        auto outcome = RunPoint(scenario);
        progress.Update(++runs / g_usualRuns);
        return outcome;
    };
    const auto answer = AnswerCrossover(question, variants, run);
    progress.Done();
    fmt::print("{}", PrintableLines(FormatCrossover(answer)));
}

} // namespace

void
AddCrossoverCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<CrossoverOptions>();
    auto* command = app.add_subcommand("crossover", "from which value of a key on A beats B");
    AddScenario(*command, options->scenario);
    AddSetOption(*command, options->settings);
    const auto add =
        [&](const char* name, std::string& value, const char* meaning, const char* type) {
            return command->add_option(name, value, meaning)->type_name(type);
        };
    add("--a",
        options->a,
        "the label of a [[sweep.system]] of the scenario, or settings: key=value,key=value, with "
        "\"label:\" before them",
        "SYSTEM")
        ->required();
    add("--b", options->b, "the same of B", "SYSTEM")->required();
    add("--over",
        options->over,
        "a key and two of its values, such as cluster.bandwidth=1Gbps..400Gbps",
        "KEY=LOW..HIGH")
        ->required();
    add("--metric", options->metric, "the column that is compared", "COLUMN")
        ->capture_default_str();
    add("--tolerance", options->tolerance, "how exactly a crossing is found", "SHARE")
        ->capture_default_str();
    command->callback([options] { Compare(*options); });
}

} // namespace inca
