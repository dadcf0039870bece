/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-measurement.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace inca
{

namespace
{

/**
 * Measured by others, from an implementation of their own (arXiv 2402.07529 has no such table): left
 * shares are to 0.01 %, where 0 is what a run of theirs showed, not what must be.
 */
struct KnownDecoding
{
    std::uint32_t rows;
    std::uint32_t counterRows;
    double load;
    double leftShare;
    double rounds;
};

std::ostream&
operator<<(std::ostream& out, const KnownDecoding& known)
{
    return out << "R" << known.counterRows << " load " << known.load;
}

class KnownDecodings : public testing::TestWithParam<KnownDecoding>
{
};

/**
 * Their shares of decoded lanes are multiples of 1/256. Lanes are decoded but for a few values, or
 * stop half way: whether one more of 256 happens to stop changes the left share by half of 1/256.
 */
constexpr double g_oneLane = 0.5 / 256;

} // namespace

/* Left shares within a factor of 2, and a lane of theirs, below load 0.8; within a tenth above. Mean
 * rounds within 2.                                                                              */
TEST_P(KnownDecodings, AreMeasuredAgain)
{
    const auto& known = GetParam();
    const auto buckets = known.rows > 2000 ? 1U : 4U;
    const auto density = known.load * known.counterRows / known.rows;
    const auto figures = MeasurePeeling({known.rows, known.counterRows, density, buckets, 7});
    if (known.load >= 0.8)
    {
        EXPECT_NEAR(figures.leftShare, known.leftShare, 0.1);
    }
    else
    {
        EXPECT_GE(figures.leftShare, known.leftShare / 2 - g_oneLane);
        EXPECT_LE(figures.leftShare, known.leftShare * 2 + g_oneLane);
    }
    EXPECT_NEAR(figures.laneRounds, known.rounds, 2);
}

INSTANTIATE_TEST_SUITE_P(PeelingMeasurement,
                         KnownDecodings,
                         testing::Values(KnownDecoding{1024, 103, 0.5, 0.0014, 5.6},
                                         KnownDecoding{1024, 103, 0.7, 0.111, 10.0},
                                         KnownDecoding{8192, 820, 0.5, 0, 6.2},
                                         KnownDecoding{8192, 820, 0.7, 0, 12.0},
                                         KnownDecoding{8192, 820, 0.75, 0.015, 17.1},
                                         KnownDecoding{65536, 6554, 0.5, 0, 6.7},
                                         KnownDecoding{65536, 6554, 0.7, 0, 12.7},
                                         KnownDecoding{65536, 6554, 0.78, 0, 24.3},
                                         KnownDecoding{65536, 6554, 0.80, 0.057, 38.5},
                                         KnownDecoding{65536, 6554, 0.85, 0.547, 21.7}));

TEST(PeelingMeasurement, SeesThatFewCountersDecodeBadly)
{
    EXPECT_NEAR(MeasurePeeling({256, 26, 0.5 * 26 / 256, 4, 1}).leftShare, 0.09, 0.045);
    EXPECT_NEAR(MeasurePeeling({64, 16, 0.4 * 16 / 64, 16, 1}).leftShare, 0.09, 0.045);
    EXPECT_LT(MeasurePeeling({256, 128, 0.1 * 128 / 256, 4, 1}).leftShare, 0.0005);
}

/* One counter row: each value's three counters coincide, so none is ever alone. */
TEST(PeelingMeasurement, LeavesAllToASingleCounterRow)
{
    const auto figures = MeasurePeeling({1, 1, 1.0, 2, 1});
    EXPECT_EQ(figures.leftShare, 1.0);
    EXPECT_EQ(figures.decodedLanes, 0.0);
    EXPECT_EQ(figures.laneRounds, 1.0);
    EXPECT_EQ(figures.bucketRounds, 1.0);
}

TEST(PeelingMeasurement, DependsOnTheSeedAlone)
{
    const PeelingExperiment experiment{300, 40, 0.1, 2, 5};
    const auto once = MeasurePeeling(experiment);
    const auto again = MeasurePeeling(experiment);
    EXPECT_EQ(once.leftShare, again.leftShare);
    EXPECT_EQ(once.laneRounds, again.laneRounds);
}

TEST(PeelingMeasurement, RefusesWhatCannotBeMeasured)
{
    EXPECT_THROW(MeasurePeeling({0, 1, 0.1, 1, 1}), InputError);
    EXPECT_THROW(MeasurePeeling({1, 0, 0.1, 1, 1}), InputError);
    EXPECT_THROW(MeasurePeeling({1, 1, 0.1, 0, 1}), InputError);
    EXPECT_THROW(MeasurePeeling({1, 1, 1.1, 1, 1}), InputError);
}

namespace
{

/** Above, a cell takes up to a second, so that every fifth has to do. */
constexpr std::uint32_t g_mostCounterRows = 128;
constexpr std::size_t g_stride = 5;

/** Half a unit of the table's last digit, and as much again for how it was written down. */
constexpr double g_shareDigits = 1e-6;
constexpr double g_roundDigits = 1e-2;

class PeelingTableRows : public testing::TestWithParam<std::size_t>
{
};

} // namespace

TEST_P(PeelingTableRows, AreMeasuredAgain)
{
    const auto& [counterRows, figures] = PeelingTable()[GetParam()];
    const auto& loads = PeelingTableLoads();
    ASSERT_EQ(figures.size(), loads.size());
    const std::size_t stride = counterRows <= g_mostCounterRows ? 1 : g_stride;
    for (std::size_t i = 0; i < loads.size(); i += stride)
    {
        const auto measured = MeasurePeeling(PeelingTableExperiment(counterRows, loads[i]));
        EXPECT_NEAR(figures[i].leftShare, measured.leftShare, g_shareDigits) << loads[i];
        EXPECT_NEAR(figures[i].decodedLanes, measured.decodedLanes, g_shareDigits) << loads[i];
        EXPECT_NEAR(figures[i].laneRounds, measured.laneRounds, g_roundDigits) << loads[i];
        EXPECT_NEAR(figures[i].bucketRounds, measured.bucketRounds, g_roundDigits) << loads[i];
    }
}

INSTANTIATE_TEST_SUITE_P(PeelingTable, PeelingTableRows, testing::Range<std::size_t>(0, 14));

TEST(PeelingTable, AscendsFromOneCounterRowAndNoLoad)
{
    EXPECT_EQ(PeelingTableLoads().front(), 0.0);
    EXPECT_TRUE(std::is_sorted(PeelingTableLoads().begin(), PeelingTableLoads().end()));
    ASSERT_EQ(PeelingTable().size(), 14U);
    std::uint32_t expected = 1;
    for (const auto& row : PeelingTable())
    {
        EXPECT_EQ(row.counterRows, expected);
        expected *= 2;
    }
}

} // namespace inca
