/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Messages over ns-3's TCP.
#include "transport/tcp-transport.h"

#include "device/frame.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "transport/tcp-host.h"

#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * Hosts around one switch: 10 Gb/s, 1 us per link, MTU 1500. A full segment is 1448 bytes of payload, 52 of IPv4 and TCP with
 * timestamps, and 38 of Ethernet: 1230.4 ns. An acknowledgement is 90 bytes, 72 ns. A SYN has 16 bytes of options (3 of window
 * scaling, 2 of SACK, 10 of timestamps, and one of padding) behind 40: 94 bytes, 75.2 ns.
 */
class TcpTransportTest : public testing::Test
{
  protected:
    static constexpr std::uint64_t SEGMENT{1448};
    static constexpr std::int64_t SEGMENT_PS{1'230'400};
    static constexpr std::int64_t ACK_PS{72'000};
    static constexpr std::int64_t SYN_PS{75'200};
    static constexpr std::int64_t LINK_PS{1'000'000};
    static constexpr std::int64_t SECOND_PS{1'000'000'000'000};

    /** From the SYN to the answer to it. Each crosses two links, and is serialised by its host and the switch. */
    static constexpr std::int64_t HANDSHAKE_PS{4 * (SYN_PS + LINK_PS)};

    TcpTransportTest()
    {
        SetPicosecondResolution();
        UseLinuxTcpDefaults();
        helper.SetTransport("inca::TcpTransport");
    }

    void TearDown() override
    {
        ns3::Simulator::Destroy();
        ns3::Config::Reset();
    }

    void Hosts(std::uint32_t count)
    {
        star = helper.Install(count);
        for (std::uint32_t host = 0; host < count; ++host)
        {
            star.transports[host]->SetReceiver(JobId(), [this](ReceivedMessage message) {
                arrivedPs.push_back(NowPs());
                arrived.push_back(std::move(message));
            });
        }
    }

    static void Set(const std::string& path, const std::string& value)
    {
        ns3::Config::SetDefault(path, ns3::StringValue(value));
    }

    /** Of one host's path. */
    void SetPath(std::uint32_t host, const std::string& name, std::int64_t ps)
    {
        star.paths[host]->SetAttribute(name, ns3::TimeValue(ns3::PicoSeconds(ps)));
    }

    Message ToHost1(std::uint64_t bytes) const
    {
        Message message;
        message.to = star.Address(1);
        message.plainBytes = bytes;
        return message;
    }

    /** Host 0 sends to host 1. */
    void Send(Message message)
    {
        star.transports[0]->Send(std::move(message), [this] { leftPs.push_back(NowPs()); });
    }

    void SendAt(std::int64_t ps, std::uint64_t bytes)
    {
        ns3::Simulator::Schedule(ns3::PicoSeconds(ps), [this, bytes] { Send(ToHost1(bytes)); });
    }

    /** Loses what host 0 transmits: these of its frames, from 0. */
    void Lose(const std::list<std::uint32_t>& ordinals)
    {
        auto losses = ns3::CreateObject<ns3::ReceiveListErrorModel>();
        losses->SetList(ordinals);
        star.links[0]->SetErrorModel(0, losses);
    }

    static std::int64_t NowPs()
    {
        return ns3::Simulator::Now().GetTimeStep();
    }

    /** How long a message of @p segments takes that leaves without a pause. */
    static constexpr std::int64_t TimeOf(std::int64_t segments)
    {
        return (segments + 1) * SEGMENT_PS + 2 * LINK_PS;
    }

    StarHelper helper;
    Cluster star;
    std::vector<std::int64_t> leftPs;
    std::vector<std::int64_t> arrivedPs;
    std::vector<ReceivedMessage> arrived;
};

/* The first window is 10 segments. They follow the acknowledgement that ends the handshake. A later message finds the connection
 * open; ns-3 has a socket send one time step, a picosecond, after it was written to. */
TEST_F(TcpTransportTest, TakesItsTime)
{
    Hosts(2);
    Send(ToHost1(10 * SEGMENT));
    SendAt(1'000'000'000, 10 * SEGMENT);
    ns3::Simulator::Run();
    EXPECT_THAT(
        arrivedPs,
        testing::ElementsAre(HANDSHAKE_PS + ACK_PS + TimeOf(10), 1'000'000'000 + 1 + TimeOf(10)));
    EXPECT_EQ(star.transports[1]->DeliveredBytes(), 20 * SEGMENT);
    EXPECT_EQ(star.transports[0]->RetransmittedFrames(), 0U);
}

/* The first segment is acknowledged at once. Until then there is no room for the last byte. */
TEST_F(TcpTransportTest, LeavesWhenItIsInTheSendBuffer)
{
    for (const std::uint64_t beyond : {0, 1})
    {
        SCOPED_TRACE(beyond);
        leftPs.clear();
        Set("ns3::TcpSocket::SndBufSize", std::to_string(100 * SEGMENT));
        Hosts(2);
        Send(ToHost1(100 * SEGMENT + beyond));
        ns3::Simulator::Run();
        const auto acknowledgedPs = HANDSHAKE_PS + ACK_PS + TimeOf(1) + 2 * (ACK_PS + LINK_PS);
        EXPECT_THAT(leftPs, testing::ElementsAre(beyond == 0 ? 0 : acknowledgedPs));
        ns3::Simulator::Destroy();
    }
}

/* A sending host that takes 3 us for a segment, longer than the wire, writes the 10th at 30 us. The receiving host is slower: it
 * begins with the first, which waits for the handshake, and ends 10 times 4 us later. */
TEST_F(TcpTransportTest, HostsTakeTheirTime)
{
    Hosts(2);
    SetPath(0, "FrameCost", 3'000'000);
    Send(ToHost1(10 * SEGMENT));
    ns3::Simulator::Run();
    EXPECT_THAT(arrivedPs, testing::ElementsAre(30'000'000 + 1 + TimeOf(1)));
    ns3::Simulator::Destroy();

    arrivedPs.clear();
    Hosts(2);
    SetPath(1, "FrameCost", 4'000'000);
    Send(ToHost1(10 * SEGMENT));
    ns3::Simulator::Run();
    EXPECT_THAT(arrivedPs,
                testing::ElementsAre(HANDSHAKE_PS + ACK_PS + TimeOf(1) + 10 * 4'000'000));
    ns3::Simulator::Destroy();

    // A message costs its sender 5 us, once, and then it is written.
    arrivedPs.clear();
    Hosts(2);
    SetPath(0, "MessageCost", 5'000'000);
    Send(ToHost1(10 * SEGMENT));
    ns3::Simulator::Run();
    EXPECT_THAT(arrivedPs, testing::ElementsAre(5'000'000 + 1 + TimeOf(10)));
}

/* Four messages wait for one host, which works on one after the other: the k-th is written when k costs are paid, by all of its
 * sockets, and what it costs does not hold up the one before, though a segment has room for both. The first of them ends after
 * the handshakes. 724 bytes of payload are 814 on the wire. */
TEST_F(TcpTransportTest, EachMessageCostsItsHost)
{
    struct Row
    {
        const char* sockets;
        std::uint64_t bytes;
        std::int64_t frameCostPs;
        std::int64_t costPs; ///< of a message, with its frames
        std::int64_t travelPs;
    };

    const Row rows[] = {{"1", SEGMENT, 0, 5'000'000, TimeOf(1)},
                        {"1", 724, 0, 5'000'000, 2 * (814 * 800 + LINK_PS)},
                        {"1", 724, 1'000'000, 6'000'000, 2 * (814 * 800 + LINK_PS)},
                        {"2", 2 * SEGMENT, 0, 5'000'000, TimeOf(2)},
                        {"2", 2 * SEGMENT, 1'500'000, 8'000'000, TimeOf(1)}};
    for (const auto& row : rows)
    {
        SCOPED_TRACE(std::string(row.sockets) + " " + std::to_string(row.bytes));
        arrivedPs.clear();
        Set("inca::TcpTransport::Sockets", row.sockets);
        Hosts(2);
        SetPath(0, "MessageCost", 5'000'000);
        SetPath(0, "FrameCost", row.frameCostPs);
        std::vector<std::int64_t> expectedPs;
        for (std::int64_t k = 1; k <= 4; ++k)
        {
            Send(ToHost1(row.bytes));
            expectedPs.push_back(k * row.costPs + 1 + row.travelPs);
        }
        ns3::Simulator::Run();
        EXPECT_EQ(arrivedPs, expectedPs);
        ns3::Simulator::Destroy();
    }
}

/* The receiver's window closes and opens again, and it never waits: 1000 segments of 3 us. */
TEST_F(TcpTransportTest, ASlowReaderOpensItsWindowAgain)
{
    Set("ns3::TcpSocket::RcvBufSize", "65536");
    Hosts(2);
    SetPath(1, "FrameCost", 3'000'000);
    Send(ToHost1(1000 * SEGMENT));
    ns3::Simulator::Run();
    EXPECT_THAT(
        arrivedPs,
        testing::ElementsAre(HANDSHAKE_PS + ACK_PS + TimeOf(1) + 1000 * std::int64_t{3'000'000}));
}

/* 5 bytes over 3 sockets are 1, 2 and 2; 2 bytes leave one idle. Each message comes once, whole, as does one without a byte, and
 * what it says. */
TEST_F(TcpTransportTest, SpreadsMessagesOverSockets)
{
    Set("inca::TcpTransport::Sockets", "3");
    Hosts(2);
    const std::vector<std::uint64_t> sizes{5, 2, 0, 100 * SEGMENT, 1};
    for (std::uint32_t i = 0; i < sizes.size(); ++i)
    {
        auto message = ToHost1(sizes[i]);
        message.tag.ordinal = i;
        message.tag.grant = sizes[i] == 0;
        message.sentPs = 7;
        message.payload = SharedBytes::Of(std::vector<std::uint8_t>(sizes[i]));
        Send(message);
    }
    ns3::Simulator::Run();
    ASSERT_EQ(arrived.size(), sizes.size());
    std::vector<std::uint64_t> came(sizes.size(), 99);
    for (const auto& message : arrived)
    {
        came.at(message.tag.ordinal) = message.plainBytes;
        EXPECT_EQ(message.wirePayloadBytes, message.plainBytes);
        EXPECT_EQ(message.from, star.Address(0));
        EXPECT_EQ(message.tag.grant, message.plainBytes == 0);
        EXPECT_EQ(message.sentPs, 7);
        EXPECT_EQ(message.bytes.size(), message.plainBytes);
    }
    EXPECT_EQ(came, sizes);
    EXPECT_EQ(leftPs.size(), sizes.size());
    EXPECT_EQ(star.transports[1]->DeliveredBytes(), 100 * SEGMENT + 9); // a grant is a byte
}

/* Frames of host 0: the SYN, the acknowledgement of its answer, then segments. A segment that is lost is sent again when later ones
 * have come, before any timeout. A SYN has no later ones: it is sent again after a second. */
TEST_F(TcpTransportTest, SendsAgainWhatIsLost)
{
    struct Row
    {
        std::uint32_t lost;
        std::uint64_t repeated;
        std::int64_t firstPs;
        std::int64_t lastPs;
    };

    for (const auto& row : {Row{6, 1, 0, SECOND_PS / 5}, Row{0, 0, SECOND_PS, SECOND_PS * 6 / 5}})
    {
        SCOPED_TRACE(row.lost);
        arrivedPs.clear();
        Hosts(2);
        Lose({row.lost});
        Send(ToHost1(100 * SEGMENT));
        ns3::Simulator::Run();
        EXPECT_EQ(star.transports[0]->RetransmittedFrames(), row.repeated);
        ASSERT_EQ(arrivedPs.size(), 1U);
        EXPECT_GT(arrivedPs[0], row.firstPs);
        EXPECT_LT(arrivedPs[0], row.lastPs);
        ns3::Simulator::Destroy();
    }
}

/* A message of 40 segments has the window grow to at least 20 where nothing but losses ends slow start. After a second, 5 timeouts, it is 10 again: the 11th segment of 20
 * waits for the first acknowledgement, of two segments, and the others follow it without a pause, as each acknowledgement lets
 * go twice as many as it tells of. */
TEST_F(TcpTransportTest, RestartsAfterIdleTime)
{
    const std::int64_t linkPs = 100'000'000;
    helper.SetLinkAttribute("Delay", ns3::TimeValue(ns3::PicoSeconds(linkPs)));
    Set("ns3::TcpL4Protocol::SocketType", "ns3::TcpNewReno");
    for (const bool restarts : {false, true})
    {
        SCOPED_TRACE(restarts);
        arrivedPs.clear();
        Set("inca::TcpTransport::RestartAfterIdle", restarts ? "true" : "false");
        Hosts(2);
        Send(ToHost1(40 * SEGMENT));
        SendAt(SECOND_PS, 20 * SEGMENT);
        ns3::Simulator::Run();
        const auto acknowledgedPs = 3 * SEGMENT_PS + 2 * ACK_PS + 4 * linkPs;
        const auto last = restarts ? acknowledgedPs + 10 * SEGMENT_PS : 20 * SEGMENT_PS;
        ASSERT_EQ(arrivedPs.size(), 2U);
        EXPECT_EQ(arrivedPs[1], SECOND_PS + 1 + last + SEGMENT_PS + 2 * linkPs);
        ns3::Simulator::Destroy();
    }
}

/* What comes for a stack that is gone is given to nobody. */
TEST_F(TcpTransportTest, TakesNothingWhenItIsGone)
{
    star = StarHelper().Install(2);
    const auto accept = [](auto&&...) { FAIL() << "nobody connects"; };
    std::make_unique<TcpHost>(star.nics[0], accept).reset();
    const auto frame = MakeStackFrame(ns3::Create<ns3::Packet>(100), ETHERTYPE_IPV4);
    frame->destination = ns3::Mac48Address::ConvertFrom(star.nics[0]->GetAddress());
    const auto nic = star.nics[0];
    ns3::Simulator::ScheduleWithContext(
        nic->GetNode()->GetId(), ns3::Time(), [=] { nic->ReceiveFrame(frame); });
    ns3::Simulator::Run();
    EXPECT_TRUE(arrived.empty());
}

/* Two hosts send 1000 segments each to a third, whose port marks above 65 frames and holds 16 MiB. CUBIC fills it with more than
 * 65 frames before it hears of anything; DCTCP is told, and keeps about as many as it is told of. */
TEST_F(TcpTransportTest, DctcpHeedsMarks)
{
    const std::uint64_t threshold = 65 * 1538;
    helper.SetPortAttribute("EcnThreshold", ns3::UintegerValue(threshold));
    std::vector<std::uint64_t> queues;
    for (const auto* const congestion : {"ns3::TcpCubic", "ns3::TcpNewReno", "ns3::TcpDctcp"})
    {
        Set("ns3::TcpL4Protocol::SocketType", congestion);
        Hosts(3);
        Send(ToHost1(5000 * SEGMENT));
        star.transports[2]->Send(ToHost1(5000 * SEGMENT), {});
        ns3::Simulator::Run();
        queues.push_back(star.PortTo(1)->Counters().largestQueueBytes);
        ns3::Simulator::Destroy();
    }
    EXPECT_EQ(arrived.size(), 6U);
    EXPECT_GT(queues[0], 4 * threshold);
    EXPECT_GT(queues[1], 4 * threshold);
    EXPECT_LT(queues[2], 3 * threshold);
}

} // namespace inca
