/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/switch-fixture.h"

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

/* Worker 0's only packet is lost. Both workers time out 1 ms after their packet has left (270.4
 * ns); worker 0's timer was set first, so its repetition completes the slot, and worker 1's,
 * which comes at the same instant, is answered: 2 sums and an answer. */
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
    EXPECT_EQ(programs[0]->Counters().answered, 1U);
    EXPECT_EQ(programs[0]->Counters().made, 3U);
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

/* Sum 17 to worker 0 is lost. Worker 1 has it and sends packet 21 into the same slot. It left a
 * round trip after 17, so it times out when worker 0, answered a round trip after its own
 * timeout, sends its 21: worker 1's repetition comes first, and is a duplicate. The other slots
 * go on meanwhile. */
TEST_F(SlotLossTest, ASumIsLostInTheMiddle)
{
    Slots(4);
    Star(2);
    Lose(links[0], UPPER_SIDE, {17});
    SumAll(40 * VALUES);
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 1U);
    EXPECT_EQ(clients[1]->RetransmittedFrames(), 1U);
    EXPECT_EQ(programs[0]->Counters().answered, 1U);
    EXPECT_EQ(programs[0]->Counters().duplicates, 1U);
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

/* Of 4 blocks through 2 slots the first 2 packets carry exponents alone. Worker 0's packet 0 is
 * lost, and the first sum to worker 1, which is that of packet 1. Worker 0 has it, and sends
 * packet 3, which times out too: worker 0 repeats 0 and 3, worker 1 repeats 0 and 1. */
TEST_F(SlotLossTest, ThePrologueIsLost)
{
    ScaleByBlock();
    Slots(2);
    Star(2);
    Lose(links[0], LOWER_SIDE, {0});
    Lose(links[1], UPPER_SIDE, {0});
    SumAll(4 * VALUES);
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 2U);
    EXPECT_EQ(clients[1]->RetransmittedFrames(), 2U);
}

/* Two streams, and the end of the first is lost: the second one's packets are already on their
 * way. */
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

/* Leaf 0's packet 0 to the root is lost, and all 4 workers time out. Both leaves' slots are
 * complete, so each passes both of its workers' repetitions up, beside 5 sums down. At the root
 * leaf 0's first one completes; the other 3 are answered, or dropped if they came before it.
 * What is answered is late at the leaf: the sum is there. */
TEST_F(SlotLossTest, AContributionIsLostBetweenSwitches)
{
    Tree({2, 2});
    Lose(trunks[1], LOWER_SIDE, {0});
    SumAll(5 * VALUES);
    RunExact();
    EXPECT_EQ(Retransmitted(), 4U);
    EXPECT_EQ(programs[1]->Counters().forwarded, 7U);
    EXPECT_EQ(programs[2]->Counters().forwarded, 7U);
    EXPECT_EQ(programs[0]->Counters().combined, 10U);
    const auto answered = programs[0]->Counters().answered;
    EXPECT_EQ(answered + programs[0]->Counters().duplicates, 3U);
    EXPECT_EQ(programs[1]->Counters().late + programs[2]->Counters().late, answered);
}

/* The root's sum 0 to leaf 1 is lost; leaf 0's workers have it. Leaf 1 passes the repetitions of
 * its two workers up, and the root answers both; the second answer is late. */
TEST_F(SlotLossTest, ASumIsLostBetweenSwitches)
{
    Tree({2, 2});
    Lose(trunks[2], UPPER_SIDE, {0});
    SumAll(5 * VALUES);
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames() + clients[1]->RetransmittedFrames(), 0U);
    EXPECT_EQ(clients[2]->RetransmittedFrames(), 1U);
    EXPECT_EQ(clients[3]->RetransmittedFrames(), 1U);
    EXPECT_EQ(programs[0]->Counters().answered, 2U);
    EXPECT_EQ(programs[2]->Counters().forwarded, 7U);
    EXPECT_EQ(programs[2]->Counters().late, 1U);
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

/* Everything that worker 0 sends is lost 5 times; the timeout doubles after 2 timeouts: 1, 1, 2,
 * 2, 4 ms between the departures of the 6 packets. */
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

/* Of 5 packets the last is lost 3 times. What was answered counts as no timeout: of its own the
 * third one is doubled, after 2. It leaves as the 5th frame, and 1, 1 and 2 ms after each departure. */
TEST_F(SlotLossTest, WhatIsAnsweredDoublesNoTimeout)
{
    Client("DoubleAfter", ns3::UintegerValue(2));
    Star(1);
    Lose(links[0], LOWER_SIDE, {4, 5, 6});
    SumAll(5 * VALUES);
    RunExact();
    EXPECT_EQ(LastDonePs(), 7 * FRAME_PS + 4 * TIMEOUT_PS + ROUND_TRIP_PS);
}

/* One slot, 2 packets, doubling after each timeout. The first is lost twice, and leaves at 0, 1 and 3 ms
 * after the departure before. Its sum says that packets were lost, so that the second, lost once, is
 * sent again after 1 ms, not after 4. */
TEST_F(SlotLossTest, TheTimeoutIsTheFirstAgainAfterALoss)
{
    Client("DoubleAfter", ns3::UintegerValue(1));
    Slots(1);
    Star(1);
    Lose(links[0], LOWER_SIDE, {0, 1, 3});
    SumAll(2 * VALUES);
    RunExact();
    EXPECT_EQ(LastDonePs(),
              2 * FRAME_PS + 3 * TIMEOUT_PS + ROUND_TRIP_PS + FRAME_PS + TIMEOUT_PS +
                  ROUND_TRIP_PS);
}

/* The same where sums are lost on their way down: the answer says it. */
TEST_F(SlotLossTest, TheTimeoutIsTheFirstAgainAfterAnAnswer)
{
    Client("DoubleAfter", ns3::UintegerValue(1));
    Slots(1);
    Star(1);
    Lose(links[0], UPPER_SIDE, {0, 1, 3});
    SumAll(2 * VALUES);
    RunExact();
    EXPECT_EQ(LastDonePs(),
              2 * FRAME_PS + 3 * TIMEOUT_PS + ROUND_TRIP_PS + FRAME_PS + TIMEOUT_PS +
                  ROUND_TRIP_PS);
}

/* Worker 1 begins 3.5 ms late, and nothing is lost: the timeout of worker 0, whose packet was sent
 * at 0, 1 and 3 ms, was too short, and stays at 4 ms. Its 2nd packet is lost, and is sent again then. */
TEST_F(SlotLossTest, TheTimeoutStaysAfterAWait)
{
    Client("DoubleAfter", ns3::UintegerValue(1));
    Slots(1);
    Star(2);
    Lose(links[0], LOWER_SIDE, {3});
    Sum(0, 2 * VALUES);
    constexpr std::int64_t beginPs = 3'500'000'000;
    ns3::Simulator::Schedule(ns3::PicoSeconds(beginPs), [this] { Sum(1, 2 * VALUES); });
    RunExact();
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 3U);
    EXPECT_EQ(results[0][0].donePs,
              beginPs + ROUND_TRIP_PS + FRAME_PS + 4 * TIMEOUT_PS + ROUND_TRIP_PS);
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

/* The NIC's buffer holds 4 frames, and 10 are handed to it at once: of the first, 6 are dropped, and
 * are due a timeout after the 4th has left; of their repetitions 2, and again. So the last packet
 * leaves 2 bursts of 4 frames and 2 timeouts later, as the second of its burst. */
TEST_F(SlotLossTest, TheNicsBufferIsBelowTheWindow)
{
    Star(1);
    nics[0]->SetAttribute("Buffer", ns3::UintegerValue(4 * 338));
    SumAll(10 * VALUES);
    RunExact();
    EXPECT_EQ(nics[0]->TxCounters().drops.Of(DropReason::BUFFER_FULL), 8U);
    EXPECT_EQ(clients[0]->SentFrames(), 10U);
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 8U);
    EXPECT_EQ(LastDonePs(), 2 * (4 * FRAME_PS + TIMEOUT_PS) + FRAME_PS + ROUND_TRIP_PS);
}

/* Duplicates on the wire: a timeout shorter than the round trip sends every packet several
 * times. */
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
