/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/decision.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/word-sum.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "scenario/specs.h"
#include "trace/gradient-trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

using Indices = std::vector<std::size_t>;

constexpr const char* g_sizeKey = "codec.bits_per_value";

/** Whether what may be chosen makes this loss; candidates know whether gradients of 16 bits may win. */
bool
IsChosen(const Loss& loss, const DecideOver& over)
{
    const auto adders = AdderNames();
    const bool isOfSwitches = std::find(adders.begin(), adders.end(), loss.kind) != adders.end();
    return isOfSwitches ? over.exchange || !over.exchanges.empty()
                        : loss.kind != "16-bit" && over.codec;
}

bool
IsNamed(const Loss& loss, const std::vector<AdmittedLoss>& losses)
{
    return std::any_of(losses.begin(), losses.end(), [&loss](const AdmittedLoss& admitted) {
        return admitted.kind == loss.kind;
    });
}

/** What trials say of sums, each once. */
struct SumTrials
{
    const PointRunner& run;
    std::map<std::string, std::optional<RunRecord>> known{}; ///< by exchange and codec

    /** @return nothing if the trial of @p scenario cannot run */
    const std::optional<RunRecord>& Of(const Scenario& scenario, const Candidate& candidate)
    {
        const auto [place, isNew] =
            known.try_emplace(scenario.exchange.algorithm + '/' + candidate.codec);
        if (isNew)
        {
            place->second = run(SumTrialOf(scenario)).record;
        }
        return place->second;
    }
};

/** What a value takes in a trial, all hops together, where nobody has said it. */
void
TakeSizesOfTrial(Scenario& scenario, SumTrials& trials, Candidate& candidate)
{
    const auto& trial = trials.Of(scenario, candidate);
    if (trial && trial->results.achievedRatio && !scenario.codec.bitsPerValue)
    {
        const double plainBits = ReduceTypeOf(scenario) == "fp32" ? 32 : 16;
        const auto bits = fmt::format("{:.4g}", plainBits / *trial->results.achievedRatio);
        SetKey(scenario, g_sizeKey, bits);
        candidate.settings.push_back(std::string(g_sizeKey) + "=" + bits);
    }
}

/**
 * Fills in all that can be said without a clock. What the scenario loses as it is, its user has admitted, unless the
 * question says how much that may be.
 */
void
Judge(const DecideQuestion& question, Scenario scenario, SumTrials& trials, Judged& judged)
{
    const bool isOwn = judged.candidate.settings.empty();
    judged.isUnderrated = UnderratesSums(scenario);
    if (judged.isUnderrated && !isOwn)
    {
        TakeSizesOfTrial(scenario, trials, judged.candidate);
    }
    const auto plan = MakePlan(scenario);
    const auto& sketches = plan.Job().sketches;
    const bool codesNothing =
        !sketches.empty() &&
        std::all_of(sketches.begin(), sketches.end(), [](const PlannedSketch& sketch) {
            return sketch.rows == 0;
        });
    if (codesNothing && !isOwn) // what travels then is what travels without
    {
        judged.refusal = "codes nothing: no sketch that decodes is smaller than its values";
        return;
    }
    judged.hosts = plan.Job().job->RankCount();
    judged.boundPs = plan.Job().alone.isProven ? plan.Job().alone.iterationPs : 0;
    judged.losses = LossesOf(plan);
    for (auto& loss : judged.losses)
    {
        const bool isNamed = IsNamed(loss, question.losses);
        bool isAdmitted = isOwn || isNamed || !IsChosen(loss, question.over);
        const bool isMeasured = loss.kind != "16-bit" && loss.kind != "sketch";
        if (question.error && isMeasured)
        {
            const auto& trial = trials.Of(scenario, judged.candidate);
            const auto error = trial ? trial->results.sumVnmse : std::nullopt;
            judged.error = error.value_or(std::numeric_limits<double>::infinity());
            loss.text = fmt::format("vNMSE {:.2g}", judged.error);
            isAdmitted = isNamed || judged.error <= *question.error;
        }
        judged.leftOut.insert(judged.leftOut.end(), isAdmitted ? 0 : 1, loss.kind);
    }
}

template <class Wanted>
Indices
Where(const std::vector<Judged>& judged, Wanted wanted)
{
    Indices indices;
    for (std::size_t i = 0; i < judged.size(); ++i)
    {
        if (judged[i].refusal.empty() && wanted(judged[i]))
        {
            indices.push_back(i);
        }
    }
    return indices;
}

bool
IsOfUse(const Judged& judged)
{
    const auto& candidate = judged.candidate;
    const bool isOwn = candidate.settings.empty();
    const bool isCompared = candidate.mayWin || candidate.uncompressed || candidate.sixteenBits;
    return isOwn || (judged.leftOut.empty() && isCompared);
}

/**
 * @return of what is equal to the best, one whose sums have been counted, and of these what changes least of the scenario: the
 * settings that a user sees
 */
std::size_t
LeastChange(const Decision& decision)
{
    const auto& judged = decision.judged;
    const auto& own = decision.Own().candidate;
    const auto changes = [&](std::size_t i) {
        const auto& candidate = judged[i].candidate;
        const int of = (candidate.exchange != own.exchange ? 1 : 0) +
                       (candidate.codec != own.codec ? 1 : 0) +
                       (candidate.bucket != own.bucket ? 1 : 0);
        return std::tuple(judged[i].isUnderrated, of, judged[i].IterationPs());
    };
    const auto most =
        static_cast<double>(judged[*decision.best].IterationPs()) * (1 + decision.question.within);
    auto least = *decision.best;
    for (const auto i : Where(judged, [&](const Judged& one) {
             return one.CanWin() && one.WasRun() && !decision.TakesMoreHosts(one) &&
                    static_cast<double>(one.IterationPs()) < most;
         }))
    {
        least = changes(i) < changes(least) ? i : least;
    }
    return least;
}

/** Judges without running: bounds, losses, refusals. @throws InputError if the scenario itself is refused */
std::vector<Judged>
JudgeCandidates(const DecideQuestion& question,
                ScenarioVariants& variants,
                const PointRunner& run,
                IdleInAll& idle)
{
    SumTrials trials{run};
    auto losses = question.losses;
    if (question.error)
    {
        const auto all = LossesOfAllCodecs();
        losses.insert(losses.end(), all.begin(), all.end());
    }
    const auto base = variants.Make(question.settings).scenario;
    const auto own = FormatScenario(base);
    std::vector<Judged> judged;
    const auto candidates = Candidates(base, question.over, losses);
    for (std::size_t i = 0; i < candidates.size(); ++i)
    {
        ThrowIfInterrupted();
        const auto& candidate = candidates[i];
        Judged one;
        one.candidate = candidate;
        one.hosts = base.cluster.workers;
        try
        {
            const auto loaded = variants.Make(SettingsOf(question, candidate));
            const auto& scenario = loaded.scenario;
            idle.Add(loaded);
            if (i > 0 && FormatScenario(scenario) == own) // which is the first one
            {
                judged.front().candidate.uncompressed |= candidate.uncompressed;
                judged.front().candidate.sixteenBits |= candidate.sixteenBits;
                continue;
            }
            Judge(question, scenario, trials, one);
        }
        catch (const InputError& error)
        {
            one.refusal = error.Complaints().front();
        }
        judged.push_back(std::move(one));
    }
    return judged;
}

/** Settings may be refused that are right without values. */
PointOutcome
TryRun(const std::vector<std::string>& settings, ScenarioVariants& variants, const PointRunner& run)
{
    try
    {
        return run(variants.Make(settings).scenario);
    }
    catch (const InputError& error)
    {
        return {{}, error.Complaints().front()};
    }
}

} // namespace

Scenario
SumTrialOf(const Scenario& scenario)
{
    constexpr double most = 1U << 16U;
    auto trial = scenario;
    auto trace = *scenario.training.readTrace;
    const auto share = std::min(1.0, most / static_cast<double>(trace.Elements()));
    for (auto& layer : trace.layers)
    {
        const auto elements = std::floor(static_cast<double>(layer.elements) * share);
        layer.elements = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(elements));
        layer.tensors.clear();
    }
    trial.training.readTrace = std::make_shared<const GradientTrace>(std::move(trace));
    trial.training.values = true;
    trial.training.valuesFile.clear();
    trial.training.iterations = 1;
    trial.simulation.warmup = 0;
    return trial;
}

std::vector<std::string>
SettingsOf(const DecideQuestion& question, const Candidate& candidate)
{
    auto settings = WithoutKeysOf(question.settings, candidate.settings);
    settings.insert(settings.end(), candidate.settings.begin(), candidate.settings.end());
    return settings;
}

std::vector<CommonRefusal>
CommonRefusals(const std::vector<Judged>& judged)
{
    std::vector<CommonRefusal> refusals;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < judged.size(); ++i)
    {
        const auto& refusal = judged[i].refusal;
        if (refusal.empty())
        {
            continue;
        }
        const auto [place, isNew] =
            places.emplace(refusal.substr(0, refusal.find(':')), refusals.size());
        if (isNew)
        {
            refusals.push_back({i, 0, refusal});
            continue;
        }
        ++refusals[place->second].others;
    }
    return refusals;
}

std::optional<std::size_t>
FindBest(const std::vector<std::size_t>& wanted,
         double within,
         std::vector<Judged>& judged,
         const std::function<void(Judged&)>& runOne)
{
    auto order = wanted;
    std::stable_sort(order.begin(), order.end(), [&judged](std::size_t a, std::size_t b) {
        const auto& [one, other] = std::tie(judged[a], judged[b]);
        return std::tie(one.boundPs, one.error) < std::tie(other.boundPs, other.error);
    });
    std::optional<std::size_t> best;
    const auto take = [&](std::size_t i) {
        if (judged[i].WasRun() && (!best || judged[i].IterationPs() < judged[*best].IterationPs()))
        {
            best = i;
        }
    };
    std::for_each(order.begin(), order.end(), take); // what was run before
    for (const auto i : order)
    {
        const auto least = static_cast<double>(judged[i].boundPs) * (1 + within);
        if (best && least >= static_cast<double>(judged[*best].SlowestPs()))
        {
            break;
        }
        if (!judged[i].WasRun() && judged[i].refusal.empty())
        {
            runOne(judged[i]);
            take(i);
        }
    }
    return best;
}

Decision
Decide(const DecideQuestion& question, ScenarioVariants& variants, const PointRunner& run)
{
    Decision decision;
    decision.question = question;
    IdleInAll idle;
    decision.judged = JudgeCandidates(question, variants, run, idle);
    decision.idle = idle.Warnings();
    auto& judged = decision.judged;
    const auto runOne = [&](Judged& one) {
        auto outcome = run(variants.Make(SettingsOf(question, one.candidate)).scenario);
        ++decision.runs;
        one.record = std::move(outcome.record);
        one.refusal = outcome.refusal;
    };
    const auto runAgain = [&](Judged& one,
                              const std::string& setting,
                              const std::vector<std::string>& without,
                              std::string& whyNot) {
        auto candidate = one.candidate;
        candidate.settings = WithoutKeysOf(candidate.settings, without);
        candidate.settings.push_back(setting);
        auto outcome = TryRun(SettingsOf(question, candidate), variants, run);
        whyNot = outcome.refusal;
        if (outcome.record)
        {
            one.candidate = std::move(candidate);
            one.record = std::move(outcome.record);
        }
        return whyNot.empty();
    };
    const auto runWithValues = [&](Judged& one) {
        one.isUnderrated = !runAgain(one, "training.values=true", {g_sizeKey}, one.whyNoValues);
        decision.valueRuns += one.isUnderrated ? 0 : 1;
    };
    const auto runAsFrames = [&](Judged& one) {
        decision.frameRuns += runAgain(one, "simulation.mode=auto", {}, one.whyOnlyFlows) ? 1 : 0;
    };
    /** @return whether it was run again, as more can be known of it */
    const auto learnsMore = [&](Judged& one) {
        if (one.isUnderrated && one.whyNoValues.empty() && decision.valueRuns < g_mostValueRuns)
        {
            runWithValues(one);
            return true;
        }
        if (one.IsOfFlows() && one.whyOnlyFlows.empty() && decision.frameRuns < g_mostFrameRuns)
        {
            runAsFrames(one);
            return true;
        }
        return false;
    };
    const auto best = [&](const auto& wanted) {
        return FindBest(Where(judged, wanted), question.within, judged, runOne);
    };
    const auto settled = [&](const auto& find) {
        auto found = find();
        while (found && learnsMore(judged[*found]))
        {
            found = find();
        }
        return found;
    };
    const auto isHere = [&decision](const Judged& one) { return !decision.TakesMoreHosts(one); };
    decision.grid = Where(judged, IsOfUse).size();
    if (decision.Own().refusal.empty())
    {
        runOne(judged.front());
        while (judged.front().WasRun() && learnsMore(judged.front()))
        {
        }
    }
    decision.best = settled([&] {
        decision.best = best([&](const Judged& one) { return one.CanWin() && isHere(one); });
        return decision.best ? std::optional(LeastChange(decision)) : std::nullopt;
    });
    decision.bestWithMoreHosts = settled(
        [&] { return best([&](const Judged& one) { return one.CanWin() && !isHere(one); }); });
    if (!decision.best)
    {
        std::vector<std::string> reasons;
        for (const auto& refusal : CommonRefusals(judged))
        {
            reasons.push_back(refusal.text);
        }
        if (question.error)
        {
            reasons.push_back(fmt::format(
                "--error: all sums are off by a vNMSE of more than {:g}; a larger one, or "
                "--over codec, helps",
                *question.error));
        }
        throw InputError(reasons);
    }
    decision.bestUncompressed = settled([&] {
        return best([&](const Judged& one) {
            return one.leftOut.empty() && one.candidate.uncompressed && isHere(one);
        });
    });
    decision.bestSixteenBits = settled([&] {
        return best([&](const Judged& one) {
            return one.leftOut.empty() && one.candidate.sixteenBits && isHere(one);
        });
    });
    return decision;
}

} // namespace inca
