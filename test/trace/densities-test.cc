/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/densities.h"

#include "base/errors.h"
#include "trace/layer-statistics.h"
#include "trace/trace-catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** Layers a: 100 elements, d = 0.1; b: 300, d = 0.5; c: 100, all zeros. */
GradientTrace
Trace()
{
    GradientTrace trace;
    trace.name = "t";
    trace.statsWorkers = 4;
    trace.layers.resize(3);
    trace.layers[0].name = "a";
    trace.layers[0].elements = 100;
    trace.layers[0].statistics.density = 0.1;
    trace.layers[1].name = "b";
    trace.layers[1].elements = 300;
    trace.layers[1].statistics.density = 0.5;
    trace.layers[2].name = "c";
    trace.layers[2].elements = 100;
    trace.layers[2].statistics.density = 0;
    return trace;
}

} // namespace

TEST(Densities, OneWorkerHasTheLayersOwn)
{
    const Densities densities(Trace(), std::nullopt);
    EXPECT_EQ(densities.Of(0, 100, 1), 0.1);
    EXPECT_EQ(densities.Of(17, 3, 1), 0.1);
    EXPECT_EQ(densities.Of(100, 300, 1), 0.5);
    EXPECT_EQ(densities.Of(499, 1, 1), 0);
}

/* 20 of a and 60 of b: (20 * 0.1 + 60 * 0.5) / 80 = 0.4; all: (10 + 150 + 0) / 500 = 0.32. */
TEST(Densities, LayersCountByTheirElements)
{
    const Densities densities(Trace(), std::nullopt);
    EXPECT_NEAR(densities.Of(80, 80, 1), 0.4, 1e-12);
    EXPECT_NEAR(densities.Of(0, 500, 1), 0.32, 1e-12);
    EXPECT_EQ(densities.Of(0, 0, 1), 0);
    EXPECT_EQ(densities.Of(500, 0, 1), 0);
}

/* Independent, two workers: 1 - 0.9^2 = 0.19 and 1 - 0.5^2 = 0.75; 100 and 300 of 400: 0.61. Four
 * workers at a = 1/2 are as two independent ones; at a = 0 as one. */
TEST(Densities, WorkersTogetherHaveTheUnion)
{
    EXPECT_NEAR(Densities(Trace(), std::nullopt).Of(0, 400, 2), 0.61, 1e-12);
    EXPECT_NEAR(Densities(Trace(), 0.5).Of(0, 400, 4), 0.61, 1e-12);
    EXPECT_NEAR(Densities(Trace(), 0).Of(0, 400, 64), 0.4, 1e-12);
}

/* Layer a says 0.19 for four workers: a = 1/2, so 16 have 1 - 0.9^4 = 0.3439. Layer b's four avoid
 * each other (0.99 > 1 - 0.5^4 = 0.9375), which drawn values cannot: it counts as independent. */
TEST(Densities, OverlapIsTheTracesUnlessGiven)
{
    auto trace = Trace();
    trace.layers[0].statistics.unionDensity = 0.19;
    trace.layers[1].statistics.unionDensity = 0.99;
    const Densities densities(trace, std::nullopt);
    EXPECT_NEAR(densities.Of(0, 100, 16), 0.3439, 1e-12);
    EXPECT_NEAR(densities.Of(100, 300, 4), 0.9375, 1e-12);
    EXPECT_NEAR(Densities(trace, 1).Of(0, 100, 2), 0.19, 1e-12);
    // What was measured before sparsifying says nothing of after: independent, 1 - 0.95^2.
    EXPECT_NEAR(Densities(Sparsified(trace, 0.05), std::nullopt).Of(0, 100, 2), 0.0975, 1e-12);
}

TEST(Densities, ATensorIsDenseUnlessSaid)
{
    const auto tensor = MakeTensorTrace(4000);
    EXPECT_EQ(Densities(tensor, std::nullopt).Of(0, 1000, 8), 1);
    EXPECT_NEAR(Densities(WithDensity(tensor, 0.1), std::nullopt).Of(0, 1000, 2), 0.19, 1e-12);
}

TEST(Densities, NeedStatistics)
{
    auto trace = Trace();
    trace.layers[1].statistics = {};
    try
    {
        const Densities densities(trace, std::nullopt);
        FAIL() << "layer b has no density";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "trace 't': layer 'b' has no density; give training.density");
    }
}

} // namespace inca
