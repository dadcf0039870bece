/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/ratios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr double g_plainPs = 1e12;

/** @param bytesPerValue that an exchange's time follows, of a compressed scenario; 4 without */
ValidationRequest
Request(std::function<double(const Scenario&)> bytesPerValue)
{
    ValidationRequest request;
    request.run = [bytesPerValue = std::move(bytesPerValue)](const Scenario& scenario,
                                                             const RunProgress&) {
        const double bytes = scenario.codec.name == "none" ? 4 : bytesPerValue(scenario);
        RunRecord record;
        record.results.exchangeTimePs = std::llround(g_plainPs * bytes / 4);
        record.results.iterationEndsPs = {*record.results.exchangeTimePs};
        return record;
    };
    return request;
}

double
IndexAndCounters(const Scenario& scenario)
{
    return (scenario.codec.index == "bits-4" ? 0.5 : 0.125) + 4 / *scenario.codec.ratio;
}

/* By bytes alone 6.33 is reached at 7.891 and 30.32 (validation/homomorphic-sketches-test.cc). Halving 7..8
 * and 20..32 ten times leaves 0.001 and 0.012, and the ratio found is the upper end. */
TEST(FindRatios, HalvesTheIntervalInWhichTheGainIsReached)
{
    const auto found = FindRatios(Request(IndexAndCounters));
    ASSERT_EQ(found.size(), BenchmarkSetups().size());
    for (const auto& ratio : found)
    {
        const bool nibbles = ratio.at.setup.index == "bits-4";
        EXPECT_TRUE(ratio.reached);
        EXPECT_GE(ratio.at.gain.ThroughputGain(), 6.33);
        EXPECT_NEAR(ratio.at.ratio, nibbles ? 30.32 : 7.891, nibbles ? 0.015 : 0.0015);
    }
}

/* The load is 0.05 x ratio: 15.5 is the largest that is run below 0.78. */
TEST(FindRatios, KnowsTheLargestGainThatDecodes)
{
    for (const auto& ratio : FindRatios(Request(IndexAndCounters)))
    {
        EXPECT_EQ(ratio.bestThatDecodes.ratio, 15.5);
        EXPECT_LT(ratio.bestThatDecodes.gain.sketches.load, g_losslessLoad);
    }
}

/* A time that is shortest at ratio 9: bytes fall until there, and rise again. */
TEST(FindRatios, TellsTheBestWhereNoneReachesIt)
{
    const auto found = FindRatios(
        Request([](const Scenario& scenario) { return 1 + std::abs(*scenario.codec.ratio - 9); }));
    EXPECT_FALSE(found.front().reached);
    EXPECT_EQ(found.front().at.ratio, 9);
    EXPECT_DOUBLE_EQ(found.front().at.gain.ThroughputGain(), 4);
}

TEST(FindRatios, TellsHowFarItIs)
{
    std::vector<double> shares;
    auto request = Request(IndexAndCounters);
    request.onProgress = [&](double share) { shares.push_back(share); };
    FindRatios(request);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_NEAR(shares.back(), 1, 1e-9);
}

TEST(FiguresOfRatio, SayWhetherItIsReached)
{
    const auto reached = FindRatios(Request(IndexAndCounters)).front();
    EXPECT_EQ(FiguresOf(reached).front().figure, "ratio that reaches 6.33x, bits-4, dependent");
    auto missed = reached;
    missed.reached = false;
    EXPECT_EQ(FiguresOf(missed).front().figure, "ratio of the largest gain, bits-4, dependent");
}

} // namespace

} // namespace inca
