/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CALIBRATION_STEP_FIT_H
#define INCA_CALIBRATION_STEP_FIT_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace inca
{

/** What exchanges of some sizes cost hosts: the constants of a [[host.protocol]]. */
struct StepCosts
{
    double startSeconds{0};   ///< of an exchange
    double messageSeconds{0}; ///< of each message
    double byteSeconds{0};    ///< of each byte of a message

    static constexpr std::size_t COUNT{3};
    std::array<double, COUNT> Values() const;
    static StepCosts Of(const std::array<double, COUNT>& values);
};

/**
 * One measured time, and how a simulation of it depends on the constants, near those with which it was asked:
 * fixedSeconds + starts * startSeconds + messages * messageSeconds + messageBytes * byteSeconds.
 */
struct FitPoint
{
    std::uint64_t bytes{0}; ///< of the exchange
    std::uint32_t ranks{0};
    double seconds{0}; ///< measured
    std::uint64_t partBytes{
        0}; ///< of what the exchange moves at a time, which has the constants of its own size
    double fixedSeconds{0};
    double starts{1};       ///< of its parts: 0 for a message by itself
    double messages{0};     ///< on the critical path
    double messageBytes{0}; ///< of these messages

    double PredictedSeconds(const StepCosts& costs) const;
};

/** Constants of sizes up to one. */
struct FittedPiece
{
    std::uint64_t upToBytes{0};
    StepCosts costs; ///< the middle of the corners
    /** Constants that explain the points as well as any do, as far from each other as that goes: one if points tell all apart. */
    std::vector<StepCosts> corners;
};

/**
 * Fits pieces, from small sizes to large ones: as many, and where, as BIC wants, each of 2 sizes or more. Libraries change their
 * protocol there. What a piece does not explain is no error of a measurement unless repetitions of a size differ as much, so that
 * smooth misfits buy further pieces; a single odd time buys none. Within a piece: weighted least squares (relative errors, constants from 0 on) by QR with
 * Huber's weights, so that single odd times do not bend it. Its corners are such fits of some of the constants alone that are
 * not significantly worse than the best of them (by the ratio of likelihoods, at 95 %). The same points give the same pieces.
 * @param points at least one, in any order; seconds above 0
 */
std::vector<FittedPiece> FitPieces(std::vector<FitPoint> points);

/** The piece of a size: beyond the last one, the last. @tparam Pieces a vector of them, const or not */
template <class Pieces>
auto&
PieceOf(Pieces& pieces, std::uint64_t bytes)
{
    const auto last = std::prev(pieces.end());
    return *std::find_if(
        pieces.begin(), last, [bytes](const auto& piece) { return bytes <= piece.upToBytes; });
}

/** How far predictions are off: |predicted / measured - 1|. */
struct FitErrors
{
    std::size_t count{0};
    double median{0};
    double p90{0};
    double worst{0};
};

FitErrors ErrorsOf(std::vector<double> relative);

} // namespace inca

#endif // INCA_CALIBRATION_STEP_FIT_H
