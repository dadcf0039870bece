/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/nearest.h"
#include "base/printable.h"
#include "base/units.h"
#include "base/value-form.h"
#include "cli/command-line.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/standard-streams.h"
#include "codec/codec-catalog.h"
#include "exchange/exchange-catalog.h"
#include "report/progress.h"
#include "report/text-table.h"
#include "sweep/decision.h"
#include "sweep/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

namespace
{

struct DecideOptions
{
    std::string scenario;
    std::vector<std::string> settings;
    std::string over{"exchange,codec,bucket"};
    std::vector<std::string> lossy;
    std::optional<double> error;
};

std::string
CandidateTitle(const Candidate& candidate)
{
    return candidate.exchange + ", " + candidate.codec + ", " + candidate.bucket;
}

/** "258.7 us", by a calibrated preset "258.7 us, 242.7 us to 328.5 us". */
std::string
TimeText(const Judged& one)
{
    const auto& results = one.record->results;
    const auto time = HumanPicoseconds(one.IterationPs());
    return results.iterationTimeRange.empty() ? time
           : results.iterationTimeLowPs
               ? fmt::format("{}, {} to {}",
                             time,
                             HumanPicoseconds(*results.iterationTimeLowPs),
                             HumanPicoseconds(*results.iterationTimeHighPs))
               : time + ", no range";
}

/** "+25.0 %": how much faster @p one is; "equal" below the least that counts; "-" where there is nothing to compare with */
std::string
GainText(const Decision& decision, const Judged& one, const std::optional<std::size_t>& other)
{
    if (!other)
    {
        return "-";
    }
    const auto& rival = decision.judged[*other];
    const auto gain =
        static_cast<double>(rival.IterationPs()) / static_cast<double>(one.IterationPs()) - 1;
    const bool isOpen = &rival != &one && one.record->results.MayBeAsFast(rival.record->results);
    return isOpen                                      ? "undecided"
           : std::abs(gain) < decision.question.within ? "equal"
                                                       : fmt::format("{:+.1f} %", g_percent * gain);
}

/** What the best is against the best of its rivals. */
std::string
AgainstText(const Decision& decision, const char* what, const std::optional<std::size_t>& rival)
{
    if (!rival)
    {
        return fmt::format("        nothing that is {} can run\n", what);
    }
    const auto& judged = decision.judged;
    const auto gain = GainText(decision, judged[*decision.best], rival);
    return fmt::format("        {} {}, {}: {}\n",
                       gain == "undecided"   ? "may be faster or slower than"
                       : gain == "equal"     ? "as fast as"
                       : gain.front() == '-' ? gain.substr(1) + " slower than"
                                             : gain.substr(1) + " faster than",
                       what,
                       CandidateTitle(judged[*rival].candidate),
                       TimeText(judged[*rival]));
}

/** The scenario as it is, where nothing is better, and why. */
std::string
KeepText(const Decision& decision)
{
    const auto& own = decision.Own();
    const auto& results = own.record->results;
    const bool isAtBound =
        static_cast<double>(own.IterationPs()) <
        static_cast<double>(results.lowerBoundPs.value_or(0)) * (1 + decision.question.within);
    return fmt::format(
        "best    your scenario as it is, {}: {} per iteration; nothing else is {:g} % faster\n"
        "        limited by {}{}\n",
        CandidateTitle(own.candidate),
        TimeText(own),
        g_percent * decision.question.within,
        results.limitedBy,
        results.limitedBy == "compute" && isAtBound ? ": nothing on the network helps" : "");
}

/** Why a calibrated preset has no range for the best, or for one that may be as fast; empty: it has all. */
std::string
WhyNoRange(const Decision& decision)
{
    auto open = decision.Rivals();
    open.push_back(*decision.best);
    for (const auto one : open)
    {
        const auto& results = decision.judged[one].record->results;
        if (!results.iterationTimeLowPs)
        {
            return results.iterationTimeRange.substr(NO_RANGE.size());
        }
    }
    return "";
}

/** Which measurement would tell what a preset leaves open. */
std::string
MeasurementText(const Scenario& scenario, bool isExtrapolated)
{
    const auto& seen = *scenario.cluster.calibrated;
    const auto ranks = scenario.cluster.workers * scenario.cluster.gpus;
    if (isExtrapolated)
    {
        return fmt::format(
            "all-reduces of the sizes of its buckets among {} ranks: it has seen {} to {} among {}",
            ranks,
            HumanBytes(seen.leastBytes),
            HumanBytes(seen.mostBytes),
            fmt::join(seen.ranks, ", "));
    }
    return seen.ranks.size() == 1 ? fmt::format("two or three counts of ranks beside {}, which "
                                                "tell an exchange's start from its messages",
                                                *seen.ranks.begin())
                                  : "more sizes around those of its buckets, and repetitions";
}

/** What cannot be told apart, where a calibrated preset's ranges overlap. */
std::string
OpenText(const Decision& decision, const Scenario& scenario)
{
    const auto& best = decision.judged[*decision.best];
    const auto rivals = decision.Rivals();
    constexpr std::size_t most = 3;
    const auto whyNoRange = WhyNoRange(decision);
    auto text = fmt::format(
        "undecided: by the preset any of these {} may be the fastest, as {}\n        {}: {}\n",
        rivals.size() + 1,
        whyNoRange.empty() ? "their ranges overlap" : "not all have a range: " + whyNoRange,
        CandidateTitle(best.candidate),
        TimeText(best));
    for (std::size_t i = 0; i < std::min(most, rivals.size()); ++i)
    {
        const auto& rival = decision.judged[rivals[i]];
        text += fmt::format("        {}: {}\n", CandidateTitle(rival.candidate), TimeText(rival));
    }
    return text +
           (rivals.size() > most ? fmt::format("        and {} more\n", rivals.size() - most)
                                 : "") +
           "        what would tell them apart: " +
           MeasurementText(scenario, whyNoRange == "extrapolated") + "\n";
}

std::string
BestText(const Decision& decision, const std::string& name, const Scenario& scenario)
{
    const auto& judged = decision.judged;
    const auto& best = judged[*decision.best];
    const bool keeps = *decision.best == 0;
    auto text = !decision.Rivals().empty() ? OpenText(decision, scenario)
                : keeps                    ? KeepText(decision)
                                           : fmt::format("best    {}: {} per iteration\n",
                                      CandidateTitle(best.candidate),
                                      TimeText(best));
    const auto& uncompressed = decision.bestUncompressed;
    if (best.isUnderrated)
    {
        text += fmt::format(
            "        may not hold: its sums take more than its sizes say; with values: {}\n",
            best.whyNoValues.empty() ? "not run, as many others were" : best.whyNoValues);
    }
    if (best.IsOfFlows())
    {
        text += fmt::format("        an approximation, as its messages are flows; as frames: {}\n",
                            best.whyOnlyFlows.empty() ? "not run, as many others were"
                                                      : best.whyOnlyFlows);
    }
    if (!keeps && decision.Own().WasRun())
    {
        text += AgainstText(
            decision, uncompressed == 0U ? "yours, the best uncompressed tried" : "yours", 0);
    }
    if (uncompressed != decision.best && uncompressed != 0U)
    {
        text += AgainstText(decision, "the best uncompressed tried", uncompressed);
    }
    const bool hasSixteenBits = std::any_of(
        judged.begin(), judged.end(), [](const auto& one) { return one.candidate.sixteenBits; });
    if (hasSixteenBits && decision.bestSixteenBits != uncompressed)
    {
        text += AgainstText(
            decision, "the best uncompressed tried at 16 bits", decision.bestSixteenBits);
    }
    const auto settings = SettingsOf(decision.question, best.candidate);
    return text + "        " + ShellLine(WithSettings({"inca", "run", name}, settings)) + "\n";
}

/** What was run on the scenario's hosts, or on more, the fastest first; equal ones have one rank. */
std::string
RankingText(const Decision& decision, bool withMoreHosts)
{
    std::vector<const Judged*> ranked;
    for (const auto& judged : decision.judged)
    {
        const bool isShown = judged.WasRun() && decision.TakesMoreHosts(judged) == withMoreHosts;
        ranked.insert(ranked.end(), isShown ? 1 : 0, &judged);
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
                     "gain over uncompressed",
                     "gain over 16 bits"},
                    words);
    int rank = 0;
    double equalPs = 0; // up to where the next one has the same rank
    for (const auto* judged : ranked)
    {
        const auto& candidate = judged->candidate;
        const auto ps = static_cast<double>(judged->IterationPs());
        if (judged->CanWin() && ps >= equalPs)
        {
            ++rank;
            equalPs = ps * (1 + decision.question.within);
        }
        const auto place = judged->CanWin() ? std::to_string(rank) : "-";
        table.AddRow({judged == &decision.Own() ? place + " yours" : place,
                      candidate.exchange,
                      candidate.codec,
                      candidate.bucket,
                      LossesText(judged->losses),
                      judged->record->results.limitedBy,
                      TimeText(*judged),
                      GainText(decision, *judged, decision.bestUncompressed),
                      GainText(decision, *judged, decision.bestSixteenBits)});
    }
    return ranked.empty() ? "" : table.Text();
}

/** What needs hosts that the scenario has not. */
std::string
MoreHostsText(const Decision& decision)
{
    const auto table = RankingText(decision, true);
    if (table.empty())
    {
        return "";
    }
    const auto& best = decision.judged[*decision.bestWithMoreHosts];
    return fmt::format("\nwith more hosts than the scenario's {}: {} of the first\n{}",
                       decision.Own().hosts,
                       best.hosts,
                       table);
}

/** Codecs of messages that lose nothing, which only a scenario that has them tries. */
std::vector<std::string>
LosslessNotAmong(const std::vector<std::string>& tried)
{
    std::vector<std::string> names;
    for (const auto& entry : CodecCatalog())
    {
        CodecSpec spec;
        spec.name = entry.name;
        const bool isOne = entry.unit == CodedUnit::MESSAGE && MakeCodec(spec)->IsLossless();
        names.insert(names.end(), isOne && !IsAmong(entry.name, tried) ? 1 : 0, entry.name);
    }
    return names;
}

/** What was looked at, and what was not. */
std::string
TriedText(const Decision& decision)
{
    std::vector<std::string> exchanges;
    std::vector<std::string> codecs;
    std::vector<std::string> buckets;
    auto others = ExchangeCatalog().Names();
    for (const auto& judged : decision.judged)
    {
        const auto& candidate = judged.candidate;
        const bool isBaseline = candidate.sixteenBits && !candidate.uncompressed;
        AddOnce(exchanges, {candidate.exchange});
        AddOnce(codecs, {candidate.codec});
        AddOnce(buckets, isBaseline ? std::vector<std::string>() : std::vector{candidate.bucket});
        const auto name = candidate.exchange.substr(0, candidate.exchange.find(' '));
        others.erase(std::remove(others.begin(), others.end(), name), others.end());
    }
    const auto& question = decision.question;
    const bool hasLosses = !question.losses.empty() || question.error;
    const auto lossless =
        question.over.codec ? LosslessNotAmong(codecs) : std::vector<std::string>();
    return fmt::format(
        "tried: exchanges {}; codecs {}; buckets {}\nnot tried: {}{}{}\n",
        fmt::join(exchanges, ", "),
        fmt::join(codecs, " | "),
        fmt::join(buckets, ", "),
        others.empty() ? "no other exchange"
                       : fmt::format("{} (--over tries them by name)", fmt::join(others, ", ")),
        lossless.empty()
            ? ""
            : fmt::format("; codecs {} (codec.name: a scenario says how fast and how small)",
                          fmt::join(lossless, ", ")),
        hasLosses || !question.over.codec ? "" : "; codecs that lose values (--lossy)");
}

/** What was not run, and why. */
std::string
RestText(const Decision& decision)
{
    const auto& judged = decision.judged;
    auto text = fmt::format("\nran {} of {} candidates", decision.runs, decision.grid);
    text += decision.runs < decision.grid
                ? fmt::format("; no other is better by more than {:.3g} %, by its lower bound\n",
                              g_percent * decision.question.within)
                : std::string("\n");
    const auto underrated = std::count_if(judged.begin(), judged.end(), [](const Judged& one) {
        return one.WasRun() && one.isUnderrated;
    });
    if (decision.valueRuns + underrated > 0)
    {
        text += fmt::format(
            "as sums grow, {} ran with values{}\n",
            decision.valueRuns,
            underrated == 0 ? "" : fmt::format("; {} take what a trial's sums take", underrated));
    }
    const bool hasFlows =
        std::any_of(judged.begin(), judged.end(), [](const auto& one) { return one.IsOfFlows(); });
    if (hasFlows || decision.frameRuns > 0)
    {
        text += fmt::format(
            "searched with messages as flows, an approximation; {} ran again as frames\n",
            decision.frameRuns);
    }
    text += TriedText(decision);
    std::set<std::string> lossy;
    for (const auto& one : judged)
    {
        lossy.insert(one.leftOut.begin(), one.leftOut.end());
    }
    if (!lossy.empty())
    {
        text += fmt::format("left out, as values are lost: {}; --lossy admits them{}\n",
                            fmt::join(lossy, ", "),
                            decision.question.error ? ", or a larger --error" : "");
    }
    for (const auto& [first, others, reason] : CommonRefusals(judged))
    {
        text += fmt::format("cannot run: {}{}: {}\n",
                            CandidateTitle(judged[first].candidate),
                            others == 0 ? "" : fmt::format(" and {} more", others),
                            reason);
    }
    return text;
}

/** Each once, with the first that it is said of. */
std::vector<std::string>
WarningsOf(const Decision& decision)
{
    auto warnings = decision.idle;
    std::set<std::string> known;
    for (const auto& one : decision.judged)
    {
        for (const auto& text : one.WasRun() ? one.record->warnings : std::vector<std::string>())
        {
            if (known.insert(text).second)
            {
                warnings.push_back("at " + CandidateTitle(one.candidate) + ": " + text);
            }
        }
    }
    return warnings;
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
        options.settings, ParseDecideOver(options.over), LossesIn(options.lossy), options.error};
    ScenarioVariants variants(options.scenario);
    variants.LimitCpuTime(ONE_OF_MANY_CPU_PS);
    constexpr double usualRuns = 30;
    Progress progress("decide");
    const auto run = [&progress, runs = 0.0](const Scenario& scenario) mutable {
        auto outcome = RunPoint(scenario);
        progress.Update(++runs / usualRuns);
        return outcome;
    };
    const auto decision = Decide(question, variants, run);
    progress.Done();
    Warn(WarningsOf(decision));
    fmt::print("{}",
               PrintableLines(
                   BestText(decision, options.scenario, variants.Make(options.settings).scenario) +
                   "\n" + RankingText(decision, false) + MoreHostsText(decision) +
                   RestText(decision)));
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
    add("--over LIST",
        options->over,
        "what is chosen, the rest stays as it is: exchange (those of NCCL, ring with 1 and 2 "
        "channels, and tree), codec, bucket, and any exchange by its name, such as switch-slots")
        ->capture_default_str();
    add("--lossy LIST",
        options->lossy,
        "admits what loses values: inceptionn:2^-10 (or 2^-10), cast:bf16, truncate:16, sums of "
        "switches by their adder, such as int32, sketch (those that do not decode), 16-bit "
        "gradients; several between commas");
    add(
        "--error E",
        options->error,
        [](const std::string& text) {
            return DecimalForm({0, 1}).parse(text);
        },
        "admits what leaves sums within a vNMSE of E, as in 1e-2, in a trial with values like the "
        "trace's: of all codecs, with all their usual arguments");
    command->callback([options] { RunDecide(*options); });
}

} // namespace inca
