/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "base/units.h"
#include "base/value-form.h"
#include "base/value-text.h"
#include "cli/commands.h"
#include "cli/crossover-text.h"
#include "cli/options.h"
#include "report/progress.h"
#include "sweep/crossover.h"

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
    double tolerance{0.01};
};

/** @return the share that "1%" says. @throws UnitError */
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
        throw UnitError("needs 0.1% to 50%, got '" + text + "'");
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
                                     options.tolerance};
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
    AddText(*command,
            "--a",
            options->a,
            "SYSTEM",
            "the label of a [[sweep.system]] of the scenario, or settings: key=value,key=value, "
            "with \"label:\" before them")
        ->required();
    AddText(*command, "--b", options->b, "SYSTEM", "the same of B")->required();
    AddText(*command,
            "--over",
            options->over,
            "KEY=LOW..HIGH",
            "a key and two of its values, such as cluster.bandwidth=1Gbps..400Gbps")
        ->required();
    AddText(*command, "--metric", options->metric, "COLUMN", "the column that is compared")
        ->capture_default_str();
    AddParsed(*command,
              "--tolerance",
              options->tolerance,
              ParseTolerance,
              "SHARE",
              "how exactly a crossing is found")
        ->default_str("1%");
    command->callback([options] { Compare(*options); });
}

} // namespace inca
