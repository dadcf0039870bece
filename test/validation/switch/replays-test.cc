/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/replays.h"

#include "base/errors.h"
#include "validation/switch/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;

/** A run that ends its iterations at the reference's times, stretched. */
MeasuredRun
Stretched(const Scenario& scenario, double factor)
{
    MeasuredRun run{scenario, {}};
    const auto gigabits = scenario.cluster.bitsPerSecond / 1'000'000'000;
    const auto* reference = FindReferenceTimes("alexnet-a100", gigabits);
    for (const auto seconds : reference->seconds)
    {
        run.results.iterationEndsPs.push_back(std::llround(seconds * factor * g_psPerSecond));
    }
    return run;
}

/** AlexNet over 4 seeds: mean times 1.01 of the reference, seeds 1.00, 1.01, 1.02 and 1.03. */
class SwitchReplaysTest : public testing::Test
{
  protected:
    static constexpr std::uint32_t SEEDS{4};

    SwitchReplaysTest()
    {
        std::vector<MeasuredRun> measured;
        for (const auto& run : m_part.runs)
        {
            const bool drawn = run.scenario.training.jitter != "none";
            const auto seed = static_cast<double>(run.scenario.simulation.seed);
            measured.push_back(Stretched(run.scenario, drawn ? 0.99 + 0.01 * seed : 1.01));
        }
        m_figures = m_part.compare(measured);
    }

    const Comparison& Find(const std::string& system, const std::string& figure) const
    {
        for (const auto& comparison : m_figures)
        {
            if (comparison.system == system && comparison.figure == figure)
            {
                return comparison;
            }
        }
        throw std::out_of_range(system + ", " + figure);
    }

    ValidationPart m_part = SwitchReplayPart("alexnet-a100", SEEDS);
    std::vector<Comparison> m_figures;
};

/* At each rate the trace's own times and 4 seeds. */
TEST_F(SwitchReplaysTest, RunsMeanTimesAndEverySeedAtBothRates)
{
    ASSERT_EQ(m_part.runs.size(), 10U);
    EXPECT_EQ(m_part.runs[0].scenario.training.jitter, "none");
    EXPECT_EQ(m_part.runs[4].scenario.simulation.seed, 4U);
    EXPECT_EQ(m_part.runs[4].scenario.cluster.bitsPerSecond, 10'000'000'000U);
    EXPECT_EQ(m_part.runs[5].scenario.cluster.bitsPerSecond, 100'000'000'000U);
    EXPECT_EQ(m_part.runs[9].scenario.training.jitter, "normal");
}

/* 1 % of error, within 1.5 %. */
TEST_F(SwitchReplaysTest, MeanTimesAreJudgedAtTenIterations)
{
    const auto& ten = Find("10 Gb/s", "10 iterations, mean times");
    EXPECT_NEAR(*ErrorOf(ten), 0.01, 1e-9);
    EXPECT_EQ(ten.limit, 0.015);
    EXPECT_EQ(ten.published->publishedClass, PublishedClass::SIMULATED);
    EXPECT_FALSE(ten.onlyInCsv);
    const auto& one = Find("10 Gb/s", "1 iteration, mean times");
    EXPECT_FALSE(IsJudged(one));
    EXPECT_TRUE(one.onlyInCsv);
}

/* (1.00 + 1.01 + 1.02 + 1.03) / 4 = 1.015: beyond the 1 %. */
TEST_F(SwitchReplaysTest, TheMeanOfSeedsIsJudgedAtTenIterations)
{
    const auto& mean = Find("100 Gb/s", "10 iterations, mean of 4 seeds");
    EXPECT_NEAR(*ErrorOf(mean), 0.015, 1e-9);
    EXPECT_EQ(mean.limit, 0.01);
    EXPECT_TRUE(Misses(mean));
}

/* The squares of +-0.015 and +-0.005 add up to 5e-4; over 3 and rooted 0.0129: 0.015 are 1.16 of it. */
TEST_F(SwitchReplaysTest, EveryPointIsJudgedInDeviations)
{
    const auto& point = Find("10 Gb/s", "3 iterations, spread of 4 seeds");
    EXPECT_NEAR(*ErrorOf(point), 0.015 / std::sqrt(5e-4 / 3), 1e-6);
    EXPECT_EQ(point.limit, 3.5);
    const auto judged = std::count_if(m_figures.begin(), m_figures.end(), IsJudged);
    EXPECT_EQ(judged, 2 * (1 + 1 + 10));
}

/* Mean times, the mean of seeds, the last point and the worst other one, at each rate. */
TEST_F(SwitchReplaysTest, TheTableHasTheLastAndTheWorstPoint)
{
    const auto shown = std::count_if(
        m_figures.begin(), m_figures.end(), [](const auto& figure) { return !figure.onlyInCsv; });
    EXPECT_EQ(shown, 8);
    EXPECT_EQ(m_figures.size(), 2U * (10 + 1 + 10));
}

TEST(SwitchReplayPart, PredictsWhereThereIsNoReference)
{
    const auto part = SwitchReplayPart("googlenet-a100", 100);
    ASSERT_EQ(part.runs.size(), 2U);
    const auto figures =
        part.compare({Stretched(part.runs[0].scenario, 1), Stretched(part.runs[1].scenario, 1)});
    ASSERT_EQ(figures.size(), 20U);
    EXPECT_FALSE(figures.front().published);
    EXPECT_EQ(figures.front().figure, "10 iterations, mean times");
    EXPECT_GT(figures.front().predicted, 0);
}

TEST(SwitchReplayPart, RefusesATraceThatIsNotThere)
{
    EXPECT_THROW(SwitchReplayPart("alexnot-a100", 2), InputError);
}

} // namespace

} // namespace inca
