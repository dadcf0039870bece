/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model/switch-fixture.h"

namespace inca
{

/** Frames are lost by ordinal, and every sum is exact all the same. */
class SlotLossTest : public SwitchFixture
{
  protected:
    std::int64_t LastDonePs() const
    {
        std::int64_t lastPs = 0;
        for (const auto& ofWorker : results)
        {
            lastPs = std::max(lastPs, ofWorker.back().donePs);
        }
        return lastPs;
    }
};

/* Worker 0's only packet is lost. Both workers' timeouts pass 1 ms after their packet left (270.4 ns):
 * worker 0's second packet completes the slot; worker 1's repeats what was added, and comes a little
 * earlier or later: a duplicate if earlier, else answered. Links are plugged in the order of
 * the workers, so worker 0's events come first at the same instant: it completes, 1's is answered. */
TEST_F(SlotLossTest, AContributionIsLost)
{
    Star(2);
    Lose(links[0], LOWER_SIDE, {0});
    SumAll(VALUES);
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 1U);
    EXPECT_EQ(clients[1]->RetransmittedFrames(), 1U);
    EXPECT_EQ(LastDonePs(), FRAME_PS + TIMEOUT_PS + ROUND_TRIP_PS);
    EXPECT_EQ(programs[0]->Counters().combined, 2U);
    EXPECT_EQ(programs[0]->Counters().answered + programs[0]->Counters().duplicates, 1U);
}

/* The sum to worker 1 is lost; worker 0 has it, and sends nothing again. The switch answers 1. */
TEST_F(SlotLossTest, ASumIsLostToOneWorker)
{
    Star(3);
    Lose(links[1], UPPER_SIDE, {0});
    SumAll(VALUES);
    RunExact();
    EXPECT_EQ(Retransmitted(), 1U);
    EXPECT_EQ(clients[1]->RetransmittedFrames(), 1U);
    EXPECT_EQ(programs[0]->Counters().answered, 1U);
    EXPECT_EQ(results[0][0].donePs, ROUND_TRIP_PS);
    EXPECT_EQ(results[1][0].donePs, FRAME_PS + TIMEOUT_PS + ROUND_TRIP_PS);
}

/* The same in the middle of a long sum: the slot's next packet waits for the answer at the switch
 * and with the workers, so that nobody else is a whole round ahead. */
TEST_F(SlotLossTest, ASumIsLostInTheMiddle)
{
    Slots(4);
    Star(2);
    Lose(links[0], UPPER_SIDE, {17});
    SumAll(40 * VALUES);
    RunExact();
    EXPECT_EQ(programs[0]->Counters().answered, 1U);
    // worker 1 sent packet 17 + 4 long before, and again when worker 0's did not come
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 1U);
    EXPECT_EQ(clients[1]->RetransmittedFrames(), 1U);
}

/* The sum to both is lost: each asks, each is answered. */
TEST_F(SlotLossTest, ASumIsLostToAll)
{
    Star(2);
    Lose(links[0], UPPER_SIDE, {0});
    Lose(links[1], UPPER_SIDE, {0});
    SumAll(VALUES);
    RunExact();
    EXPECT_EQ(Retransmitted(), 2U);
    EXPECT_EQ(programs[0]->Counters().answered, 2U);
}

/* The contribution, its repetition, and the answer to the third one's: 3 timeouts. */
TEST_F(SlotLossTest, ARepetitionAndItsAnswerAreLost)
{
    Star(1);
    Lose(links[0], LOWER_SIDE, {0, 1});
    Lose(links[0], UPPER_SIDE, {0});
    SumAll(VALUES);
    RunExact();
    EXPECT_EQ(Retransmitted(), 3U);
    EXPECT_EQ(LastDonePs(), 3 * (FRAME_PS + TIMEOUT_PS) + ROUND_TRIP_PS);
}

TEST_F(SlotLossTest, SeveralAreLostOnEveryLink)
{
    Slots(8);
    Star(3);
    Lose(links[0], LOWER_SIDE, {0, 3, 4, 5, 20});
    Lose(links[1], UPPER_SIDE, {0, 1, 2, 11});
    Lose(links[1], LOWER_SIDE, {7, 8, 30});
    Lose(links[2], UPPER_SIDE, {2, 19, 29});
    SumAll(30 * VALUES);
    RunExact();
}

TEST_F(SlotLossTest, TheFirstAndTheLastPacketAreLost)
{
    Star(2);
    Lose(links[0], LOWER_SIDE, {0, 9});
    SumAll(9 * VALUES + 5);
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 2U);
    EXPECT_EQ(clients[1]->RetransmittedFrames(), 2U);
    // packets 0 and 9 are due 9 frames apart
    EXPECT_EQ(LastDonePs(), 10 * FRAME_PS + TIMEOUT_PS + ROUND_TRIP_PS);
}

/* Of 4 blocks through 2 slots the first 2 packets carry exponents alone: the 1st is lost on its way
 * up, the 2nd's sum on its way down. */
TEST_F(SlotLossTest, ThePrologueIsLost)
{
    ScaleByBlock();
    Slots(2);
    Star(2);
    Lose(links[0], LOWER_SIDE, {0});
    Lose(links[1], UPPER_SIDE, {0});
    SumAll(4 * VALUES);
    RunExact();
    EXPECT_GE(Retransmitted(), 3U);
}

/* Two streams, and the end of the first is lost: the second one's packets are already on their way. */
TEST_F(SlotLossTest, AStreamEndsAfterTheNextOne)
{
    Star(2);
    Lose(links[0], UPPER_SIDE, {2});
    SumAll(3 * VALUES);
    SumAll(3 * VALUES);
    RunExact();
    EXPECT_GT(results[0][0].donePs, results[0][1].donePs);
    EXPECT_LT(results[1][0].donePs, results[1][1].donePs);
}

/* A leaf's contribution to the root is lost: its workers ask again, the first of them makes the leaf ask
 * again, and the others likewise; the root answers what it has added. */
TEST_F(SlotLossTest, AContributionIsLostBetweenSwitches)
{
    Tree({2, 2});
    Lose(trunks[1], LOWER_SIDE, {0});
    SumAll(5 * VALUES);
    RunExact();
    EXPECT_GT(programs[1]->Counters().forwarded,
              5U); // 5 sums from above, and those that asked again
    // 4 workers' packet 0 timed out
    EXPECT_EQ(Retransmitted(), 4U);
}

/* The root's sum to leaf 1 is lost: leaf 0's workers have it. Leaf 1's two workers ask, the root
 * answers the first; the second finds the sum there or asks again. */
TEST_F(SlotLossTest, ASumIsLostBetweenSwitches)
{
    Tree({2, 2});
    Lose(trunks[2], UPPER_SIDE, {0});
    SumAll(5 * VALUES);
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames() + clients[1]->RetransmittedFrames(), 0U);
    EXPECT_EQ(clients[2]->RetransmittedFrames() + clients[3]->RetransmittedFrames(), 2U);
    EXPECT_GE(programs[0]->Counters().answered, 1U);
}

TEST_F(SlotLossTest, LossesEverywhereInATree)
{
    Slots(8);
    ScaleByBlock();
    Tree({3, 1, 2});
    Lose(links[0], LOWER_SIDE, {1, 9, 10});
    Lose(links[3], UPPER_SIDE, {0, 5});
    Lose(links[5], LOWER_SIDE, {2, 3, 12});
    Lose(trunks[1], LOWER_SIDE, {0, 4, 20});
    Lose(trunks[2], UPPER_SIDE, {3, 8, 9});
    Lose(trunks[3], UPPER_SIDE, {0, 1});
    SumAll(30 * VALUES + 1);
    RunExact();
}

/* Everything that worker 0 sends is lost 5 times; the timeout doubles after 2 timeouts: 1, 1, 2, 2, 4 ms
 * between the departures of the 6 packets. */
TEST_F(SlotLossTest, TheTimeoutDoubles)
{
    Client("DoubleAfter", ns3::UintegerValue(2));
    Star(1);
    Lose(links[0], LOWER_SIDE, {0, 1, 2, 3, 4});
    SumAll(VALUES);
    RunExact();
    EXPECT_EQ(Retransmitted(), 5U);
    EXPECT_EQ(LastDonePs(), 5 * FRAME_PS + 10 * TIMEOUT_PS + ROUND_TRIP_PS);
}

TEST_F(SlotLossTest, TheTimeoutIsTheFirstAgainForTheNextSum)
{
    Client("DoubleAfter", ns3::UintegerValue(1));
    Star(1);
    Lose(links[0], LOWER_SIDE, {0, 1, 3});
    SumAll(VALUES); // departures 0, 1 ms, 3 ms
    ns3::Simulator::Run();
    const auto beginPs = results[0][0].donePs;
    SumAll(VALUES); // 1 ms again
    const auto restPs = ns3::Simulator::Now().GetTimeStep();
    RunExact();
    EXPECT_GE(restPs, beginPs);
    EXPECT_EQ(results[0][1].donePs, restPs + FRAME_PS + TIMEOUT_PS + ROUND_TRIP_PS);
}

/* Duplicates on the wire: a timeout shorter than the round trip sends every packet several times. */
TEST_F(SlotLossTest, ATimeoutThatIsTooShortOnlyCostsTime)
{
    Client("Timeout", ns3::TimeValue(ns3::MicroSeconds(2)));
    Slots(4);
    Tree({2, 1});
    SumAll(50 * VALUES);
    RunExact();
    EXPECT_GT(Retransmitted(), 0U);
}

} // namespace inca
