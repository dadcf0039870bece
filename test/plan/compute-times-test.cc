/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/compute-times.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

constexpr std::int64_t g_forwardPs = 1'000'000'000;

std::shared_ptr<const GradientTrace>
OneLayer()
{
    GradientTrace trace;
    trace.layers.resize(1);
    trace.layers[0].elements = 1;
    trace.layers[0].forwardPs = g_forwardPs;
    trace.layers[0].backwardPs = 7;
    trace.layers[0].updatePs = 3;
    return std::make_shared<const GradientTrace>(trace);
}

Scenario
WithJitter(const char* kind, double sd)
{
    Scenario scenario;
    scenario.training.jitter = kind;
    scenario.training.jitterSd = sd;
    return scenario;
}

/** Mean and standard deviation, over the mean, of many iterations of one worker. */
std::pair<double, double>
Moments(const ComputeTimes& times, unsigned count)
{
    double sum = 0;
    double squares = 0;
    for (unsigned i = 0; i < count; ++i)
    {
        const auto factor = static_cast<double>(times.Ps({0, i, 0, 0, ComputePhase::FORWARD})) /
                            static_cast<double>(g_forwardPs);
        sum += factor;
        squares += factor * factor;
    }
    const auto mean = sum / count;
    return {mean, std::sqrt(squares / count - mean * mean)};
}

} // namespace

TEST(ComputeTimes, AreTheTracesWithoutJitter)
{
    Scenario scenario;
    scenario.cluster.overrides = {{1, {}, 2.5}};
    const ComputeTimes times(OneLayer(), scenario);
    EXPECT_EQ(times.Ps({0, 3, 0, 0, ComputePhase::FORWARD}), g_forwardPs);
    EXPECT_EQ(times.Ps({0, 3, 0, 0, ComputePhase::BACKWARD}), 7);
    EXPECT_EQ(times.Ps({0, 3, 0, 0, ComputePhase::UPDATE}), 3);
    EXPECT_EQ(times.Ps({1, 3, 0, 0, ComputePhase::FORWARD}), 2'500'000'000); // 2.5 times as slow
}

/* 10,000 draws: the mean's standard error is 0.1 / 100 = 0.001, the sd's 0.1 / sqrt(20000) = 0.0007;
 * five of each are allowed. */
TEST(ComputeTimes, DrawnFactorsHaveMeanOneAndTheSdAskedFor)
{
    for (const auto* kind : {"normal", "lognormal"})
    {
        const auto [mean, sd] = Moments(ComputeTimes(OneLayer(), WithJitter(kind, 0.1)), 10'000);
        EXPECT_NEAR(mean, 1.0, 0.005) << kind;
        EXPECT_NEAR(sd, 0.1, 0.0036) << kind;
    }
}

TEST(ComputeTimes, EveryComputationHasADrawOfItsOwn)
{
    const ComputeTimes times(OneLayer(), WithJitter("normal", 0.1));
    const ComputeKey key{0, 0, 0, 0, ComputePhase::FORWARD};
    EXPECT_EQ(times.Ps(key), times.Ps(key));
    EXPECT_NE(times.Ps(key), times.Ps({1, 0, 0, 0, ComputePhase::FORWARD}));
    EXPECT_NE(times.Ps(key), times.Ps({0, 1, 0, 0, ComputePhase::FORWARD}));
    EXPECT_NE(times.Ps(key), times.Ps({0, 0, 1, 0, ComputePhase::FORWARD}));
    auto other = WithJitter("normal", 0.1);
    other.simulation.seed = 2;
    EXPECT_NE(times.Ps(key), ComputeTimes(OneLayer(), other).Ps(key));
}

TEST(ComputeTimes, AreNeverNegative)
{
    const ComputeTimes times(OneLayer(), WithJitter("normal", 1.0));
    bool zero = false; // a factor below 0 has a chance of 16 % each
    for (std::uint32_t i = 0; i < 1000; ++i)
    {
        const auto ps = times.Ps({0, i, 0, 0, ComputePhase::FORWARD});
        EXPECT_GE(ps, 0);
        zero = zero || ps == 0;
    }
    EXPECT_TRUE(zero);
}

} // namespace inca
