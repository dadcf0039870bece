/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/gpu-union.h"

#include "trace/layer-statistics.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

GradientTrace
OneLayer(double density, std::optional<double> unionDensity)
{
    GradientTrace trace;
    trace.statsWorkers = 4;
    LayerRecord layer;
    layer.elements = 100;
    layer.statistics.density = density;
    layer.statistics.unionDensity = unionDensity;
    trace.layers = {layer};
    return trace;
}

/* Independent positions: 1 - (1 - 0.1)^2 = 0.19. */
TEST(GpuUnion, UnitesIndependentPositions)
{
    const auto united = OverGpus(OneLayer(0.1, std::nullopt), 2, std::nullopt);
    EXPECT_DOUBLE_EQ(*united.layers[0].statistics.density, 0.19);
}

/* The same positions on all: nothing is added. */
TEST(GpuUnion, KeepsSamePositions)
{
    const auto united = OverGpus(OneLayer(0.1, std::nullopt), 8, 0.0);
    EXPECT_DOUBLE_EQ(*united.layers[0].statistics.density, 0.1);
}

/* 4 workers of 2 GPUs are 8 GPUs, whatever the overlap: with a published union of 4, `a` is fitted to it. */
TEST(GpuUnion, LeavesTheUnionOfAllGpusAsItIs)
{
    const auto one = OneLayer(0.05, 0.12);
    const auto exponent = *FitUnionExponent(one.layers[0].statistics, 4);
    const auto worker = OverGpus(one, 2, std::nullopt).layers[0].statistics;
    EXPECT_NEAR(*worker.unionDensity, UnionDensity(0.05, 8, exponent), 1e-12);
    EXPECT_NEAR(*FitUnionExponent(worker, 4), exponent, 1e-9);
}

/* Without a density, the histogram has it: d = 0.1, so 1 - 0.9^2 = 0.19; what is not zero is as large. */
TEST(GpuUnion, ScalesTheHistogram)
{
    auto trace = OneLayer(0.1, std::nullopt);
    trace.layers[0].statistics.density.reset();
    trace.layers[0].statistics.exponents = {{0, 0.9}, {117, 0.025}, {118, 0.075}};
    const auto united = OverGpus(trace, 2, std::nullopt).layers[0].statistics;
    EXPECT_DOUBLE_EQ(*united.density, 0.19);
    ASSERT_EQ(united.exponents.size(), 3U);
    EXPECT_NEAR(united.exponents[0].second, 0.81, 1e-12);
    EXPECT_NEAR(united.exponents[1].second, 0.0475, 1e-12);
    EXPECT_NEAR(united.exponents[2].second, 0.1425, 1e-12);
}

/* 1 - 1e-300 is 1 in fp64: the union is no smaller than one GPU's density for that. */
TEST(GpuUnion, NeverLosesValues)
{
    const auto united = OverGpus(OneLayer(1e-300, std::nullopt), 2, std::nullopt);
    EXPECT_EQ(united.layers[0].statistics.density, 1e-300);
}

TEST(GpuUnion, NeedsADensity)
{
    auto trace = OneLayer(0.1, std::nullopt);
    trace.layers[0].statistics.density.reset();
    EXPECT_FALSE(OverGpus(trace, 2, std::nullopt).layers[0].statistics.density.has_value());
}

} // namespace

} // namespace inca
