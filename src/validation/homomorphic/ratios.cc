/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/ratios.h"

#include "validation/homomorphic/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace inca
{

namespace
{

/** At density 0.05 sketches decode up to 15.6; beyond, until bytes of counters no longer matter. */
constexpr std::array<double, 16> g_ratios{
    2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15.5, 20, 32, 64, 128};
constexpr int g_halvings = 10;

bool
Reaches(const BenchmarkPrediction& prediction)
{
    return prediction.gain.ThroughputGain() >= g_claimedThroughputGain;
}

/** One set-up's search: what was run, and where to look next. */
class Search
{
  public:
    Search(BenchmarkSetup setup, const MeasuredRun& plain)
        : m_setup(std::move(setup)),
          m_plain(plain)
    {
    }

    PlannedRun RunAt(double ratio) const
    {
        return {BenchmarkCompressed(m_setup, ratio)};
    }

    /** @param run at a ratio above all before, until Middle is asked for */
    void Take(const MeasuredRun& run)
    {
        auto prediction = PredictBenchmark(m_setup, m_plain, run);
        const bool closer = !m_reached || prediction.ratio < m_reached->ratio;
        if (Reaches(prediction) && closer)
        {
            m_reached = prediction;
        }
        if (!m_reached || prediction.ratio < m_reached->ratio)
        {
            m_below = prediction.ratio;
        }
        m_all.push_back(std::move(prediction));
    }

    /** @return where to run next; empty: the gain is not reached, or at the first ratio already */
    std::optional<double> Middle() const
    {
        if (!m_reached || !m_below)
        {
            return std::nullopt;
        }
        return *m_below + (m_reached->ratio - *m_below) / 2;
    }

    FoundRatio Result() const
    {
        return {m_reached.has_value(), m_reached ? *m_reached : Best(m_all), Best(Decoding())};
    }

  private:
    static BenchmarkPrediction Best(const std::vector<BenchmarkPrediction>& predictions)
    {
        return *std::max_element(
            predictions.begin(), predictions.end(), [](const auto& a, const auto& b) {
                return a.gain.ThroughputGain() < b.gain.ThroughputGain();
            });
    }

    /** The smallest ratio's load is a tenth, so there is one. */
    std::vector<BenchmarkPrediction> Decoding() const
    {
        std::vector<BenchmarkPrediction> decoding;
        std::copy_if(m_all.begin(),
                     m_all.end(),
                     std::back_inserter(decoding),
                     [](const BenchmarkPrediction& prediction) {
                         return prediction.gain.sketches.load < g_losslessLoad;
                     });
        return decoding;
    }

    BenchmarkSetup m_setup;
    const MeasuredRun& m_plain;
    std::vector<BenchmarkPrediction> m_all;
    std::optional<BenchmarkPrediction> m_reached; ///< at the smallest ratio so far
    std::optional<double> m_below;                ///< the largest ratio below it
};

/** Runs in batches of which each counts as one step of the whole. */
class Steps
{
  public:
    Steps(const ValidationRequest& request, std::size_t count)
        : m_request(request),
          m_count(static_cast<double>(count))
    {
    }

    std::vector<MeasuredRun> Run(const std::vector<PlannedRun>& planned)
    {
        auto request = m_request;
        request.onProgress = [this](double share) {
            if (m_request.onProgress)
            {
                m_request.onProgress((m_done + share) / m_count);
            }
        };
        auto measured = MeasureAll("homomorphic", planned, request);
        m_done += 1;
        return measured;
    }

  private:
    const ValidationRequest& m_request;
    double m_count;
    double m_done{0};
};

void
RunEverywhere(double ratio, Steps& steps, std::vector<Search>& searches)
{
    std::vector<PlannedRun> runs;
    for (const auto& search : searches)
    {
        runs.push_back(search.RunAt(ratio));
    }
    const auto measured = steps.Run(std::move(runs));
    for (std::size_t i = 0; i < searches.size(); ++i)
    {
        searches[i].Take(measured[i]);
    }
}

void
Halve(Steps& steps, std::vector<Search>& searches)
{
    std::vector<PlannedRun> runs;
    std::vector<Search*> running;
    for (auto& search : searches)
    {
        if (const auto ratio = search.Middle())
        {
            runs.push_back(search.RunAt(*ratio));
            running.push_back(&search);
        }
    }
    const auto measured = steps.Run(std::move(runs));
    for (std::size_t i = 0; i < running.size(); ++i)
    {
        running[i]->Take(measured[i]);
    }
}

} // namespace

std::vector<FoundRatio>
FindRatios(const ValidationRequest& request)
{
    Steps steps(request, 1 + g_ratios.size() + g_halvings);
    const auto plain = steps.Run(BenchmarkBaselineRuns());
    std::vector<Search> searches;
    for (const auto& setup : BenchmarkSetups())
    {
        searches.emplace_back(setup, BaselineOf(setup, plain));
    }
    for (const auto ratio : g_ratios)
    {
        RunEverywhere(ratio, steps, searches);
    }
    for (int i = 0; i < g_halvings; ++i)
    {
        Halve(steps, searches);
    }
    std::vector<FoundRatio> found;
    for (const auto& search : searches)
    {
        found.push_back(search.Result());
    }
    return found;
}

std::vector<Comparison>
FiguresOf(const FoundRatio& found)
{
    constexpr double percent = 100;
    const auto& gain = found.at.gain;
    std::vector<Comparison> figures;
    const auto add = [&](const std::string& what, FigureUnit unit, double value) {
        const auto& setup = found.at.setup;
        Comparison figure;
        figure.model = "ratio";
        figure.system = fmt::format("{} Gb/s", setup.gigabitsPerSecond);
        figure.figure = fmt::format("{}, {}, {}", what, setup.index, setup.rounds);
        figure.unit = unit;
        figure.predicted = value;
        figure.onlyInCsv = true;
        figures.push_back(figure);
    };
    add(found.reached ? "ratio that reaches 6.33x" : "ratio of the largest gain",
        FigureUnit::TIMES,
        found.at.ratio);
    add("throughput gain", FigureUnit::TIMES, gain.ThroughputGain());
    add("estimated values", FigureUnit::PERCENT, gain.sketches.estimatedShare * percent);
    add("largest gain that decodes",
        FigureUnit::TIMES,
        found.bestThatDecodes.gain.ThroughputGain());
    add("its ratio", FigureUnit::TIMES, found.bestThatDecodes.ratio);
    return figures;
}

} // namespace inca
