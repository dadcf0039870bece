/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CALIBRATION_CALIBRATION_H
#define INCA_CALIBRATION_CALIBRATION_H

#include "calibration/step-fit.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace inca
{

/** One all-reduce of a log. */
struct MeasuredTime
{
    std::uint64_t bytes{0};
    std::uint32_t ranks{0};
    double seconds{0};
};

/** What an all-reduce takes where hosts have these costs. (seconds) */
using SimulateAllReduce =
    std::function<double(std::uint64_t bytes, std::uint32_t ranks, const StepCosts&)>;

/** The errors of a prediction of times that were left out of the fit. */
struct LeftOut
{
    std::string what; ///< "every second size"
    FitErrors errors;
    bool isBeyond{false}; ///< larger than all that were fitted
};

/** A measured time beside what the simulation with the fitted constants takes. */
struct PredictedTime
{
    MeasuredTime measured;
    double seconds{0};
};

/** Constants that make simulated all-reduces take what measured ones took, and how far they are to be trusted. */
struct Calibration
{
    std::vector<FittedPiece> pieces;
    std::vector<PredictedTime> times; ///< in the order of the measured ones
    FitErrors fit;                    ///< of these
    std::vector<LeftOut> leftOut;
    double repeats{0}; ///< how far repeats of one size differ from their mean, in the median; nothing better can be claimed
    std::set<std::uint32_t> ranks;
    std::uint64_t leastBytes{0};
    std::uint64_t mostBytes{0};
    std::vector<std::string> notes; ///< sentences for the user

    /**
     * Below what nine of ten predictions are off: of sizes and ranks between those seen, and of sizes beyond. 1: nothing was
     * left out that would say so.
     * @{
     */
    double LeftOutError() const;
    double BeyondError() const;
    /** @} */
};

/**
 * Fits the constants of pieces by Gauss and Newton: the simulation says how each time depends on them, near where they
 * are, a least squares fit (FitPieces) moves them, twice.
 * @param times one at least
 */
Calibration Calibrate(const std::vector<MeasuredTime>& times, const SimulateAllReduce& simulate);

constexpr unsigned RUNS_OF_A_FIT{7}; ///< three in each round, and one with what was found, of each size and number of ranks

/** How the simulation with the constants of @p pieces predicts other times. */
std::vector<PredictedTime> Predict(const std::vector<FittedPiece>& pieces,
                                   const std::vector<MeasuredTime>& times,
                                   const SimulateAllReduce& simulate);

FitErrors ErrorsOf(const std::vector<PredictedTime>& times);

} // namespace inca

#endif // INCA_CALIBRATION_CALIBRATION_H
