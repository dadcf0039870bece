/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "device/byte-rate.h"
#include "device/star-fixture.h"
#include "transport/transport.h"

#include "ns3/boolean.h"

namespace inca
{

class TransportTest : public StarFixture
{
  protected:
    static constexpr std::int64_t FRAME_PS{1'230'400}; ///< 1538 bytes at 10 Gb/s
    static constexpr std::int64_t ACK_PS{67'200};      ///< 84 bytes
    static constexpr std::int64_t LINK_PS{1'000'000};
};

TEST_F(TransportTest, TakesItsTime)
{
    struct Row
    {
        const char* what;
        std::uint64_t bytes;
        std::uint64_t byteRate;
        std::uint64_t frameCostNs;
        std::uint64_t messageCostNs;
        std::int64_t leftPs;
        std::int64_t arrivalPs;
    };

    const std::int64_t work = 1'020'000;
    const Row rows[] = {
        // serialised by the NIC and again by the switch, 1 us on each link
        {"a frame", 1460, 0, 0, 0, FRAME_PS, 2 * (FRAME_PS + LINK_PS)},
        // one frame without payload: 84 bytes on each wire
        {"an empty message", 0, 0, 0, 0, ACK_PS, 2 * (ACK_PS + LINK_PS)},
        // Hosts move 1.46 GB/s, so 1000 ns per full frame, and 20 ns per frame; a message costs 500 ns first. The wire
        // (1230.4 ns) is slower, so of 3 frames only the first one's sending work, and the last one's receiving work,
        // add to the wire's time.
        {"hosts in pipeline with the wire",
         3 * 1460,
         1'460'000'000,
         20,
         500,
         500'000 + work + 3 * FRAME_PS,
         500'000 + work + 4 * FRAME_PS + 2 * LINK_PS + work},
        // A host of 0.73 GB/s takes 2000 ns per frame, the wire 1230.4: 3 frames are sent by 6000 ns.
        {"a slow host",
         3 * 1460,
         730'000'000,
         0,
         0,
         6'000'000 + FRAME_PS,
         6'000'000 + 2 * (FRAME_PS + LINK_PS) + 2'000'000},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        Hosts(2);
        HostPaths("ByteRate", ns3::DataRateValue(ByteRate(row.byteRate)));
        HostPaths("FrameCost", ns3::TimeValue(ns3::NanoSeconds(row.frameCostNs)));
        HostPaths("MessageCost", ns3::TimeValue(ns3::NanoSeconds(row.messageCostNs)));
        Send(0, 1, row.bytes);
        ns3::Simulator::Run();
        EXPECT_EQ(leftPs, std::vector<std::int64_t>{row.leftPs});
        ASSERT_EQ(arrivals.size(), 1U);
        EXPECT_EQ(arrivals[0].timePs, row.arrivalPs);
        // the acknowledgement costs hosts nothing, and is the last that happens: nothing waits for a timeout
        EXPECT_EQ(NowPs(), row.arrivalPs + 2 * (ACK_PS + LINK_PS));
        EXPECT_EQ(arrivals[0].message.plainBytes, row.bytes);
        EXPECT_EQ(arrivals[0].message.wirePayloadBytes, row.bytes);
        Forget();
    }
}

/* 1000 frames keep the first wire busy from 0 on, the window never closes (the round trip of
 * 2 * (1230.4 + 1000) + 2 * (67.2 + 1000) ns and 15 more frames is less than 64 frames): the last
 * is delivered at 1000 frames + 1 frame of the switch + 2 links. */
TEST_F(TransportTest, FillsTheWire)
{
    Hosts(2);
    Send(0, 1, 1000 * 1460);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(leftPs, std::vector<std::int64_t>{1000 * FRAME_PS});
    EXPECT_EQ(arrivals[0].timePs, 1001 * FRAME_PS + 2 * LINK_PS);
    EXPECT_EQ(transports[0]->SentFrames(), 1000U);
    EXPECT_EQ(transports[1]->DeliveredBytes(), 1'460'000U);
    EXPECT_EQ(transports[1]->AcksSent(), 1000U / 16 + 1); // 62 and the message's end
    EXPECT_EQ(Retransmitted(), 0U);
}

TEST_F(TransportTest, GrantsCostHostsNothing)
{
    Hosts(2);
    HostPaths("FrameCost", ns3::TimeValue(ns3::MicroSeconds(20)));
    HostPaths("MessageCost", ns3::TimeValue(ns3::MicroSeconds(500)));
    Message grant;
    grant.to = Address(1);
    grant.tag.grant = true;
    StarFixture::Send(0, grant);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_TRUE(arrivals[0].message.tag.grant);
    EXPECT_EQ(arrivals[0].timePs, 2 * (ACK_PS + LINK_PS));
}

/* Frames of the messages to hosts 1 and 2 alternate, so both last frames leave at the end: the
 * 19th and the 20th. */
TEST_F(TransportTest, ServesReceiversInTurn)
{
    Hosts(3);
    Send(0, 1, 10 * 1460);
    Send(0, 2, 10 * 1460);
    ns3::Simulator::Run();
    // 8 frames of the first message were in the NIC's ring before the second one came
    EXPECT_EQ(leftPs, (std::vector<std::int64_t>{11 * FRAME_PS, 20 * FRAME_PS}));
}

TEST_F(TransportTest, KeepsTheOrderOfMessagesToOneReceiver)
{
    Hosts(2);
    Send(0, 1, 5 * 1460, 7);
    Send(0, 1, 4, 8);
    Send(0, 1, 1460, 9);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 3U);
    EXPECT_EQ(arrivals[0].message.tag.ordinal, 7U);
    EXPECT_EQ(arrivals[1].message.tag.ordinal, 8U);
    EXPECT_EQ(arrivals[2].message.tag.ordinal, 9U);
}

/* Two messages alike in all but their job: each job's receiver gets its own. */
TEST_F(TransportTest, KeepsJobsApart)
{
    Hosts(2);
    const JobId other(3);
    std::vector<ReceivedMessage> ofOther;
    transports[1]->SetReceiver(
        other, [&](ReceivedMessage message) { ofOther.push_back(std::move(message)); });
    Send(0, 1, 4);
    Message message;
    message.to = Address(1);
    message.tag.job = other;
    message.plainBytes = 8;
    StarFixture::Send(0, message);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(arrivals[0].message.plainBytes, 4U);
    ASSERT_EQ(ofOther.size(), 1U);
    EXPECT_EQ(ofOther[0].plainBytes, 8U);
}

TEST_F(TransportTest, AMessageThatNobodyReceivesIsABug)
{
    Hosts(2);
    Message grant;
    grant.to = Address(1);
    grant.tag = {JobId(3), 0, 0, true};
    StarFixture::Send(0, grant);
    EXPECT_THROW(ns3::Simulator::Run(), InvariantError);
}

/* A window smaller than AckEvery is acknowledged when it is full: no timeout. */
TEST_F(TransportTest, AcknowledgesAWindowSmallerThanAckEvery)
{
    Hosts(2, [](Nic&, SwitchPort&, Transport& transport) {
        transport.SetAttribute("Window", ns3::UintegerValue(4));
    });
    Send(0, 1, 40 * 1460);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(transports[1]->AcksSent(), 10U);
    EXPECT_EQ(transports[0]->ProbesSent(), 0U);
}

TEST_F(TransportTest, UsesTheWholeMtu)
{
    Hosts(2, [](Nic& nic, SwitchPort&, Transport&) { nic.SetMtu(9000); });
    Send(0, 1, 8960);
    ns3::Simulator::Run();
    EXPECT_EQ(transports[0]->SentFrames(), 1U); // 9000 - 40
}

/** Many who send to one host share the buffer of the port before it. */
class TransportCreditsTest : public StarFixture
{
  protected:
    static constexpr std::size_t SENDERS{8};
    static constexpr std::uint64_t FRAME_BYTES{1460};
    static constexpr std::uint64_t WIRE_BYTES{1538};

    /** All but the last of as many hosts send @p frames each to that one, whose port holds @p buffer frames. */
    void Incast(std::uint64_t frames, std::uint64_t buffer, bool credits)
    {
        Hosts(SENDERS + 1, [&](Nic&, SwitchPort& port, Transport& transport) {
            port.SetAttribute("Buffer", ns3::UintegerValue(buffer * WIRE_BYTES));
            transport.SetAttribute("Credits", ns3::BooleanValue(credits));
        });
        transports[SENDERS]->SetRoom(buffer * WIRE_BYTES);
        SendAll(frames);
    }

    void SendAll(std::uint64_t frames)
    {
        for (std::size_t sender = 0; sender < SENDERS; ++sender)
        {
            Send(sender, SENDERS, frames * FRAME_BYTES);
        }
        ns3::Simulator::Run();
        ASSERT_EQ(arrivals.size(), SENDERS);
        EXPECT_EQ(transports[SENDERS]->DeliveredBytes(), SENDERS * frames * FRAME_BYTES);
    }

    std::uint64_t RepeatedOf(std::uint64_t frames, bool credits)
    {
        Incast(frames, 200, credits);
        const auto repeated = Retransmitted();
        Forget();
        return repeated;
    }
};

/* 8 windows of 64 frames meet at a port for 200: some of these are lost, and their repetitions; that is over when
 * 4000 frames of each have come. Then each sender has at most 25 under way, and when all but n have ended, each of
 * those at most 200 / n, and together 200. */
TEST_F(TransportCreditsTest, OnlyTheFirstWindowsOverflow)
{
    const auto repeated = RepeatedOf(4000, true);
    EXPECT_GT(repeated, 0U);
    EXPECT_EQ(RepeatedOf(12'000, true), repeated);
}

/* Three times as many frames: at least twice as many are lost. */
TEST_F(TransportCreditsTest, WithoutThemBuffersOverflowAllTheTime)
{
    EXPECT_GT(RepeatedOf(12'000, false), 2 * RepeatedOf(4000, false));
}

/* 8 windows of 64 fit 600 frames: nobody gets less. */
TEST_F(TransportCreditsTest, ChangeNothingWhereWindowsFit)
{
    Incast(400, 600, true);
    const auto withPs = arrivals.back().timePs;
    Forget();
    Incast(400, 600, false);
    EXPECT_EQ(arrivals.back().timePs, withPs);
}

/* Room for no frame: all together get a window of 4, and each of 8 a frame at least, which is
 * acknowledged by itself: nobody waits for a timeout. */
TEST_F(TransportCreditsTest, GrantAFrameAtLeast)
{
    Hosts(SENDERS + 1, [](Nic&, SwitchPort&, Transport& transport) {
        transport.SetAttribute("Window", ns3::UintegerValue(4));
    });
    transports[SENDERS]->SetRoom(0);
    SendAll(100);
    for (const auto& transport : transports)
    {
        EXPECT_EQ(transport->ProbesSent(), 0U);
    }
    EXPECT_EQ(Retransmitted(), 0U);
}

} // namespace inca
