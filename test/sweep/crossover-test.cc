/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/crossover.h"

#include "scenario/keys.h"

#include <gmock/gmock.h>

#include <functional>

namespace inca
{

namespace
{

/** Two systems whose times are functions of the bandwidth in Gbit/s; below 0: refused. */
class CrossoverTest : public testing::Test
{
  protected:
    using Time = std::function<double(double gbps)>;

    Crossover Find(const Time& a, const Time& b, double tolerance = 0.01)
    {
        const auto compare = [&](const ScaledValue& value) {
            ++runs;
            CrossoverSample sample{value, a(value.number), b(value.number), {}};
            if (*sample.a < 0)
            {
                sample.a.reset();
                sample.refusal = "no";
            }
            return sample;
        };
        return FindCrossover(scale, Metrics().front(), tolerance, compare);
    }

    /** Its ends in Gbit/s. */
    static std::pair<double, double> Ends(const Crossing& crossing)
    {
        return {crossing.before.value.number, crossing.after.value.number};
    }

    KeyScale scale{*FindKey("cluster.bandwidth"), "1Gbps..400Gbps"};
    int runs{0};
};

} // namespace

/* 100 / x + 1 and 5 are the same at x = 25. */
TEST_F(CrossoverTest, IsNarrowedToTheTolerance)
{
    const auto found = Find([](double x) { return 100 / x + 1; }, [](double) { return 5.0; });
    ASSERT_EQ(found.crossings.size(), 1U);
    const auto [before, after] = Ends(found.crossings.front());
    EXPECT_LE(before, 25);
    EXPECT_GE(after, 25);
    EXPECT_LE(after - before, 0.01 * after);
    EXPECT_EQ(WinnerOf(Metrics().front(), found.crossings.front().after), Winner::A);
    EXPECT_EQ(found.scan.size(), 17U);
    EXPECT_LE(runs, 17 + 6); // neighbours are 45 % apart: 0.45 / 2^6 < 0.01
}

TEST_F(CrossoverTest, MayBeThereTwice)
{
    const auto found =
        Find([](double x) { return (x - 10) * (x - 100); }, [](double) { return 0.0; });
    EXPECT_EQ(found.crossings.size(), 0U); // below 0 is refused: only the outer values are left
    const auto shifted =
        Find([](double x) { return (x - 10) * (x - 100) + 1e6; }, [](double) { return 1e6; });
    ASSERT_EQ(shifted.crossings.size(), 2U);
    EXPECT_LE(Ends(shifted.crossings[0]).first, 10);
    EXPECT_GE(Ends(shifted.crossings[1]).second, 100);
}

TEST_F(CrossoverTest, IsNowhereIfOneAlwaysWins)
{
    const auto found = Find([](double x) { return 2 / x; }, [](double x) { return 1 / x; });
    EXPECT_TRUE(found.crossings.empty());
    EXPECT_EQ(runs, 17);
}

/* The winner changes at 25, and nothing from 20 to 30 can be compared: the neighbours are told. */
TEST_F(CrossoverTest, IsNotNarrowedWhereSomethingIsRefused)
{
    const auto found = Find([](double x) { return x > 14 && x < 40 ? -1 : 100 / x + 1; },
                            [](double) { return 5.0; });
    ASSERT_EQ(found.crossings.size(), 1U);
    EXPECT_FALSE(found.crossings.front().narrowed);
    const auto [before, after] = Ends(found.crossings.front());
    EXPECT_LE(before, 14);
    EXPECT_GE(after, 40);
}

/* What is as good from 50 on: the change is where it becomes so. */
TEST_F(CrossoverTest, KnowsWhereNeitherIsBetter)
{
    const auto found =
        Find([](double x) { return std::max(50 / x, 1.0); }, [](double) { return 1.0; });
    ASSERT_EQ(found.crossings.size(), 1U);
    EXPECT_EQ(WinnerOf(Metrics().front(), found.crossings.front().before), Winner::B);
    EXPECT_EQ(WinnerOf(Metrics().front(), found.crossings.front().after), Winner::NEITHER);
}

TEST(Advantage, IsHowMuchBetterTheBetterIs)
{
    const Metric time{"iteration_time_s"};
    const Metric rate{"samples_per_s", true};
    EXPECT_DOUBLE_EQ(Advantage(time, 1.0, 1.25), 0.25);  // 1.25 times as fast
    EXPECT_DOUBLE_EQ(Advantage(time, 1.25, 1.0), -0.25); // takes a quarter longer
    EXPECT_DOUBLE_EQ(Advantage(rate, 1.25, 1.0), 0.25);
}

} // namespace inca
