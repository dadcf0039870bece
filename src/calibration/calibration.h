/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CALIBRATION_CALIBRATION_H
#define INCA_CALIBRATION_CALIBRATION_H

#include "inca/calibration/step-fit.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

/** One exchange of a log, or one message. */
struct MeasuredTime
{
    std::uint64_t bytes{0};
    std::uint32_t ranks{0};
    double seconds{0};
    double share{
        1}; ///< of an all-reduce's messages: half of them gather what ranks have, or scatter their sums
    bool isMessage{
        false}; ///< from one host to another, without an exchange's start; takes part in fits, and is not predicted

    /** @return what it takes where an all-reduce takes @p allReduce, of which @p start is its start (s) */
    double Of(double allReduce, double start) const
    {
        return start + share * (allReduce - start);
    }
};

/** What links and hosts are taken for. */
struct CostModel
{
    double linkSpeed{1}; ///< times the bandwidth of the cluster that is simulated
    std::vector<FittedPiece> pieces = std::vector<FittedPiece>(1);
};

/** How measurements are simulated: as a run on the preset of a model does. */
struct Simulation
{
    /** What an all-reduce takes, of that size and among those ranks; of a message: whole, among hosts of one rank. (seconds) */
    std::function<double(const MeasuredTime&, const CostModel&)> seconds;
    std::uint64_t chunkBytes{0}; ///< what is larger is exchanged in such parts; 0: whole

    /** How many rounds a fit has: what parts cost hides behind what other parts wait for. */
    unsigned Rounds() const
    {
        return chunkBytes > 0 ? 4 : 2;
    }

    /** How often a fit simulates each time: where a round is, with each constant moved, what it found; and for each way to leave it out. */
    unsigned Runs() const
    {
        return 5 * Rounds() + 4;
    }
};

/** A measured time beside what the simulation with a model takes. */
struct PredictedTime
{
    MeasuredTime measured;
    double seconds{0};
};

/** A model of a part of the times, and what it predicts of the others. */
struct LeftOut
{
    std::string what; ///< "every second size"
    /** "sizes" or "ranks": it is one of those that leave out each of those between the others once. Empty: it is none of them. */
    std::string fold{};
    CostModel model{};
    std::vector<PredictedTime> times{};
};

/** What explains the times as well as the model does. */
struct Alternative
{
    std::string what; ///< "all of it messages"
    CostModel model;
};

/** Constants that make simulated all-reduces take what measured ones took, and how far they are to be trusted. */
struct Calibration
{
    CostModel model; ///< the middle of what explains the times
    std::vector<Alternative> alternatives;
    std::vector<PredictedTime> times; ///< in the order of the measured ones, without messages
    std::vector<LeftOut> leftOut;
    double repeats{
        0}; ///< how far repeats of one size differ from their mean, in the median; nothing better can be claimed
    std::set<std::uint32_t> ranks;
    std::uint64_t leastBytes{0};
    std::uint64_t mostBytes{0};
    std::vector<std::string> notes; ///< sentences for the user
};

/** @return @p times of at most 64 sizes for each number of ranks; what is left out is noted */
std::vector<MeasuredTime> FewSizes(const std::vector<MeasuredTime>& times,
                                   std::vector<std::string>& notes);

/** How much of the least that a time allows it the network takes, where all, and none, of it are alternatives. */
enum class LinkGuess : std::uint8_t
{
    KNOWN, ///< what the cluster's bandwidth says, which is a fact: there are no alternatives
    HALF,  ///< the middle
    ALL,   ///< as what shares links goes on at the same time
};

/**
 * Fits the constants of pieces by Gauss and Newton: the simulation says how each time depends on them, near where they
 * are, a least squares fit (FitPieces) moves them, some rounds, of which the best is taken. Of the repetitions of a size, 8 take
 * part. What is left out has a fit of its own, a guess of the bandwidth of its own, and is predicted by the simulation.
 * @param times one exchange at least
 * @param link where the fit of the network's share begins
 */
Calibration Calibrate(const std::vector<MeasuredTime>& times,
                      const Simulation& simulation,
                      LinkGuess link);

/** How the simulation with @p model predicts other times; messages are none of them. */
std::vector<PredictedTime> Predict(const CostModel& model,
                                   const std::vector<MeasuredTime>& times,
                                   const Simulation& simulation);

FitErrors ErrorsOf(const std::vector<PredictedTime>& times);

} // namespace inca

#endif // INCA_CALIBRATION_CALIBRATION_H
