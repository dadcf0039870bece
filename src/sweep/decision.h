/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_DECISION_H
#define INCA_SWEEP_DECISION_H

#include "inca/plan/losses.h"
#include "inca/record/run-record.h"
#include "inca/scenario/scenario.h"
#include "inca/sweep/scenario-variants.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What `inca decide` may choose. */
struct DecideOver
{
    bool exchange{true}; ///< of the scenario's and those of NCCL, a ring with 1 and 2 channels
    bool codec{true};
    bool bucket{true};
    std::vector<std::string> exchanges; ///< more of them, by name
};

/** @param text "exchange,codec,bucket" or some of them, and names of exchanges. @throws InputError */
DecideOver ParseDecideOver(const std::string& text);

/** A loss that is admitted: its kind (Loss), and with what argument, if it is a codec. */
struct AdmittedLoss
{
    std::string
        kind; ///< "inceptionn", "cast", a switch's adder such as "int32", "sketch", "16-bit"
    std::string argument; ///< "2^-10"; empty: the scenario's
};

/**
 * @param text "inceptionn:2^-10,cast,int32"; "2^-10" is short for "inceptionn:2^-10"
 * @throws InputError if one is unknown, or loses nothing
 */
std::vector<AdmittedLoss> ParseLosses(const std::string& text);

/** One system that may be chosen, by its settings. */
struct Candidate
{
    std::string exchange; ///< names for people
    std::string codec;
    std::string bucket;
    std::vector<std::string>
        settings;             ///< "key=value", over the scenario's; none: the scenario as it is
    bool uncompressed{false}; ///< at the trace's own gradient type
    bool sixteenBits{false};  ///< uncompressed at 16 bits, whatever the trace has
    bool mayWin{true};        ///< false: others are compared with it only
};

/** Every codec that loses something, but sketches, with each of its usual arguments. */
std::vector<AdmittedLoss> LossesOfAllCodecs();

/**
 * The scenario's exchange of at most 2^16 values that are like its trace's, once: how far its sums are off, and how large they
 * are, is soon known.
 */
Scenario SumTrialOf(const Scenario& scenario);

/**
 * The scenario as it is, then the whole grid: every exchange, with every codec that loses nothing, those of @p losses, none,
 * and gradients of 16 bits, each with every size of buckets that makes other buckets. Gradients of 16 bits have buckets
 * of half as many bytes, and so as many buckets.
 * @param base the scenario, with its trace
 * @param over what is chosen; the rest is as the scenario says
 */
std::vector<Candidate> Candidates(const Scenario& base,
                                  const DecideOver& over,
                                  const std::vector<AdmittedLoss>& losses);

/** What `inca decide` is asked. */
struct DecideQuestion
{
    std::vector<std::string> settings; ///< of --set
    DecideOver over;
    std::vector<AdmittedLoss> losses;
    std::optional<double> error; ///< the vNMSE up to which sums may be off; empty: not asked
    double within{0.01};         ///< times that differ by less are called equal
};

/** What is known of a candidate. */
struct Judged
{
    Candidate candidate;
    std::vector<Loss> losses{};
    std::vector<std::string> leftOut{}; ///< kinds of them that are not admitted
    std::string refusal{};              ///< why it cannot run; empty: it can
    std::uint32_t hosts{0};             ///< workers, and what sums for them
    std::int64_t boundPs{0};            ///< no iteration can be faster
    double error{0};                    ///< vNMSE of its sums in a trial, if there was one
    bool isUnderrated{false};           ///< its sizes are not those of its sums (UnderratesSums)
    std::string whyNoValues{};          ///< with which they would be
    std::string whyOnlyFlows{};         ///< why a run as flows was not run again as frames
    std::optional<RunRecord> record{};  ///< of its run, if there was one

    /** @return whether it may be chosen */
    bool CanWin() const
    {
        return refusal.empty() && leftOut.empty() && candidate.mayWin;
    }

    bool WasRun() const
    {
        return record.has_value();
    }

    /** @return whether its time is that of messages as flows, an approximation */
    bool IsOfFlows() const
    {
        return WasRun() && record->Setting("simulation_mode") == "flow";
    }

    std::int64_t IterationPs() const
    {
        return record->results.iterationTimePs;
    }

    /** By its calibrated preset, if it has one. */
    std::int64_t SlowestPs() const
    {
        return record->results.Range().highPs;
    }
};

/** @return all settings of a candidate: the question's, but for those of keys that it sets itself, and its own */
std::vector<std::string> SettingsOf(const DecideQuestion& question, const Candidate& candidate);

constexpr std::size_t g_mostValueRuns = 6;
constexpr std::size_t g_mostFrameRuns = 12;

/** What is best, beside what. Indices are of `judged`, of which the first is the scenario as it is. */
struct Decision
{
    DecideQuestion question;
    std::vector<Judged> judged;
    /** Of the fastest on the scenario's hosts, those that are equal to it: the one that changes least. */
    std::optional<std::size_t> best;
    std::optional<std::size_t> bestUncompressed;  ///< at the trace's own gradient type
    std::optional<std::size_t> bestSixteenBits;   ///< uncompressed, at 16 bits
    std::optional<std::size_t> bestWithMoreHosts; ///< than the scenario has: servers of their own
    std::size_t grid{0};                          ///< candidates that can run, and are of use
    std::size_t runs{0};                          ///< of them, those that were run
    std::size_t valueRuns{0};                     ///< of them, those that were run with values, too
    std::size_t frameRuns{0};      ///< of them, those as flows that were run again as frames
    std::vector<std::string> idle; ///< warnings of keys that matter to none of them

    const Judged& Own() const
    {
        return judged.front();
    }

    /** @return those that may win as well as the best, as a calibrated preset leaves open which is faster */
    std::vector<std::size_t> Rivals() const
    {
        std::vector<std::size_t> rivals;
        for (std::size_t i = 0; best && i < judged.size(); ++i)
        {
            const auto& one = judged[i];
            const bool mayWin = i != *best && one.CanWin() && one.WasRun() && !TakesMoreHosts(one);
            if (mayWin && one.record->results.MayBeAsFast(judged[*best].record->results))
            {
                rivals.push_back(i);
            }
        }
        return rivals;
    }

    /** @return whether it takes hosts that the scenario has not */
    bool TakesMoreHosts(const Judged& one) const
    {
        return one.hosts > Own().hosts;
    }
};

/** A reason for which candidates cannot run. */
struct CommonRefusal
{
    std::size_t first{0}; ///< of those judged
    std::size_t others{0};
    std::string text; ///< the first's reason; that of others may name other values of the same key
};

/** Reasons in their order, those of one key as one. */
std::vector<CommonRefusal> CommonRefusals(const std::vector<Judged>& judged);

/**
 * With question.error all codecs that lose something are candidates, and those whose sums are near enough in a trial
 * (SumTrialOf) are admitted. Where values decide sizes, what a trial's sums take is taken; the scenario as it is, and what is
 * best, is run with values until no other is better, for at most g_mostValueRuns.
 *
 * With simulation.mode = "flow" it searches with flows. The scenario as it is, and what is best, at all or among those without a codec, is
 * run again in mode auto until no other is better, for at most g_mostFrameRuns.
 *
 * Finds the best candidates by their lower bounds: the most promising is run first, and no more are run
 * once what is left cannot be better by more than question.within. So the regret is within that, too.
 * @throws InputError if no candidate can win
 */
Decision Decide(const DecideQuestion& question, ScenarioVariants& variants, const PointRunner& run);

/**
 * Runs what may be the best of @p wanted, the least bound first, and of equal ones the least error. Any order has to run what
 * has a bound below the best time, by @p within; this one runs nothing else, but for bounds that are equal to the best's.
 * @param runOne fills in the record; what is refused has none
 * @return the best of them; nothing if none could be run
 */
std::optional<std::size_t> FindBest(const std::vector<std::size_t>& wanted,
                                    double within,
                                    std::vector<Judged>& judged,
                                    const std::function<void(Judged&)>& runOne);

} // namespace inca

#endif // INCA_SWEEP_DECISION_H
