/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "calibration/calibration.h"

#include "base/units.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace inca
{

namespace
{

constexpr std::size_t g_folds = 4;
constexpr std::uint64_t g_fillsLink = 1U << 20U; ///< smaller tensors say little of a link's rate
constexpr double g_fast = 100;                   ///< times as fast: takes nothing

using Place =
    std::tuple<std::uint64_t, std::uint32_t, double, bool>; ///< all of a time but how long it took
using Points = std::vector<FitPoint>;

Place
PlaceOf(const MeasuredTime& time)
{
    return {time.bytes, time.ranks, time.share, time.isMessage};
}

/** @return how long each took, the shortest first */
std::map<Place, std::vector<double>>
ByPlace(const std::vector<MeasuredTime>& times)
{
    std::map<Place, std::vector<double>> byPlace;
    for (const auto& time : times)
    {
        byPlace[PlaceOf(time)].push_back(time.seconds);
    }
    for (auto& [place, all] : byPlace)
    {
        std::sort(all.begin(), all.end());
    }
    return byPlace;
}

/** At most so many of each place's times, evenly from the shortest to the longest: more repetitions say the same. */
std::vector<MeasuredTime>
FewRepetitions(const std::vector<MeasuredTime>& times)
{
    constexpr std::size_t most = 8;
    std::vector<MeasuredTime> few;
    for (const auto& [place, all] : ByPlace(times))
    {
        const auto count = std::min(most, all.size());
        for (std::size_t i = 0; i < count; ++i)
        {
            const auto& [bytes, ranks, share, isMessage] = place;
            few.push_back(
                {bytes, ranks, all[(2 * i + 1) * all.size() / (2 * count)], share, isMessage});
        }
    }
    return few;
}

/** Of what moves at a time of an exchange, its size, and how often: the constants are those of that size. */
std::pair<std::uint64_t, double>
PartOf(const MeasuredTime& time, const Simulation& simulation)
{
    const auto most =
        simulation.chunkBytes == 0 || time.isMessage ? time.bytes : simulation.chunkBytes;
    return {std::min(time.bytes, most),
            std::ceil(static_cast<double>(time.bytes) / static_cast<double>(most))};
}

/** How the time of an exchange depends on the constants near those of @p model. */
FitPoint
ExchangeAt(const MeasuredTime& time, const CostModel& model, const Simulation& simulation)
{
    const auto [partBytes, parts] = PartOf(time, simulation);
    const auto here = simulation.seconds(time, model);
    const auto slope = [&, part = partBytes](double StepCosts::*constant, double most) {
        constexpr double share = 0.1; // of the time: less may hide behind the network
        auto moved = model;
        auto& value = PieceOf(moved.pieces, part).costs.*constant;
        const auto step = share * std::max(time.seconds / most, value);
        value += step;
        return (simulation.seconds(time, moved) - here) / step;
    };
    FitPoint point{time.bytes, time.ranks, time.seconds, partBytes};
    point.starts = parts == 1 ? 1 : slope(&StepCosts::startSeconds, parts);
    point.messages = slope(&StepCosts::messageSeconds, 2.0 * time.ranks);
    point.messageBytes = slope(&StepCosts::byteSeconds, static_cast<double>(time.bytes));
    point.fixedSeconds =
        time.share * (here - point.PredictedSeconds(PieceOf(model.pieces, partBytes).costs));
    point.messages *= time.share;
    point.messageBytes *= time.share;
    return point;
}

/** The same of a message: it is one of those of an all-reduce of 2 ranks that is twice as large, as a ring's are, or as large. */
FitPoint
MessageAt(const MeasuredTime& time, const CostModel& model, const Simulation& simulation)
{
    const auto of = [&](std::uint64_t bytes) {
        return ExchangeAt({bytes, 2, time.seconds, 1, true}, model, simulation);
    };
    auto point = of(2 * time.bytes);
    constexpr double half = 1.5;
    if (point.messageBytes > half * static_cast<double>(time.bytes) * point.messages)
    {
        point = of(time.bytes);
    }
    const auto share = 1 / std::max(point.messages, 1.0);
    return {time.bytes,
            2,
            time.seconds,
            time.bytes,
            point.fixedSeconds * share,
            0,
            1,
            point.messageBytes * share};
}

/** @param times sorted by place */
Points
Linearised(const std::vector<MeasuredTime>& times,
           const CostModel& model,
           const Simulation& simulation)
{
    Points points;
    for (std::size_t i = 0; i < times.size(); ++i)
    {
        const auto& time = times[i];
        const bool isKnown = i > 0 && PlaceOf(times[i - 1]) == PlaceOf(time);
        points.push_back(isKnown          ? points.back()
                         : time.isMessage ? MessageAt(time, model, simulation)
                                          : ExchangeAt(time, model, simulation));
        points.back().seconds = time.seconds;
    }
    return points;
}

/** @return @p points of links that are so many times as fast: what is fixed is the network's */
Points
OnLinks(Points points, double timesAsFast)
{
    for (auto& point : points)
    {
        point.fixedSeconds /= timesAsFast;
    }
    return points;
}

/** How many times as fast a link must be at least, so that no time is shorter than what the network alone takes. */
double
SlowestLink(const Points& points)
{
    double least = 1e-6;
    for (const auto& point : points)
    {
        least = std::max(least, point.fixedSeconds / point.seconds);
    }
    return least;
}

/** Finds models of points, which were simulated on links of some speed. */
class ModelFit
{
  public:
    ModelFit(double pointsSpeed, LinkGuess link)
        : m_pointsSpeed(pointsSpeed),
          m_link(link)
    {
    }

    CostModel MiddleOf(const Points& points) const
    {
        const double middle = m_link == LinkGuess::HALF ? 2 : 1;
        return On(points, m_link == LinkGuess::KNOWN ? 1 : middle * SlowestSpeed(points));
    }

    /** What explains @p points as well as their middle. */
    std::vector<Alternative> AlternativesTo(const CostModel& model, const Points& points) const
    {
        std::vector<Alternative> all;
        for (const auto& [constant, name] :
             {std::pair(0, "starts"), {1, "messages"}, {2, "bytes of messages"}})
        {
            auto moved = model;
            bool isOther = false;
            for (auto& piece : moved.pieces)
            {
                piece.costs = *std::max_element(piece.corners.begin(),
                                                piece.corners.end(),
                                                [at = constant](const auto& a, const auto& b) {
                                                    return a.Values()[at] < b.Values()[at];
                                                });
                isOther = isOther || piece.corners.size() > 1;
            }
            if (isOther)
            {
                all.push_back({std::string("as much as can be by ") + name, std::move(moved)});
            }
        }
        if (m_link != LinkGuess::KNOWN)
        {
            all.push_back({"as much as can be by links", On(points, SlowestSpeed(points))});
            all.push_back(
                {"as much as can be by hosts", On(points, g_fast * SlowestSpeed(points))});
        }
        return all;
    }

  private:
    double SlowestSpeed(const Points& points) const
    {
        const bool fillsLink = std::any_of(points.begin(), points.end(), [](const auto& point) {
            return point.bytes >= g_fillsLink;
        });
        return std::max(m_pointsSpeed * SlowestLink(points), fillsLink ? 0 : 1.0);
    }

    CostModel On(const Points& points, double speed) const
    {
        return {speed, FitPieces(OnLinks(points, speed / m_pointsSpeed))};
    }

    double m_pointsSpeed;
    LinkGuess m_link;
};

/** Fits to parts of the times, and predicts the others. */
std::vector<LeftOut>
LeaveOut(const std::vector<MeasuredTime>& times,
         const Points& points,
         const ModelFit& fit,
         const Simulation& simulation)
{
    std::set<std::uint64_t> sizes;
    std::set<std::uint32_t> counts;
    for (const auto& time : times)
    {
        if (!time.isMessage)
        {
            sizes.insert(time.bytes);
            counts.insert(time.ranks);
        }
    }
    std::vector<LeftOut> all;
    const auto add =
        [&](LeftOut one,
            const std::function<bool(std::size_t order, std::uint32_t ranks)>& isLeft) {
            const auto isOut = [&](const auto& at) {
                return isLeft(
                    static_cast<std::size_t>(std::distance(sizes.begin(), sizes.find(at.bytes))),
                    at.ranks);
            };
            Points kept;
            std::copy_if(points.begin(),
                         points.end(),
                         std::back_inserter(kept),
                         [&](const auto& point) { return point.starts == 0 || !isOut(point); });
            if (!kept.empty() && kept.size() < points.size())
            {
                std::vector<MeasuredTime> out;
                std::copy_if(times.begin(), times.end(), std::back_inserter(out), isOut);
                one.model = fit.MiddleOf(kept);
                one.times = Predict(one.model, out, simulation);
                all.push_back(std::move(one));
            }
        };
    const auto isInner = [&](std::size_t order) { return order > 0 && order + 1 < sizes.size(); };
    add({"every second size"}, [&](auto order, auto) { return order % 2 == 1 && isInner(order); });
    add({"upper half of sizes"}, [&](auto order, auto) { return 2 * order >= sizes.size(); });
    for (std::size_t fold = 0; fold < g_folds; ++fold)
    {
        add({"one size of four, in turn", "sizes"},
            [&](auto order, auto) { return order % g_folds == fold && isInner(order); });
    }
    for (const auto left : counts)
    {
        const bool isInside = left != *counts.begin() && left != *counts.rbegin();
        add({std::to_string(left) + " ranks", isInside ? "ranks" : ""},
            [&](auto, auto ranks) { return ranks == left; });
    }
    return all;
}

/** Of the sizes that were measured more than once. */
double
RepeatsOf(const std::vector<MeasuredTime>& times)
{
    std::vector<double> spreads;
    for (const auto& [place, all] : ByPlace(times))
    {
        const auto mean =
            std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
        for (std::size_t i = 0; all.size() > 1 && i < all.size(); ++i)
        {
            spreads.push_back(std::abs(all[i] / mean - 1));
        }
    }
    return ErrorsOf(std::move(spreads)).median;
}

/** Where a larger tensor took clearly less time: no model of steps does that. */
void
AddFalls(const std::vector<MeasuredTime>& times, std::vector<std::string>& notes)
{
    constexpr double clearly = 0.9;
    std::map<std::pair<std::uint32_t, std::uint64_t>, double> least; // by ranks and size
    for (const auto& [place, all] : ByPlace(times))
    {
        const auto& [bytes, ranks, share, isMessage] = place;
        if (share == 1 && !isMessage)
        {
            least[{ranks, bytes}] = all.front();
        }
    }
    for (auto at = least.begin(); at != least.end() && std::next(at) != least.end(); ++at)
    {
        const auto& [larger, seconds] = *std::next(at);
        if (larger.first == at->first.first && seconds < clearly * at->second)
        {
            notes.push_back("With " + std::to_string(larger.first) + " ranks, " +
                            g_byteCount.Format(larger.second) + " took less time than " +
                            g_byteCount.Format(at->first.second) +
                            ": a protocol or an algorithm changes between them, or a time is odd.");
        }
    }
}

/** Where a network alone takes longer than what was measured, it is another network. */
void
AddFloor(const Points& points, std::vector<std::string>& notes)
{
    const auto slower = std::count_if(points.begin(), points.end(), [](const auto& point) {
        constexpr double clearly = 1.1;
        return point.fixedSeconds > clearly * point.seconds;
    });
    if (slower > 0)
    {
        notes.push_back("Of " + std::to_string(points.size()) + " times, " +
                        std::to_string(slower) +
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
        result.notes.push_back(
            "One size judges nothing: a preset of it is a guess. Measure more sizes.");
    }
    if (ErrorsOf(result.times).median > useless)
    {
        result.notes.push_back(
            "This fit is of no use: half of the times are off by more than a half. Are bandwidth, "
            "GPUs, exchange and ranks those of the cluster?");
    }
}

/** @return of @p sizes so many, as even in their logarithms as they are to be had */
std::set<std::uint64_t>
EvenSizes(const std::set<std::uint64_t>& sizes, std::size_t count)
{
    const auto least = std::log(static_cast<double>(*sizes.begin()));
    const auto most = std::log(static_cast<double>(*sizes.rbegin()));
    std::set<std::uint64_t> even{*sizes.rbegin()};
    for (std::size_t i = 0; i + 1 < count; ++i)
    {
        const auto share = static_cast<double>(i) / static_cast<double>(count - 1);
        even.insert(*sizes.lower_bound(
            static_cast<std::uint64_t>(std::exp(least + share * (most - least)))));
    }
    return even;
}

/** How far times, one at least, are off in the mean, by the logarithm of their ratio. */
double
MeanErrorOf(const std::vector<PredictedTime>& times)
{
    const auto add = [](double sum, const auto& time) {
        return sum + std::abs(std::log(time.seconds / time.measured.seconds));
    };
    return std::accumulate(times.begin(), times.end(), 0.0, add) /
           static_cast<double>(times.size());
}

} // namespace

std::vector<MeasuredTime>
FewSizes(const std::vector<MeasuredTime>& times, std::vector<std::string>& notes)
{
    constexpr std::size_t most = 64;
    std::map<std::uint32_t, std::set<std::uint64_t>> sizes;
    for (const auto& time : times)
    {
        sizes[time.ranks].insert(time.bytes);
    }
    for (auto& [ranks, all] : sizes)
    {
        if (all.size() > most)
        {
            const auto even = EvenSizes(all, most);
            notes.push_back("Of " + std::to_string(all.size()) + " sizes among " +
                            std::to_string(ranks) + " ranks, " + std::to_string(even.size()) +
                            " are fitted, evenly in their logarithms.");
            all = even;
        }
    }
    std::vector<MeasuredTime> few;
    std::copy_if(times.begin(), times.end(), std::back_inserter(few), [&](const auto& time) {
        return sizes.at(time.ranks).count(time.bytes) > 0;
    });
    return few;
}

std::vector<PredictedTime>
Predict(const CostModel& model,
        const std::vector<MeasuredTime>& times,
        const Simulation& simulation)
{
    std::map<std::pair<std::uint64_t, std::uint32_t>, double> known;
    std::vector<PredictedTime> predicted;
    for (const auto& time : times)
    {
        if (time.isMessage)
        {
            continue;
        }
        const auto [place, isNew] = known.try_emplace({time.bytes, time.ranks});
        if (isNew)
        {
            place->second = simulation.seconds(time, model);
        }
        const auto [partBytes, parts] = PartOf(time, simulation);
        predicted.push_back(
            {time,
             time.Of(place->second, parts * PieceOf(model.pieces, partBytes).costs.startSeconds)});
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
Calibrate(const std::vector<MeasuredTime>& times, const Simulation& simulation, LinkGuess link)
{
    Calibration result;
    const auto fitted = FewRepetitions(times);
    Points points;
    CostModel tried;
    ModelFit fit(1, link);
    for (unsigned round = 0; round < simulation.Rounds(); ++round)
    {
        auto near = Linearised(fitted, tried, simulation);
        const ModelFit nextFit(tried.linkSpeed, link);
        tried = nextFit.MiddleOf(near);
        auto predicted = Predict(tried, times, simulation);
        if (round == 0 || MeanErrorOf(predicted) < MeanErrorOf(result.times))
        {
            result.model = tried;
            result.times = std::move(predicted);
            points = std::move(near);
            fit = nextFit;
        }
    }
    result.alternatives = fit.AlternativesTo(result.model, points);
    result.leftOut = LeaveOut(times, points, fit, simulation);
    result.repeats = RepeatsOf(times);
    result.leastBytes = result.times.front().measured.bytes;
    for (const auto& time : result.times)
    {
        result.ranks.insert(time.measured.ranks);
        result.leastBytes = std::min(result.leastBytes, time.measured.bytes);
        result.mostBytes = std::max(result.mostBytes, time.measured.bytes);
    }
    AddFalls(times, result.notes);
    AddFloor(points, result.notes);
    AddVerdict(result);
    return result;
}

} // namespace inca
