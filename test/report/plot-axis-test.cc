/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-axis.h"

#include <gmock/gmock.h>

namespace inca
{

using testing::DoubleNear;
using testing::ElementsAre;

/* 1.2 ms is the largest: the axis is in ms, of which a second has 1000. */
TEST(PlotAxis, IsInTheUnitOfItsLargestValue)
{
    const auto unit = UnitFor("iteration_time_s", {0.0006, 0.0012});
    EXPECT_EQ(unit.title, "iteration time (ms)");
    EXPECT_DOUBLE_EQ(unit.factor, 1000);
    EXPECT_EQ(UnitFor("iteration_time_s", {12}).title, "iteration time (s)");
    EXPECT_EQ(UnitFor("bandwidth_gbps", {10, 400}).title, "bandwidth (Gbit/s)");
    EXPECT_EQ(UnitFor("bandwidth_gbps", {0.1}).title, "bandwidth (Mbit/s)");
    EXPECT_EQ(UnitFor("latency_us", {1, 10}).title, "latency (us)");
    EXPECT_EQ(UnitFor("sum_rate_bytes_per_s", {8.4e9}).title, "sum rate (GB/s)");
    EXPECT_EQ(UnitFor("samples_per_s", {5000}).title, "samples (1/s)");
    EXPECT_EQ(UnitFor("workers", {5000}).title, "workers");
}

/* 26,214,400 = 25 * 1024^2; one byte more is of no power of 1024. */
TEST(PlotAxis, CountsBytesByTheThousandUnlessTheyAreBinary)
{
    const auto binary = UnitFor("bucket_bytes", {26'214'400});
    EXPECT_EQ(binary.title, "bucket (MiB)");
    EXPECT_DOUBLE_EQ(26'214'400 * binary.factor, 25);
    EXPECT_EQ(UnitFor("bucket_bytes", {26'214'401}).title, "bucket (MB)");
}

TEST(PlotAxis, NamesWhatStandsAlone)
{
    EXPECT_EQ(ValueName("label", "4"), "4");
    EXPECT_EQ(ValueName("exchange", "ring"), "ring");
    EXPECT_EQ(ValueName("workers", "4"), "4 workers");
    EXPECT_EQ(ValueName("bandwidth_gbps", "25"), "25 Gbit/s");
    EXPECT_EQ(ValueName("overlap", "true"), "overlap: true");
}

/* 0.1 to 2 is more than a decade: logarithmic, between the nearest of 1, 2, 5, 10. */
TEST(PlotAxis, IsLogarithmicOverADecade)
{
    const auto scale = ValueScale({0.11, 1.9});
    EXPECT_TRUE(scale.isLog);
    EXPECT_THAT(scale.ticks,
                ElementsAre(DoubleNear(0.1, 1e-12),
                            DoubleNear(0.2, 1e-12),
                            DoubleNear(0.5, 1e-12),
                            DoubleNear(1, 1e-12),
                            DoubleNear(2, 1e-12)));
    EXPECT_DOUBLE_EQ(scale.ShareOf(scale.At(0.3)), 0.3);
}

/* The least is a fifth of the most: from zero, with 8 % of room above. 0.5 of 0.6 is not near zero: from
 * 8 % of 0.1 below. */
TEST(PlotAxis, BeginsAtZeroWhereThatIsNear)
{
    const auto near = ValueScale({0.2, 1});
    EXPECT_FALSE(near.isLog);
    EXPECT_DOUBLE_EQ(near.least, 0);
    EXPECT_DOUBLE_EQ(near.most, 1.08);
    const auto far = ValueScale({0.5, 0.6});
    EXPECT_DOUBLE_EQ(far.least, 0.492);
    EXPECT_DOUBLE_EQ(far.most, 0.608);
    const auto same = ValueScale({2, 2});
    EXPECT_DOUBLE_EQ(same.least, 0);
    const auto zero = ValueScale({0});
    EXPECT_LT(zero.least, zero.most);
}

TEST(PlotAxis, OfBarsBeginsAtZero)
{
    EXPECT_DOUBLE_EQ(ValueScale({0.5, 0.6}, true).least, 0);
    EXPECT_FALSE(ValueScale({1, 50}, true).isLog);
    EXPECT_TRUE(ValueScale({1, 100}, true).isLog);
}

/* Eight doublings: ticks are 1/7 of 1/1.08 of the length apart. 10 and 11 of 10 to 90 are too near. */
TEST(PlotAxis, HasTicksWhereWasSimulated)
{
    const auto doublings = PlaceScale({2, 4, 8, 16, 32, 64, 128, 256});
    EXPECT_TRUE(doublings.isLog);
    EXPECT_THAT(doublings.ticks, ElementsAre(2, 4, 8, 16, 32, 64, 128, 256));
    const auto few = PlaceScale({10, 20});
    EXPECT_FALSE(few.isLog);
    EXPECT_DOUBLE_EQ(few.least, 9.6);
    EXPECT_DOUBLE_EQ(few.most, 20.4);
    EXPECT_TRUE(PlaceScale({10, 11, 90}).ticks.empty());
    const auto one = PlaceScale({4});
    EXPECT_LT(one.least, one.most);
}

} // namespace inca
