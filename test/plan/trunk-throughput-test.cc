/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/trunk-throughput.h"

#include "plan/round-numbers.h"

#include <gtest/gtest.h>

namespace inca
{

class TrunkThroughputTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_network.switchOfHost = {0, 0, 1, 1};
        m_network.trunksOfSwitch = {1, 1};
        m_network.trunkBitsPerSecond = 8'000'000'000;
    }

    LimitedTime Of(const char* algorithm, Rank workers)
    {
        ExchangeSpec spec;
        spec.algorithm = algorithm;
        spec.workers = workers;
        spec.broadcast = "flat";
        return TrunkThroughput(RoundScenario(), *MakeTensorJob(spec, 100), m_network);
    }

    NetworkSpeed m_network{RoundNetwork(4)};
};

/* Two workers in each of two racks. A ring of 4 sends 6 messages of 25 values from each worker to the
 * next, 8 + 14 + 40 + 100 + 4 + 12 = 178 bytes each: one worker's leave each rack. */
TEST_F(TrunkThroughputTest, IsWhatLeavesARack)
{
    EXPECT_DOUBLE_EQ(Of("ring", 4).Ps(), 6 * 178 * NS);
    EXPECT_DOUBLE_EQ(Of("ring", 4).Gain(Limit::LINK), 6 * 178 * NS * (1 - 1 / RAISE));
    m_network.trunksOfSwitch = {2, 2};
    EXPECT_DOUBLE_EQ(Of("ring", 4).Ps(), 3 * 178 * NS);
    m_network.trunkBitsPerSecond = 4'000'000'000;
    EXPECT_DOUBLE_EQ(Of("ring", 4).Ps(), 6 * 178 * NS);
}

/* 3 workers and an aggregator: two gradients of 400 + 78 bytes come into its rack, two weights leave it. */
TEST_F(TrunkThroughputTest, CountsBothWaysApart)
{
    EXPECT_DOUBLE_EQ(Of("worker-aggregator", 3).Ps(), 2 * 478 * NS);
}

TEST_F(TrunkThroughputTest, IsNothingWithoutTrunks)
{
    m_network.switchOfHost = {0, 0, 0, 0};
    EXPECT_DOUBLE_EQ(Of("ring", 4).Ps(), 0);
    m_network.trunkBitsPerSecond = 0;
    EXPECT_DOUBLE_EQ(Of("ring", 4).Ps(), 0);
}

} // namespace inca
