/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/sparse-statistics.h"

#include "base/errors.h"
#include "trace/layer-statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace inca
{

namespace
{

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pair;

constexpr double g_rounding = 1e-12;

auto
Near(double share)
{
    return DoubleNear(share, g_rounding);
}

/** 20 % zeros; others at exponents 110, 118, 127. At 2^-10 (117) small ones take 2 bits, too. */
LayerStatistics
Layer()
{
    LayerStatistics statistics;
    statistics.density = 0.8;
    statistics.unionDensity = 0.9;
    statistics.blockDensity = 1;
    statistics.unionBlockDensity = 1;
    statistics.exponents = {{0, 0.2}, {110, 0.4}, {118, 0.3}, {127, 0.1}};
    statistics.widths = {{10, {0.6, 0.3, 0, 0.1}}};
    return statistics;
}

} // namespace

TEST(NonZeroShare, IsTheDensityElseTheHistograms)
{
    EXPECT_EQ(NonZeroShare(Layer()), 0.8);
    auto statistics = Layer();
    statistics.density.reset();
    statistics.exponents = {{0, 0.2}, {118, 0.2}}; // adds up to 0.4, half of it zeros
    EXPECT_THAT(NonZeroShare(statistics).value(), Near(0.5));
    statistics.exponents = {{118, 0.9}};
    EXPECT_EQ(NonZeroShare(statistics), 1);
    statistics.exponents.clear();
    EXPECT_FALSE(NonZeroShare(statistics));
}

/* The largest 25 %: all 10 % at 127 and 15 % of the 30 % at 118; 75 % are zeros. */
TEST(Sparsified, KeepsTheLargestValues)
{
    const auto sparse = Sparsified(Layer(), 0.25);
    EXPECT_EQ(sparse.density, 0.25);
    EXPECT_THAT(sparse.exponents,
                ElementsAre(Pair(0, Near(0.75)), Pair(118, Near(0.15)), Pair(127, Near(0.1))));
    EXPECT_THAT(sparse.widths.at(10), ElementsAre(Near(0.75), Near(0.15), 0, Near(0.1)));
    EXPECT_FALSE(sparse.unionDensity);
    EXPECT_FALSE(sparse.blockDensity);
    EXPECT_FALSE(sparse.unionBlockDensity);
    EXPECT_THAT(StatisticsComplaints(sparse, 4), testing::IsEmpty());
}

/* The largest 60 %: 20 % of the 40 % at 110 stay, which take 2 bits as zeros do. */
TEST(Sparsified, SmallValuesTakeAsManyBitsAsZeros)
{
    const auto sparse = Sparsified(Layer(), 0.6);
    EXPECT_THAT(
        sparse.exponents,
        ElementsAre(
            Pair(0, Near(0.4)), Pair(110, Near(0.2)), Pair(118, Near(0.3)), Pair(127, Near(0.1))));
    EXPECT_THAT(sparse.widths.at(10), ElementsAre(Near(0.6), Near(0.3), 0, Near(0.1)));
}

TEST(Sparsified, LeavesALayerThatIsSparserAlone)
{
    const auto same = Sparsified(Layer(), 0.8);
    EXPECT_EQ(same.exponents, Layer().exponents);
    EXPECT_EQ(same.widths, Layer().widths);
    EXPECT_EQ(same.density, 0.8);
    EXPECT_EQ(same.unionDensity, 0.9);
}

/* Without a density, the histogram's 80 % count; without both, 100 %. */
TEST(Sparsified, AlwaysGivesADensity)
{
    auto statistics = Layer();
    statistics.density.reset();
    EXPECT_THAT(Sparsified(statistics, 0.9).density.value(), Near(0.8));
    EXPECT_EQ(Sparsified(LayerStatistics{}, 1).density, 1);
    EXPECT_EQ(Sparsified(LayerStatistics{}, 0.01).density, 0.01);
}

/* Printed shares add up to 0.8 here: as parts of 1 they are 0.5, 0.25, 0.25; the largest 30 % leave
 * 5 % of the middle. A histogram without exponent 0 gets one. */
TEST(Sparsified, SharesAddUpToOneAfterwards)
{
    LayerStatistics statistics;
    statistics.exponents = {{110, 0.4}, {118, 0.2}, {127, 0.2}};
    EXPECT_THAT(Sparsified(statistics, 0.3).exponents,
                ElementsAre(Pair(0, Near(0.7)), Pair(118, Near(0.05)), Pair(127, Near(0.25))));
}

/* From 0.8 to 0.4: half of each non-zero share; of the 2-bit class 0.4 are small values. */
TEST(WithDensity, LowersAndKeepsTheShape)
{
    const auto lower = WithDensity(Layer(), 0.4);
    EXPECT_EQ(lower.density, 0.4);
    EXPECT_THAT(lower.exponents,
                ElementsAre(Pair(0, Near(0.6)),
                            Pair(110, Near(0.2)),
                            Pair(118, Near(0.15)),
                            Pair(127, Near(0.05))));
    EXPECT_THAT(lower.widths.at(10), ElementsAre(Near(0.8), Near(0.15), 0, Near(0.05)));
    EXPECT_FALSE(lower.unionDensity);
    EXPECT_FALSE(lower.blockDensity);
}

/* From 0.8 to 1: 1.25 times each non-zero share, and no zeros. */
TEST(WithDensity, RaisesAndKeepsTheShape)
{
    const auto higher = WithDensity(Layer(), 1);
    double sum = 0;
    for (const auto& [exponent, share] : higher.exponents)
    {
        sum += exponent == 0 ? 0 : share;
    }
    EXPECT_THAT(sum, Near(1));
    EXPECT_THAT(higher.exponents.back(), Pair(127, Near(0.125)));
    EXPECT_THAT(higher.widths.at(10), ElementsAre(Near(0.5), Near(0.375), 0, Near(0.125)));
}

/* A layer of zeros has no shape: its new values are as small as zeros. */
TEST(WithDensity, ZerosThatBecomeValuesAreSmall)
{
    LayerStatistics statistics;
    statistics.density = 0;
    statistics.exponents = {{0, 1}};
    statistics.widths = {{10, {1, 0, 0, 0}}};
    const auto higher = WithDensity(statistics, 0.5);
    EXPECT_EQ(higher.density, 0.5);
    EXPECT_THAT(higher.exponents, ElementsAre(Pair(0, 1)));
    EXPECT_THAT(higher.widths.at(10), ElementsAre(1, 0, 0, 0));
}

/* Above exponent 0 stands 0.82, a little more than the density: it becomes no more than 0.4. */
TEST(WithDensity, DigitsOfTheTraceDoNotRaiseIt)
{
    LayerStatistics statistics;
    statistics.density = 0.8;
    statistics.exponents = {{0, 0.18}, {110, 0.82}};
    EXPECT_THAT(WithDensity(statistics, 0.4).exponents,
                ElementsAre(Pair(0, Near(0.6)), Pair(110, Near(0.4))));
}

TEST(SparseStatistics, ATraceIsChangedLayerByLayer)
{
    GradientTrace trace;
    trace.statsWorkers = 4;
    trace.layers.resize(2);
    trace.layers[0].statistics = Layer();
    trace.layers[1].statistics.density = 0.1;
    trace.layers[1].statistics.unionDensity = 0.2;
    const auto sparse = Sparsified(trace, 0.5);
    EXPECT_EQ(sparse.layers[0].statistics.density, 0.5);
    EXPECT_FALSE(sparse.layers[0].statistics.unionDensity);
    EXPECT_EQ(sparse.layers[1].statistics.density, 0.1);
    EXPECT_EQ(sparse.layers[1].statistics.unionDensity, 0.2);
    const auto set = WithDensity(trace, 0.5);
    EXPECT_EQ(set.layers[1].statistics.density, 0.5);
    EXPECT_FALSE(set.layers[1].statistics.unionDensity);
}

TEST(SparseStatistics, RefuseWhatIsNoShare)
{
    for (const double bad : {0.0, -0.1, 1.5, std::numeric_limits<double>::quiet_NaN()})
    {
        EXPECT_THROW(WithDensity(Layer(), bad), InputError) << bad;
        EXPECT_THROW(Sparsified(Layer(), bad), InputError) << bad;
    }
}

} // namespace inca
