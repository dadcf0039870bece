/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/replays.h"

#include "exchange/slot-scheme.h"
#include "trace/trace-catalog.h"
#include "validation/switch/published.h"
#include "validation/switch/scenarios.h"
#include "validation/switch/slot-times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

constexpr std::array<std::uint64_t, 2> g_gigabits{10, 100};
constexpr double g_meanTimesLimit = 0.015;
constexpr double g_meanOfSeedsLimit = 0.01;
constexpr double g_deviationsLimit = 3.5;

double
SecondsAfter(const MeasuredRun& run, std::size_t iteration)
{
    constexpr double psPerSecond = 1e12;
    return static_cast<double>(run.results.iterationEndsPs.at(iteration)) / psPerSecond;
}

/** The runs of one model at one rate, and what the reference says to it. */
struct ReplayRuns
{
    std::uint64_t gigabitsPerSecond{0};
    const ReferenceTimes* reference{nullptr}; ///< null: there is none
    MeasuredRun meanTimes;
    std::vector<MeasuredRun> seeds; ///< none without a reference
};

/** Collects the figures of one model. */
class ReplayFigures
{
  public:
    ReplayFigures(std::string trace, std::vector<ReplayRuns> rates)
        : m_trace(std::move(trace)),
          m_rates(std::move(rates))
    {
    }

    std::vector<Comparison> Take()
    {
        constexpr std::size_t last = g_referenceIterations - 1;
        for (const auto& runs : m_rates)
        {
            AddMeanTimes(runs, last);
        }
        AddMeansOfSeeds(last);
        std::vector<std::vector<Comparison>> points;
        for (const auto& runs : m_rates)
        {
            points.push_back(Points(runs));
            AddPoint(points.back(), last);
        }
        for (auto& ofRate : points)
        {
            AddWorst(ofRate);
        }
        AddRest(points);
        return std::move(m_figures);
    }

  private:
    Comparison Figure(const ReplayRuns& runs, std::size_t iteration, const std::string& what) const
    {
        Comparison figure;
        figure.model = m_trace;
        figure.system = fmt::format("{} Gb/s", runs.gigabitsPerSecond);
        figure.figure =
            fmt::format("{} iteration{}, {}", iteration + 1, iteration == 0 ? "" : "s", what);
        if (runs.reference != nullptr)
        {
            figure.published = Single(
                runs.reference->seconds.at(iteration), PublishedClass::SIMULATED, "reference");
        }
        return figure;
    }

    std::vector<double> OverSeeds(const ReplayRuns& runs, std::size_t iteration) const
    {
        std::vector<double> seconds;
        for (const auto& run : runs.seeds)
        {
            seconds.push_back(SecondsAfter(run, iteration));
        }
        return seconds;
    }

    Comparison MeanTimes(const ReplayRuns& runs, std::size_t iteration) const
    {
        auto figure = Figure(runs, iteration, "mean times");
        figure.predicted = SecondsAfter(runs.meanTimes, iteration);
        return figure;
    }

    void AddMeanTimes(const ReplayRuns& runs, std::size_t iteration)
    {
        m_figures.push_back(MeanTimes(runs, iteration));
        m_figures.back().limit = g_meanTimesLimit;
    }

    void AddMeansOfSeeds(std::size_t iteration)
    {
        for (const auto& runs : m_rates)
        {
            if (!runs.seeds.empty())
            {
                m_figures.push_back(
                    Figure(runs, iteration, fmt::format("mean of {} seeds", runs.seeds.size())));
                m_figures.back().predicted = MeanOf(OverSeeds(runs, iteration));
                m_figures.back().limit = g_meanOfSeedsLimit;
            }
        }
    }

    /** Every point against its distribution. */
    std::vector<Comparison> Points(const ReplayRuns& runs) const
    {
        std::vector<Comparison> points;
        for (std::size_t i = 0; i < g_referenceIterations && !runs.seeds.empty(); ++i)
        {
            const auto seconds = OverSeeds(runs, i);
            auto point = Figure(runs, i, fmt::format("spread of {} seeds", seconds.size()));
            point.predicted = MeanOf(seconds);
            point.deviation = StandardDeviationOf(seconds);
            point.limit = g_deviationsLimit;
            points.push_back(std::move(point));
        }
        return points;
    }

    void AddPoint(std::vector<Comparison>& points, std::size_t iteration)
    {
        if (!points.empty())
        {
            m_figures.push_back(points.at(iteration));
            points.erase(points.begin() + static_cast<std::ptrdiff_t>(iteration));
        }
    }

    /** The point that lies farthest out of those that are left. */
    void AddWorst(std::vector<Comparison>& points)
    {
        const auto worst = std::max_element(
            points.begin(), points.end(), [](const Comparison& a, const Comparison& b) {
                return std::abs(*ErrorOf(a)) < std::abs(*ErrorOf(b));
            });
        if (worst != points.end())
        {
            AddPoint(points, static_cast<std::size_t>(worst - points.begin()));
        }
    }

    /** What the table leaves out. */
    void AddRest(const std::vector<std::vector<Comparison>>& points)
    {
        for (std::size_t rate = 0; rate < m_rates.size(); ++rate)
        {
            for (std::size_t i = 0; i + 1 < g_referenceIterations; ++i)
            {
                m_figures.push_back(MeanTimes(m_rates[rate], i));
                m_figures.back().onlyInCsv = true;
            }
            for (const auto& point : points[rate])
            {
                m_figures.push_back(point);
                m_figures.back().onlyInCsv = true;
            }
        }
    }

    std::string m_trace;
    std::vector<ReplayRuns> m_rates;
    std::vector<Comparison> m_figures;
};

/** The mean times first, then the seeds, rate by rate. */
std::vector<PlannedRun>
Runs(const std::string& trace, std::uint32_t seeds)
{
    const auto values = static_cast<double>(FindTrace(trace).Elements());
    std::vector<PlannedRun> runs;
    for (const auto gigabits : g_gigabits)
    {
        const auto meanTimes = SwitchReplayScenario(trace, gigabits);
        const auto perPacket = ReadSlotSettings(meanTimes.aggregation).valuesPerPacket;
        const auto packets = values / static_cast<double>(perPacket);
        const auto work = packets * meanTimes.cluster.workers * meanTimes.training.iterations;
        runs.push_back({meanTimes, work});
        const bool drawn = FindReferenceTimes(trace, gigabits) != nullptr;
        for (std::uint32_t seed = 1; drawn && seed <= seeds; ++seed)
        {
            runs.push_back({SwitchDrawnScenario(trace, gigabits, seed), work});
        }
    }
    return runs;
}

std::vector<ReplayRuns>
ByRate(const std::string& trace, const std::vector<MeasuredRun>& runs)
{
    const auto perRate = static_cast<std::ptrdiff_t>(runs.size() / g_gigabits.size());
    auto begin = runs.begin();
    std::vector<ReplayRuns> rates;
    for (const auto gigabits : g_gigabits)
    {
        const auto* reference = FindReferenceTimes(trace, gigabits);
        rates.push_back({gigabits, reference, *begin, {begin + 1, begin + perRate}});
        begin += perRate;
    }
    return rates;
}

} // namespace

ValidationPart
SwitchReplayPart(const std::string& trace, std::uint32_t seeds)
{
    return {Runs(trace, seeds), [trace](const std::vector<MeasuredRun>& runs) {
                return ReplayFigures(trace, ByRate(trace, runs)).Take();
            }};
}

} // namespace inca
