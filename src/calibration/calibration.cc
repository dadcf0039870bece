/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/calibration.h"

#include "base/units.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace inca
{

namespace
{

constexpr int g_rounds = 2; ///< of Gauss and Newton
static_assert(RUNS_OF_A_FIT == 3 * g_rounds + 1);

using Place = std::pair<std::uint64_t, std::uint32_t>; ///< bytes and ranks of a time

Place
PlaceOf(const MeasuredTime& time)
{
    return {time.bytes, time.ranks};
}

/** How simulated times depend on the constants near those of @p pieces, or near none at all. */
class Linearisation
{
  public:
    Linearisation(const std::vector<FittedPiece>& pieces, const SimulateAllReduce& simulate)
        : m_pieces(pieces),
          m_simulate(simulate)
    {
    }

    FitPoint Of(const MeasuredTime& time)
    {
        const auto [place, isNew] = m_known.try_emplace(PlaceOf(time));
        if (isNew)
        {
            place->second = At(time.bytes, time.ranks);
        }
        auto point = place->second;
        point.seconds = time.seconds;
        return point;
    }

  private:
    FitPoint At(std::uint64_t bytes, std::uint32_t ranks) const
    {
        const auto costs = m_pieces.empty() ? StepCosts{} : PieceOf(m_pieces, bytes).costs;
        constexpr double share = 0.1;
        constexpr double leastMessage = 1e-6;
        constexpr double leastByte = 1e-11;
        auto moved = costs;
        const auto here = m_simulate(bytes, ranks, costs);
        const auto messageStep = std::max(leastMessage, share * costs.messageSeconds);
        moved.messageSeconds += messageStep;
        const auto messages = (m_simulate(bytes, ranks, moved) - here) / messageStep;
        moved = costs;
        const auto byteStep = std::max(leastByte, share * costs.byteSeconds);
        moved.byteSeconds += byteStep;
        const auto messageBytes = (m_simulate(bytes, ranks, moved) - here) / byteStep;
        FitPoint point{bytes, ranks, 0, 0, messages, messageBytes};
        point.fixedSeconds = here - point.PredictedSeconds(costs);
        return point;
    }

    const std::vector<FittedPiece>& m_pieces;
    const SimulateAllReduce& m_simulate;
    std::map<Place, FitPoint> m_known;
};

template <class IsLeft>
void
AddLeftOut(LeftOut one,
           const std::vector<FitPoint>& points,
           IsLeft isLeft,
           std::vector<LeftOut>& all)
{
    std::vector<FitPoint> left;
    std::vector<FitPoint> kept;
    for (const auto& point : points)
    {
        (isLeft(point) ? left : kept).push_back(point);
    }
    if (!left.empty() && !kept.empty())
    {
        one.errors = ErrorsOf(FitPieces(kept), left);
        all.push_back(std::move(one));
    }
}

std::vector<LeftOut>
LeftOutOf(const std::vector<FitPoint>& points)
{
    std::set<std::uint64_t> sizes;
    std::set<std::uint32_t> ranks;
    for (const auto& point : points)
    {
        sizes.insert(point.bytes);
        ranks.insert(point.ranks);
    }
    const auto orderOf = [&sizes](const FitPoint& point) {
        return static_cast<std::size_t>(std::distance(sizes.begin(), sizes.find(point.bytes)));
    };
    std::vector<LeftOut> all;
    const auto count = sizes.size();
    AddLeftOut(
        {"every second size", {}},
        points,
        [&](const FitPoint& p) { return orderOf(p) % 2 == 1 && orderOf(p) + 1 < count; },
        all);
    AddLeftOut(
        {"upper half of sizes", {}, true},
        points,
        [&](const auto& p) { return 2 * orderOf(p) >= count; },
        all);
    for (const auto left : ranks)
    {
        AddLeftOut(
            {std::to_string(left) + " ranks", {}},
            points,
            [&](const auto& p) { return p.ranks == left; },
            all);
    }
    return all;
}

/** Of the sizes that were measured more than once. */
double
RepeatsOf(const std::vector<MeasuredTime>& times)
{
    std::map<Place, std::vector<double>> byPlace;
    for (const auto& time : times)
    {
        byPlace[PlaceOf(time)].push_back(time.seconds);
    }
    std::vector<double> spreads;
    for (const auto& [place, all] : byPlace)
    {
        double sum = 0;
        for (const auto seconds : all)
        {
            sum += seconds;
        }
        const auto mean = sum / static_cast<double>(all.size());
        for (const auto seconds : all)
        {
            if (all.size() > 1)
            {
                spreads.push_back(std::abs(seconds / mean - 1));
            }
        }
    }
    return ErrorsOf(std::move(spreads)).median;
}

/** Where a larger tensor took clearly less time: no model of steps does that. */
void
AddFalls(const std::vector<MeasuredTime>& times, std::vector<std::string>& notes)
{
    constexpr double clearly = 0.9;
    std::map<std::uint32_t, std::map<std::uint64_t, double>> least;
    for (const auto& time : times)
    {
        auto& here = least[time.ranks].try_emplace(time.bytes, time.seconds).first->second;
        here = std::min(here, time.seconds);
    }
    for (const auto& [ranks, bySize] : least)
    {
        for (auto at = bySize.begin(); at != bySize.end() && std::next(at) != bySize.end(); ++at)
        {
            const auto after = std::next(at);
            if (after->second < clearly * at->second)
            {
                notes.push_back("With " + std::to_string(ranks) + " ranks, " +
                                g_byteCount.Format(after->first) + " took less time than " +
                                g_byteCount.Format(at->first) +
                                ": a protocol or an algorithm changes between them, or a time is odd.");
            }
        }
    }
}

/** Where a network alone takes longer than what was measured, it is another network. */
void
AddFloor(const std::vector<FitPoint>& points, std::vector<std::string>& notes)
{
    const auto slower = std::count_if(points.begin(), points.end(), [](const auto& point) {
        constexpr double clearly = 1.1;
        return point.fixedSeconds > clearly * point.seconds;
    });
    if (slower > 0)
    {
        notes.push_back("Of " + std::to_string(points.size()) + " times, " + std::to_string(slower) +
                        " are shorter than the network alone takes in a simulation: give the "
                        "cluster's bandwidth, GPUs per worker and exchange by --set.");
    }
}

/** Where nothing can be claimed. */
void
AddVerdict(Calibration& result)
{
    constexpr double useless = 0.5;
    if (result.leftOut.empty())
    {
        result.notes.push_back("One size judges nothing: a preset of it is a guess. Measure more sizes.");
    }
    if (result.fit.median > useless)
    {
        result.notes.push_back("This fit is of no use: half of the times are off by more than a half. Are bandwidth, "
                               "GPUs, exchange and ranks those of the cluster?");
    }
}

} // namespace

double
Calibration::LeftOutError() const
{
    double most = leftOut.empty() ? 1 : fit.p90;
    for (const auto& one : leftOut)
    {
        most = std::max(most, one.isBeyond ? 0 : one.errors.p90);
    }
    return most;
}

double
Calibration::BeyondError() const
{
    double most = LeftOutError();
    for (const auto& one : leftOut)
    {
        most = std::max(most, one.errors.p90);
    }
    return most;
}

std::vector<PredictedTime>
Predict(const std::vector<FittedPiece>& pieces,
        const std::vector<MeasuredTime>& times,
        const SimulateAllReduce& simulate)
{
    std::map<Place, double> known;
    std::vector<PredictedTime> predicted;
    for (const auto& time : times)
    {
        const auto [place, isNew] = known.try_emplace(PlaceOf(time));
        if (isNew)
        {
            place->second = simulate(time.bytes, time.ranks, PieceOf(pieces, time.bytes).costs);
        }
        predicted.push_back({time, place->second});
    }
    return predicted;
}

FitErrors
ErrorsOf(const std::vector<PredictedTime>& times)
{
    std::vector<double> relative;
    for (const auto& time : times)
    {
        relative.push_back(std::abs(time.seconds / time.measured.seconds - 1));
    }
    return ErrorsOf(std::move(relative));
}

Calibration
Calibrate(const std::vector<MeasuredTime>& times, const SimulateAllReduce& simulate)
{
    Calibration result;
    std::vector<FitPoint> points;
    for (int round = 0; round < g_rounds; ++round)
    {
        Linearisation simulated(result.pieces, simulate);
        points.clear();
        for (const auto& time : times)
        {
            points.push_back(simulated.Of(time));
        }
        result.pieces = FitPieces(points);
    }
    AddIntervals(points, result.pieces);
    result.times = Predict(result.pieces, times, simulate);
    result.fit = ErrorsOf(result.times);
    result.leftOut = LeftOutOf(points);
    result.repeats = RepeatsOf(times);
    result.leastBytes = points.front().bytes;
    for (const auto& point : points)
    {
        result.ranks.insert(point.ranks);
        result.leastBytes = std::min(result.leastBytes, point.bytes);
        result.mostBytes = std::max(result.mostBytes, point.bytes);
    }
    AddFalls(times, result.notes);
    AddFloor(points, result.notes);
    AddVerdict(result);
    return result;
}

} // namespace inca
