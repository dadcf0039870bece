/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/peeling-table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace inca
{

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
