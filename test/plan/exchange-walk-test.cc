/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/exchange-walk.h"

#include "plan/round-numbers.h"

#include <gmock/gmock.h>

#include <vector>

namespace inca
{

using testing::ElementsAre;

class ExchangeWalkTest : public testing::Test
{
  protected:
    /** @return when each rank has ended (ns) */
    std::vector<double> Walk(const char* algorithm,
                             std::uint64_t elements,
                             std::vector<double> beginsNs)
    {
        const auto job = RoundJob(algorithm, elements);
        const auto network = RoundNetwork(static_cast<std::uint32_t>(beginsNs.size()));
        std::vector<LimitedTime> times;
        for (const auto ns : beginsNs)
        {
            times.push_back(LimitedTime::Fixed(ns * NS));
        }
        const auto& chunk = job->chunks[0];
        ExchangeWalk(m_scenario, *job, network, nullptr).Pass(chunk, chunk.rounds[0], times);
        std::vector<double> ends;
        for (const auto& time : times)
        {
            ends.push_back(time.Ps() / NS);
        }
        return ends;
    }

    Scenario m_scenario{RoundScenario()};
};

/* 730 values in 2 blocks of a full frame: 2 steps of 3286 ns. */
TEST_F(ExchangeWalkTest, ARingOfTwoTakesTwoSteps)
{
    EXPECT_THAT(Walk("ring", 730, {0, 0}), ElementsAre(6572, 6572));
}

/* The first step's block is added, 1460 ns at a byte per ns; the second's takes its place. */
TEST_F(ExchangeWalkTest, BlocksAreAddedBeforeTheyGoOn)
{
    m_scenario.host.sumBytesPerSecond = 1'000'000'000;
    EXPECT_THAT(Walk("ring", 730, {0, 0}), ElementsAre(8032, 8032));
}

/* Worker 1 begins at 1000: worker 0 has its block at 4286, worker 1 worker 0's already at 3286, but its
 * own has not left before 2538. Then worker 1 sends at 3286, worker 0 at 4286, and each waits 3286. */
TEST_F(ExchangeWalkTest, ALateWorkerHoldsUpItsPeer)
{
    EXPECT_THAT(Walk("ring", 730, {0, 1000}), ElementsAre(6572, 7572));
}

/* A frame to and from an aggregator. Both gradients come over its link, from when the first is there:
 * 1648 + 2 * 1538 = 4724; the walk leaves out the 100 ns of that link itself. It sends weights one
 * after the other: worker 0 has them at 4724 + 3286, worker 1 1538 later; the last has left at
 * 4724 + 2 * 1538. */
TEST_F(ExchangeWalkTest, AnAggregatorsLinkIsShared)
{
    EXPECT_THAT(Walk("worker-aggregator", 365, {0, 0, 0}), ElementsAre(8010, 9548, 7800));
}

} // namespace inca
