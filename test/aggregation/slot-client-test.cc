/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/switch-fixture.h"
#include "device/aggregation-packet.h"

#include "base/errors.h"

#include <cmath>

namespace inca
{

class SlotClientTest : public SwitchFixture
{
  protected:
    std::int64_t DonePs(std::size_t worker = 0, std::size_t sum = 0) const
    {
        return results[worker][sum].donePs;
    }
};

/* One packet: up and down, each one frame (270.4 ns) and one link (1 us). */
TEST_F(SlotClientTest, OnePacketTakesARoundTrip)
{
    Star(2);
    SumAll(VALUES);
    RunExact();
    EXPECT_EQ(DonePs(0), ROUND_TRIP_PS);
    EXPECT_EQ(DonePs(1), ROUND_TRIP_PS);
}

/* 100 packets through a pool of 128: one frame after the other leaves, the last one's round trip
 * begins after 99 frames. */
TEST_F(SlotClientTest, ABigPoolKeepsTheWireBusy)
{
    Star(2);
    SumAll(100 * VALUES);
    RunExact();
    EXPECT_EQ(DonePs(), 99 * FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(clients[0]->SentFrames(), 100U);
    EXPECT_EQ(clients[0]->ReceivedBytes(), 100U * VALUES * 4);
    EXPECT_EQ(Retransmitted(), 0U);
}

/* The round trip is 2 * 1270.4 ns = 9.4 frames: 10 slots are enough to keep the wire busy as
 * well. */
TEST_F(SlotClientTest, APoolOfARoundTripKeepsTheWireBusy)
{
    Slots(10);
    Star(2);
    SumAll(100 * VALUES);
    RunExact();
    EXPECT_EQ(DonePs(), 99 * FRAME_PS + ROUND_TRIP_PS);
}

TEST_F(SlotClientTest, OneSlotTakesARoundTripPerPacket)
{
    Slots(1);
    Star(3);
    SumAll(20 * VALUES);
    RunExact();
    EXPECT_EQ(DonePs(), 20 * ROUND_TRIP_PS);
}

/* 65 values: the second packet has one of them, in a frame as long as the first. */
TEST_F(SlotClientTest, PadsTheLastFrame)
{
    Star(2);
    SumAll(VALUES + 1);
    RunExact();
    EXPECT_EQ(DonePs(), FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(clients[0]->ReceivedBytes(), (VALUES + 1) * 4U);
}

TEST_F(SlotClientTest, SizesAloneTakeAsLong)
{
    Star(2);
    SumAll(100 * VALUES, false);
    ns3::Simulator::Run();
    EXPECT_EQ(DonePs(), 99 * FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(results[0][0].doneCount, 1U);
    EXPECT_EQ(clients[0]->ReceivedBytes(), 100U * VALUES * 4);
}

/* Worker 1 asks 5 us later: worker 0's packets wait in their slots. */
TEST_F(SlotClientTest, WaitsForTheLastWorker)
{
    Star(2);
    Sum(0, VALUES);
    ns3::Simulator::Schedule(ns3::MicroSeconds(5), [this] { Sum(1, VALUES); });
    RunExact();
    EXPECT_EQ(DonePs(0), 5'000'000 + ROUND_TRIP_PS);
}

/* Two sums of 3 packets each: the second one's follow without a gap, and end 3 frames later. */
TEST_F(SlotClientTest, StreamsFollowWithoutAGap)
{
    Star(2);
    SumAll(3 * VALUES);
    SumAll(3 * VALUES);
    RunExact();
    EXPECT_EQ(DonePs(0, 0), 2 * FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(DonePs(0, 1), 5 * FRAME_PS + ROUND_TRIP_PS);
}

/* 4 blocks, 2 slots: 2 packets tell exponents (67.2 ns each), then each block waits for the
 * packet 2 before it. One exponent: 2 * (67.2 + 1000) = 2134.4 ns; the second is there 67.2
 * later. Block 0 leaves at 2134.4, block 1 at its end (270.4 > 67.2), both are back after a
 * round trip; blocks 2 and 3 likewise. Together 2134.4 + 2 * 2540.8 + 270.4 ns. */
TEST_F(SlotClientTest, TellsExponentsOneWindowAhead)
{
    ScaleByBlock();
    Slots(2);
    Star(2);
    SumAll(4 * VALUES);
    RunExact();
    EXPECT_EQ(DonePs(), 2 * (EXPONENT_PS + LINK_PS) + 2 * ROUND_TRIP_PS + FRAME_PS);
    EXPECT_EQ(clients[0]->SentFrames(), 6U);
}

TEST_F(SlotClientTest, AddsFloatsWithoutExponents)
{
    UseFp32();
    Star(4);
    SumAll(10 * VALUES + 3);
    RunExact();
    EXPECT_EQ(DonePs(), 10 * FRAME_PS + ROUND_TRIP_PS);
}

/* Scaling for values up to 2^5 = 32: those beyond (up to 50) are clamped, and counted once. */
TEST_F(SlotClientTest, CountsWhatTheFixedScaleClamps)
{
    Client("FixedExponent", ns3::IntegerValue(5));
    Star(2);
    Lose(links[0], LOWER_SIDE, {0});
    SumAll(VALUES);
    ns3::Simulator::Run();
    std::uint64_t beyond = 0;
    for (std::uint64_t i = 0; i < VALUES; ++i)
    {
        beyond += std::fabs(ValueOf(0, i)) > 32 ? 1 : 0;
    }
    ASSERT_GT(beyond, 0U);
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 1U);
    EXPECT_EQ(clients[0]->ClampedValues(), beyond);
}

/* The sending host takes 1000 ns per packet, the receiving one as well: more than a frame, so
 * packet p leaves at (p + 1) us, and the last of 4 is worked on when it arrives: 4 us + round
 * trip + 1 us. */
TEST_F(SlotClientTest, HostsWorkInPipelineWithTheWire)
{
    Star(2);
    PathOf(0)->SetAttribute("FrameCost", ns3::TimeValue(ns3::MicroSeconds(1)));
    PathOf(1)->SetAttribute("FrameCost", ns3::TimeValue(ns3::MicroSeconds(1)));
    SumAll(4 * VALUES);
    RunExact();
    EXPECT_EQ(DonePs(), 4 * 1'000'000 + ROUND_TRIP_PS + 1'000'000);
}

/* Worker 1's host is free, and it asks 100 us later: its 4 packets leave back to back, and so do the
 * sums. Worker 0's host takes 1 us for each, one after the other. */
TEST_F(SlotClientTest, AHostTakesSumsOneAfterTheOther)
{
    Star(2);
    PathOf(0)->SetAttribute("FrameCost", ns3::TimeValue(ns3::MicroSeconds(1)));
    Sum(0, 4 * VALUES);
    ns3::Simulator::Schedule(ns3::MicroSeconds(100), [this] { Sum(1, 4 * VALUES); });
    RunExact();
    EXPECT_EQ(DonePs(1), 100'000'000 + 3 * FRAME_PS + ROUND_TRIP_PS);
    EXPECT_EQ(DonePs(0), 100'000'000 + ROUND_TRIP_PS + 4 * 1'000'000);
}

/* The timeout has passed, and worker 0's host works on the repetition for 1 us. After half of that the
 * sum is there, through the host as well: worker 1 asked a round trip and 1 us earlier. So the
 * repetition is not sent. */
TEST_F(SlotClientTest, WhatIsAnsweredWhileTheHostWorksOnItIsNotSentAgain)
{
    Star(2);
    PathOf(0)->SetAttribute("FrameCost", ns3::TimeValue(ns3::MicroSeconds(1)));
    Sum(0, VALUES);
    const auto timeoutPs = 1'000'000 + FRAME_PS + TIMEOUT_PS;
    ns3::Simulator::Schedule(ns3::PicoSeconds(timeoutPs - ROUND_TRIP_PS - 500'000),
                             [this] { Sum(1, VALUES); });
    RunExact();
    EXPECT_EQ(DonePs(0), timeoutPs + 500'000);
    EXPECT_EQ(clients[0]->RetransmittedFrames(), 0U);
}

/* 256 bytes at 256 MB/s are 1 us as well, and each sum costs 5 us before its first frame. */
TEST_F(SlotClientTest, HostsPayPerByteAndPerSum)
{
    Star(2);
    for (const auto worker : {0U, 1U})
    {
        PathOf(worker)->SetAttribute("ByteRate", ns3::UintegerValue(256'000'000));
        PathOf(worker)->SetAttribute("MessageCost", ns3::TimeValue(ns3::MicroSeconds(5)));
    }
    SumAll(4 * VALUES);
    RunExact();
    EXPECT_EQ(DonePs(), 5'000'000 + 4 * 1'000'000 + ROUND_TRIP_PS + 1'000'000);
}

TEST_F(SlotClientTest, AsksForMoreWhenDone)
{
    Star(2);
    for (std::size_t worker = 0; worker < 2; ++worker)
    {
        NetworkSumRequest request;
        request.values = VALUES;
        request.done = [this, worker] { Sum(worker, VALUES); };
        clients[worker]->Sum(std::move(request));
    }
    RunExact();
    EXPECT_EQ(DonePs(), 2 * ROUND_TRIP_PS);
}

/* A frame of the same packet that is a contribution, not a sum: not the worker's business. */
TEST_F(SlotClientTest, TakesNothingButSums)
{
    Star(2);
    Sum(0, VALUES);
    SlotPacket packet;
    packet.values = VALUES;
    const auto train = MakeAggregationTrain(packet, VALUES, false);
    train->destination = ns3::Mac48Address::ConvertFrom(nics[0]->GetAddress());
    nics[0]->ReceiveTrain(train);
    EXPECT_EQ(clients[0]->State(), "1 packet is on the way, the oldest, 0, was sent 1 time");
    Sum(1, VALUES);
    RunExact();
}

/* The NIC has no place for a frame. It is tried when asked for, at 3 ms, and a timeout later. */
TEST_F(SlotClientTest, TriesAgainWhatTheNicDropped)
{
    Star(1);
    nics[0]->SetAttribute("Buffer", ns3::UintegerValue(337));
    ns3::Simulator::Schedule(ns3::MilliSeconds(3), [this] { Sum(0, VALUES); });
    ns3::Simulator::Stop(ns3::MicroSeconds(4'500));
    ns3::Simulator::Run();
    EXPECT_EQ(clients[0]->State(), "1 packet is on the way, the oldest, 0, was sent 2 times");
    EXPECT_EQ(nics[0]->TxCounters().drops.Of(DropReason::BUFFER_FULL), 2U);
}

TEST_F(SlotClientTest, RefusesUnknownNames)
{
    Client("Scaling", ns3::StringValue("blok"));
    try
    {
        Star(2);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "inca::SlotClient::Scaling: unknown 'blok'; did you mean 'block'?");
    }
}

/* 20 + 8 + 16 + 4 k <= 1500: k <= 364. */
TEST_F(SlotClientTest, ItsPacketsMustFitTheNic)
{
    Both("ValuesPerPacket", ns3::UintegerValue(365));
    try
    {
        Star(2);
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(),
                     "a packet of 365 values is an IP packet of 1504 bytes, but the NIC's MTU is "
                     "1500: at most 364 values fit");
    }
}

TEST_F(SlotClientTest, SaysWhatIsOnItsWay)
{
    Star(2);
    EXPECT_EQ(clients[0]->State(), "no packet is on the way");
    Sum(0, VALUES);
    EXPECT_EQ(clients[0]->State(), "1 packet is on the way, the oldest, 0, was sent 1 time");
    Sum(0, 2 * VALUES);
    ns3::Simulator::Stop(ns3::MicroSeconds(1500));
    ns3::Simulator::Run();
    EXPECT_EQ(clients[0]->State(), "3 packets are on the way, the oldest, 0, was sent 2 times");
}

/* Packet 0 was sent twice; packet 1, in the same slot, once. */
TEST_F(SlotClientTest, CountsHowOftenEachPacketWasSent)
{
    Slots(1);
    Star(2);
    Lose(links[0], LOWER_SIDE, {0});
    Sum(0, 2 * VALUES);
    Sum(1, VALUES);
    ns3::Simulator::Stop(ns3::MicroSeconds(1100));
    ns3::Simulator::Run();
    EXPECT_EQ(clients[0]->State(), "1 packet is on the way, the oldest, 1, was sent 1 time");
}

} // namespace inca
