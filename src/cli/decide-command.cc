/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/printable.h"
#include "base/units.h"
#include "cli/command-line.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "report/progress.h"
#include "report/text-table.h"
#include "scenario/keys.h"
#include "sweep/crossover.h"
#include "sweep/decision.h"
#include "sweep/points.h"

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

constexpr double g_percent = 100;

std::string
TitleOf(const Candidate& candidate)
{
    return candidate.exchange + ", " + candidate.codec + ", " + candidate.bucket;
}

/** "+25.0 %": how much faster @p one is; "-" where there is nothing to compare with */
std::string
GainText(const Decision& decision, const Judged& one, const std::optional<std::size_t>& other)
{
    return other ? fmt::format("{:+.1f} %",
                               g_percent *
                                   (static_cast<double>(decision.judged[*other].IterationPs()) /
                                        static_cast<double>(one.IterationPs()) -
                                    1))
                 : "-";
}

/** What the best is against the best of its rivals. */
std::string
AgainstText(const Decision& decision, const char* what, const std::optional<std::size_t>& rival)
{
    if (!rival)
    {
        return fmt::format("        nothing {} can run\n", what);
    }
    const auto& judged = decision.judged;
    return fmt::format("        {} against the best {}, {}: {}\n",
                       GainText(decision, judged[*decision.best], rival),
                       what,
                       TitleOf(judged[*rival].candidate),
                       HumanPicoseconds(judged[*rival].IterationPs()));
}

std::string
BestText(const Decision& decision, const std::string& scenario)
{
    const auto& judged = decision.judged;
    const auto& best = judged[*decision.best];
    auto text = fmt::format("best    {}: {} per iteration\n",
                            TitleOf(best.candidate),
                            HumanPicoseconds(best.IterationPs()));
    text += AgainstText(decision, "uncompressed", decision.bestUncompressed);
    const bool hasSixteenBits = std::any_of(
        judged.begin(), judged.end(), [](const auto& one) { return one.candidate.sixteenBits; });
    if (hasSixteenBits && decision.bestSixteenBits != decision.bestUncompressed)
    {
        text += AgainstText(decision, "uncompressed at 16 bits", decision.bestSixteenBits);
    }
    const auto settings = SettingsOf(decision.question, best.candidate);
    return text + "        " + ShellLine(WithSettings({"inca", "run", scenario}, settings)) + "\n";
}

std::string
LossText(const Judged& judged)
{
    std::string text;
    for (const auto& loss : judged.losses)
    {
        text += (text.empty() ? "" : "; ") + loss.kind + ": " + loss.text;
    }
    return text.empty() ? "none" : text;
}

/** All that was run, the fastest first. */
std::string
RankingText(const Decision& decision)
{
    std::vector<const Judged*> ranked;
    for (const auto& judged : decision.judged)
    {
        ranked.insert(ranked.end(), judged.WasRun() ? 1 : 0, &judged);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto* a, const auto* b) {
        return a->IterationPs() < b->IterationPs();
    });
    constexpr std::size_t words = 6;
    TextTable table({"rank",
                     "exchange",
                     "codec",
                     "bucket",
                     "loses",
                     "limited by",
                     "iteration",
                     "gain",
                     "gain, 16 bits"},
                    words);
    int rank = 0;
    for (const auto* judged : ranked)
    {
        const auto& candidate = judged->candidate;
        table.AddRow({judged->CanWin() ? std::to_string(++rank) : "-",
                      candidate.exchange,
                      candidate.codec,
                      candidate.bucket,
                      LossText(*judged),
                      judged->record->results.limitedBy,
                      HumanPicoseconds(judged->IterationPs()),
                      GainText(decision, *judged, decision.bestUncompressed),
                      GainText(decision, *judged, decision.bestSixteenBits)});
    }
    return table.Text();
}

/** What was not run, and why. */
std::string
RestText(const Decision& decision)
{
    auto text = fmt::format("\nran {} of {} candidates", decision.runs, decision.grid);
    text += decision.runs < decision.grid
                ? fmt::format("; no other is better by more than {:.3g} %, by its lower bound\n",
                              g_percent * decision.question.within)
                : std::string("\n");
    std::size_t unknown = 0; // beyond a limit of CPU time or memory
    std::string refused;     // each reason once, with the first that it is given for
    for (const auto& refusal : CommonRefusals(decision.judged))
    {
        unknown += refusal.ofLimit ? refusal.count : 0;
        refused += fmt::format("cannot run: {}: {}\n",
                               TitleOf(decision.judged[refusal.first].candidate),
                               refusal.text);
    }
    if (unknown > 0)
    {
        text += fmt::format("{} may be better, and cannot be run within limits\n", unknown);
    }
    std::set<std::string> lossy;
    for (const auto& judged : decision.judged)
    {
        for (const auto& loss : judged.losses)
        {
            lossy.insert(loss.admitted ? "" : loss.kind);
        }
    }
    lossy.erase("");
    if (!lossy.empty())
    {
        text += fmt::format("left out, as values are lost: {}; --lossy admits them\n",
                            fmt::join(lossy, ", "));
    }
    return text + refused;
}

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
    System system{TitleOf(candidate), {}, "--set"};
    for (const auto& setting : candidate.settings)
    {
        system.settings.push_back({setting, "--set"});
    }
    return system;
}

/** What would have to change for the runner-up to win. */
std::string
ChangeText(const Decision& decision, const std::string& over, ScenarioVariants& variants)
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
DecideWithProgress(const DecideQuestion& question, ScenarioVariants& variants)
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
    const auto decision = DecideWithProgress(question, variants);
    fmt::print("{}",
               PrintableLines(BestText(decision, options.scenario) + "\n" + RankingText(decision) +
                              RestText(decision)));
    if (options.crossover != g_none)
    {
        const auto over =
            options.crossover.empty() ? AroundBandwidth(base.scenario) : options.crossover;
        fmt::print("{}", PrintableLines(ChangeText(decision, over, variants)));
    }
}

} // namespace

void
AddDecideCommand(CLI::App& app, ExitCode& /*exitCode*/)
{
    auto options = std::make_shared<DecideOptions>();
    auto* command =
        app.add_subcommand("decide", "which exchange, codec and size of buckets is best, and why");
    const OptionAdder add(*command);
    AddScenario(*command, options->scenario);
    AddSetOption(*command, options->settings);
    add("--over LIST", options->over, "what is chosen; the rest stays as it is")
        ->capture_default_str();
    add("--lossy LIST",
        options->lossy,
        "admits what loses values: inceptionn:2^-10 (or 2^-10), cast:bf16, truncate:16, int32 "
        "sums of switches, sketch (those that do not decode), 16-bit gradients; several "
        "between commas");
    add("--crossover KEY=LOW..HIGH",
        options->crossover,
        "what would have to change for the runner-up to win; none: nothing is run for it; "
        "otherwise cluster.bandwidth from a tenth to ten times");
    command->callback([options] { RunDecide(*options); });
}

} // namespace inca
