/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/switch-fixture.h"

#include <tuple>

namespace inca
{

/** Workers whose windows are not as large as their switch's pool. */
class SlotWindowTest : public SwitchFixture
{
  protected:
    /** Sums that are whole. */
    unsigned DoneCount() const
    {
        unsigned count = 0;
        for (const auto& ofWorker : results)
        {
            count += ofWorker.front().doneCount;
        }
        return count;
    }

    /** What has been written of the first sums so far is right. */
    void ExpectNothingWrong() const
    {
        for (const auto& ofWorker : results)
        {
            const auto& result = ofWorker.front();
            const auto expected = ExpectedSum(result.sum.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
            {
                EXPECT_TRUE(result.written[i] == 0 || result.sum[i] == expected[i]) << i;
            }
        }
    }
};

/* A window of 4 over a pool of 2, and worker 1 asks 5 us later: what found no slot meanwhile, packets
 * 2 and 3 of worker 0, goes in when its timeout has passed. */
TEST_F(SlotWindowTest, APoolBelowTheWindowOnlyCostsTime)
{
    Client("Slots", ns3::UintegerValue(4));
    Program("Slots", ns3::UintegerValue(2));
    Star(2);
    Sum(0, 12 * VALUES);
    ns3::Simulator::Schedule(ns3::MicroSeconds(5), [this] { Sum(1, 12 * VALUES); });
    RunExact();
    EXPECT_GE(programs[0]->Counters().noSlot, 2U);
    EXPECT_GE(clients[0]->RetransmittedFrames(), 2U);
}

/* Windows of 4 over a pool of 2, and sum 0 to worker 0 is lost. Worker 1 has it, and its packet 4
 * overwrites copy 0 of slot 0, because packet 2 is done meanwhile. So what worker 0 asks for is gone,
 * while packet 4 waits for it for ever: who looks is told who waits for whom, and that packets were
 * late. What was written is right. Windows of 2 over a pool of 3: packets 0, 2, 4, ... follow each other, and 1, 3, 5, ....
 * Sum 2 to worker 0 is lost; its 5, in the same slot as 2, goes on with the odd ones, and clears its bit. */
TEST_F(SlotWindowTest, ALostSumMayStarveAWorkerWhoseWindowIsNotThePools)
{
    const std::tuple<std::uint32_t, std::uint32_t, std::uint32_t> rows[] = {{4, 2, 0}, {2, 3, 2}};
    for (const auto& [window, pool, lost] : rows)
    {
        Clear();
        Client("Slots", ns3::UintegerValue(window));
        Program("Slots", ns3::UintegerValue(pool));
        Star(2);
        Lose(links[0], UPPER_SIDE, {lost});
        SumAll(12 * VALUES);
        RunFor(ns3::MilliSeconds(20));
        EXPECT_EQ(DoneCount(), 0U);
        ExpectNothingWrong();
        EXPECT_GT(programs[0]->Counters().late, 0U);
        const auto state = programs[0]->State();
        EXPECT_TRUE(window == 2 || state.find("slot 0 (packet 4) waits for worker 0") == 0)
            << state;
        EXPECT_NE(state.find(" late"), std::string::npos) << state;
        const auto oldest = "the oldest, " + std::to_string(lost) + ", was sent";
        EXPECT_NE(clients[0]->State().find(oldest), std::string::npos);
        ns3::Simulator::Destroy();
    }
}

/* Without a loss neither window makes a difference but in time. */
TEST_F(SlotWindowTest, AnyWindowAddsRightWhereNothingIsLost)
{
    for (const std::uint32_t window : {1U, 2U, 3U, 5U})
    {
        Clear();
        Client("Slots", ns3::UintegerValue(window));
        Program("Slots", ns3::UintegerValue(3));
        Star(3);
        SumAll(20 * VALUES);
        RunExact();
        ns3::Simulator::Destroy();
    }
}

} // namespace inca
