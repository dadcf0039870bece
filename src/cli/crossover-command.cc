/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "report/progress.h"
#include "report/text-table.h"
#include "sweep/crossover.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Who is better from which value to which. */
std::string
StretchText(const CrossoverQuestion& question, const std::vector<Stretch>& all, std::size_t i)
{
    const auto& [winner, first, last, narrowed] = all[i];
    const auto where = all.size() == 1 ? "everywhere"
                       : i == 0        ? "up to " + last.value.text
                       : i + 1 == all.size()
                           ? "from " + first.value.text + " on"
                           : "from " + first.value.text + " to " + last.value.text;
    const auto& better = winner == Winner::A ? question.a.label : question.b.label;
    return fmt::format("{}{}: {}\n",
                       where,
                       narrowed ? "" : " at the latest (below, something was refused)",
                       winner == Winner::NEITHER ? "both are the same"
                       : winner == Winner::OPEN
                           ? "undecided, as the preset's ranges of both overlap, or it has none"
                           : better + " is faster");
}

std::string
ScanTable(const CrossoverAnswer& answer)
{
    const auto& question = answer.question;
    const auto number = [](const std::optional<double>& value) {
        return value ? fmt::format("{:.5g}", *value) : "-";
    };
    TextTable table({question.over.substr(0, question.over.find('=')),
                     question.a.label,
                     question.b.label,
                     "advantage of " + question.a.label},
                    1);
    for (const auto& sample : answer.crossover.scan)
    {
        const auto advantage =
            !sample.IsWhole() ? "-"
            : sample.isOpen   ? "undecided"
                              : fmt::format("{:+.1f} %", 100 * Advantage(*sample.a, *sample.b));
        table.AddRow({sample.value.text, number(sample.a), number(sample.b), advantage});
    }
    return table.Text();
}

/**
 * Who is better from which value to which, in sentences with a line feed each; of values that could not be compared, each
 * reason once.
 */
std::string
CrossoverSentences(const CrossoverAnswer& answer)
{
    const auto& stretches = answer.crossover.stretches;
    std::string text;
    for (std::size_t i = 0; i < stretches.size(); ++i)
    {
        text += StretchText(answer.question, stretches, i);
    }
    std::set<std::string> known; // each reason once, with the first value that it is given for
    for (const auto& sample : answer.crossover.scan)
    {
        if (!sample.IsWhole() && known.insert(sample.refusal).second)
        {
            text += fmt::format("not compared at {}: {}\n", sample.value.text, sample.refusal);
        }
    }
    return text;
}

/** Of a scan, and of one crossing that is narrowed. */
constexpr double g_usualRuns = 2 * g_crossoverScan + 12;

struct CrossoverOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::string a;
    std::string b;
    std::string over;
};

std::string
FormatCrossover(const CrossoverAnswer& answer)
{
    const auto& question = answer.question;
    return fmt::format("{} against {}, by iteration_time_s\n\n{}\n{}\n{} values, and bisection to "
                       "{:.3g} % wherever "
                       "the better one changes; two changes between neighbours are missed\n",
                       question.a.label,
                       question.b.label,
                       CrossoverSentences(answer),
                       ScanTable(answer),
                       answer.crossover.scan.size(),
                       100 * g_crossoverTolerance);
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
                                     options.over};
    Progress progress("crossover");
    const auto run = [&progress, runs = 0.0](const Scenario& scenario) mutable {
        auto outcome = RunPoint(scenario);
        progress.Update(++runs / g_usualRuns);
        return outcome;
    };
    const auto answer = AnswerCrossover(question, variants, run);
    progress.Done();
    Warn(answer.warnings);
    fmt::print("{}", PrintableLines(FormatCrossover(answer)));
}

} // namespace

void
AddCrossoverCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<CrossoverOptions>();
    auto* command = app.add_subcommand("crossover", "from which value of a key on A beats B");
    const OptionAdder add(*command);
    AddScenario(*command, options->scenario);
    AddSetOption(*command, options->settings);
    add("--a SYSTEM",
        options->a,
        "the label of a [[sweep.system]] of the scenario, or settings: key=value,key=value, "
        "with \"label:\" before them")
        ->required();
    add("--b SYSTEM", options->b, "the same of B")->required();
    add("--over KEY=LOW..HIGH",
        options->over,
        "a key and two of its values, such as cluster.bandwidth=1Gbps..400Gbps")
        ->required();
    command->callback([options] { Compare(*options); });
}

} // namespace inca
