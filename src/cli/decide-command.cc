/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/crossover-text.h"
#include "cli/decide-text.h"
#include "cli/scenario-options.h"
#include "report/progress.h"
#include "scenario/keys.h"
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

constexpr const char* g_bandwidth = "cluster.bandwidth";
constexpr const char* g_none = "none";

struct DecideOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::string over{"exchange,codec,bucket"};
    std::vector<std::string> lossy;
    std::string crossover;
};

/** From a tenth to ten times what the scenario has. */
std::string
AroundBandwidth(const Scenario& scenario)
{
    constexpr std::uint64_t factor = 10;
    auto low = scenario;
    auto high = scenario;
    low.cluster.bitsPerSecond = scenario.cluster.bitsPerSecond / factor;
    high.cluster.bitsPerSecond = scenario.cluster.bitsPerSecond * factor;
    const auto& key = *FindKey(g_bandwidth);
    return fmt::format("{}={}..{}", g_bandwidth, key.text(low), key.text(high));
}

System
SystemOf(const Candidate& candidate)
{
    System system{CandidateTitle(candidate), {}, "--set"};
    for (const auto& setting : candidate.settings)
    {
        system.settings.push_back({setting, "--set"});
    }
    return system;
}

/** What would have to change for the runner-up to win. */
std::string
FormatChange(const Decision& decision, const std::string& over, ScenarioVariants& variants)
{
    if (!decision.runnerUp)
    {
        return "";
    }
    const CrossoverQuestion question{WithoutKeysOf(decision.question.settings, {over}),
                                     SystemOf(decision.judged[*decision.runnerUp].candidate),
                                     SystemOf(decision.judged[*decision.best].candidate),
                                     over,
                                     Metrics().front()};
    return fmt::format("\nfor the runner-up to win, over {}:\n{}",
                       over,
                       CrossoverSentences(AnswerCrossover(question, variants, RunPoint)));
}

Decision
DecideTelling(const DecideQuestion& question, ScenarioVariants& variants)
{
    constexpr double usualRuns = 30;
    Progress bounds("decide, bounds of candidates");
    Progress progress("decide");
    const auto run = [&progress, runs = 0.0](const Scenario& scenario) mutable {
        auto outcome = RunPoint(scenario);
        progress.Update(++runs / usualRuns);
        return outcome;
    };
    return Decide(question, variants, run, [&bounds](double share) {
        share < 1 ? bounds.Update(share) : bounds.Done();
    });
}

std::vector<AdmittedLoss>
LossesIn(const std::vector<std::string>& texts)
{
    std::vector<AdmittedLoss> losses;
    for (const auto& text : texts)
    {
        const auto more = ParseLosses(text);
        losses.insert(losses.end(), more.begin(), more.end());
    }
    return losses;
}

void
RunDecide(const DecideOptions& options)
{
    const DecideQuestion question{
        options.settings, ParseDecideOver(options.over), LossesIn(options.lossy)};
    ScenarioVariants variants(options.scenario);
    variants.LimitCpuTime(ONE_OF_MANY_CPU_PS);
    const auto base = variants.Make(options.settings);
    Warn(base.warnings);
    const auto decision = DecideTelling(question, variants);
    const auto text = FormatDecision(decision, "inca run " + options.scenario);
    fmt::print("{}", PrintableLines(text));
    if (options.crossover != g_none)
    {
        const auto over =
            options.crossover.empty() ? AroundBandwidth(base.scenario) : options.crossover;
        fmt::print("{}", PrintableLines(FormatChange(decision, over, variants)));
    }
}

} // namespace

void
AddDecideCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<DecideOptions>();
    auto* command =
        app.add_subcommand("decide", "which exchange, codec and size of buckets is best, and why");
    AddScenario(*command, options->scenario);
    AddSetOption(*command, options->settings);
    command->add_option("--over", options->over, "what is chosen; the rest stays as it is")
        ->capture_default_str()
        ->type_name("LIST");
    command
        ->add_option("--lossy",
                     options->lossy,
                     "admits what loses values: inceptionn:2^-10 (or 2^-10), cast:bf16, "
                     "truncate:16, int32 sums of switches, sketch (those that do not decode), "
                     "16-bit gradients; several between commas")
        ->expected(1)
        ->take_all()
        ->type_name("LIST");
    command
        ->add_option("--crossover",
                     options->crossover,
                     "what would have to change for the runner-up to win; none: nothing is run for "
                     "it; otherwise cluster.bandwidth from a tenth to ten times")
        ->type_name("KEY=LOW..HIGH");
    command->callback([options] { RunDecide(*options); });
}

} // namespace inca
