/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "aggregation/switch-fixture.h"
#include "device/byte-rate.h"
#include "device/frame.h"

#include "support/why-not.h"

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

TEST_F(SlotClientTest, SumsTakeTheTimesOfTheirPackets)
{
    struct Row
    {
        const char* what;
        std::uint32_t workers;
        std::uint32_t slots;
        std::uint64_t values;
        std::int64_t endPs;
        bool byBlock{false};        ///< with exponents ahead
        std::uint64_t adderRate{0}; ///< of the switch, in values/s; 0: any
        std::int64_t framePs{0};    ///< that hosts take for each packet
        std::uint64_t byteRate{0};  ///< of hosts; 0: any
        std::int64_t messagePs{0};  ///< that hosts take for each sum
    };

    constexpr auto V = std::uint64_t{VALUES};
    constexpr auto F = FRAME_PS;
    constexpr auto RT = ROUND_TRIP_PS;
    constexpr auto EXPONENT_RT = 2 * (EXPONENT_PS + LINK_PS);
    constexpr std::int64_t US = 1'000'000;
    const Row rows[] = {
        // Up and down, each one frame (270.4 ns) and one link (1 us).
        {"one packet", 2, 128, V, RT},
        // One frame after the other leaves, the last one's round trip begins after 99 frames.
        {"a big pool", 2, 128, 100 * V, 99 * F + RT},
        // The round trip is 2 * 1270.4 ns = 9.4 frames: 10 slots are enough to keep the wire busy as well.
        {"a pool of a round trip", 2, 10, 100 * V, 99 * F + RT},
        {"one slot", 3, 1, 20 * V, 20 * RT},
        // The second packet has one value, in a frame as long as the first.
        {"65 values", 2, 128, V + 1, F + RT},
        // 2 packets tell exponents (67.2 ns each), then each block waits for the packet 2 before it. One
        // exponent: 2 * (67.2 + 1000) = 2134.4 ns; the second is there 67.2 later. Block 0 leaves at 2134.4,
        // block 1 at its end (270.4 > 67.2), both are back after a round trip; blocks 2 and 3 likewise.
        {"exponents ahead", 2, 2, 4 * V, EXPONENT_RT + 2 * RT + F, true},
        // 64 values at 100 million values/s are 640 ns, so 4 workers' packet takes 2560 ns, longer than a
        // frame: 10 packets keep the adder busy for 10 * 2560 ns. The first one's first frame is there after
        // a frame and a link, the last sum after another.
        {"a slow adder", 4, 128, 10 * V, 10 * 4 * 640'000 + RT, false, 100'000'000},
        // 64 values at 64e9 values/s are 1 ns: far less than a frame, so only the last packet's two additions,
        // one after the other, delay the end.
        {"a fast adder", 2, 128, 20 * V, 19 * F + RT + 2 * 1'000, false, 64'000'000'000},
        // Exponents are no values: their round trip is not slowed down.
        {"one block", 2, 128, V, EXPONENT_RT + RT + 2 * 640'000, true, 100'000'000},
        // The sending host takes 1 us per packet, the receiving one as well: more than a frame, so packet p
        // leaves at (p + 1) us, and the last of 4 is worked on when it arrives.
        {"slow hosts", 2, 128, 4 * V, 4 * US + RT + US, false, 0, US},
        // 256 bytes at 256 MB/s are 1 us as well, and each sum costs 5 us before its first frame.
        {"slow bytes", 2, 128, 4 * V, 5 * US + 4 * US + RT + US, false, 0, 0, 256'000'000, 5 * US},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        Clear();
        Slots(row.slots);
        row.byBlock ? ScaleByBlock() : ScaleFixed();
        Program("AdderRate", ns3::UintegerValue(row.adderRate));
        Star(row.workers);
        for (std::size_t worker = 0; worker < row.workers; ++worker)
        {
            const auto path = PathOf(worker);
            path->SetAttribute("FrameCost", ns3::TimeValue(ns3::PicoSeconds(row.framePs)));
            path->SetAttribute("ByteRate", ns3::DataRateValue(ByteRate(row.byteRate)));
            path->SetAttribute("MessageCost", ns3::TimeValue(ns3::PicoSeconds(row.messagePs)));
        }
        SumAll(row.values);
        RunExact();
        EXPECT_EQ(DonePs(0), row.endPs);
        EXPECT_EQ(DonePs(row.workers - 1), row.endPs);
        EXPECT_EQ(ns3::Simulator::Now().GetTimeStep(), row.endPs); // nothing waits for a timeout
        const auto blocks = (row.values + V - 1) / V;
        EXPECT_EQ(clients[0]->SentFrames(),
                  blocks + (row.byBlock ? std::min<std::uint64_t>(row.slots, blocks) : 0));
        EXPECT_EQ(clients[0]->ReceivedBytes(), row.values * 4);
        EXPECT_EQ(Retransmitted(), 0U);
        ns3::Simulator::Destroy();
    }
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

TEST_F(SlotClientTest, AsksForMoreWhenDone)
{
    Star(2);
    for (std::size_t worker = 0; worker < 2; ++worker)
    {
        ReductionRequest request;
        request.size = VALUES;
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
    const auto frame = MakeAggregationFrame(packet, VALUES, false);
    frame->destination = ns3::Mac48Address::ConvertFrom(nics[0]->GetAddress());
    nics[0]->ReceiveFrame(frame);
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
    RunFor(ns3::MicroSeconds(4'500));
    EXPECT_EQ(clients[0]->State(), "1 packet is on the way, the oldest, 0, was sent 2 times");
    EXPECT_EQ(nics[0]->Counters().drops.Of(DropReason::BUFFER_FULL), 2U);
}

/* Packets that do not fit the NIC: 20 + 8 + 16 + 4 k <= 1500: k <= 364. */
TEST_F(SlotClientTest, RefusesWhatItCannotBe)
{
    ScaleFixed();
    Both("ValuesPerPacket", ns3::UintegerValue(365));
    EXPECT_EQ(
        WhyNot([this] { Star(2); }),
        "365 values make an IP packet of 44 + 4 * 365 = 1504 bytes, but the NIC's MTU is 1500: at "
        "most 364 values fit");
}

/* The switch knows two sequences, its workers one. */
TEST_F(SlotClientTest, RefusesASequenceThatItHasNot)
{
    Star(1);
    SlotPacket packet;
    packet.sequence = 1;
    const auto frame = MakeAggregationFrame(packet, 0, true);
    frame->destination = ns3::Mac48Address::ConvertFrom(nics[0]->GetAddress());
    EXPECT_EQ(WhyNot([&] { nics[0]->ReceiveFrame(frame); }),
              "a switch sent a packet of sequence 1: inca::SlotProgram::Sequences is above "
              "inca::SlotClient::Sequences");
}

TEST_F(SlotClientTest, SaysWhatIsOnItsWay)
{
    Star(2);
    EXPECT_EQ(clients[0]->State(), "no packet is on the way");
    Sum(0, VALUES);
    EXPECT_EQ(clients[0]->State(), "1 packet is on the way, the oldest, 0, was sent 1 time");
    Sum(0, 2 * VALUES);
    RunFor(ns3::MicroSeconds(1500));
    EXPECT_EQ(clients[0]->State(), "3 packets are on the way, the oldest, 0, was sent 2 times");
}

} // namespace inca
