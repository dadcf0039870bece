/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Flows beside the frames that they stand for: where what follows can be derived for both, both take as long.
#include "device/byte-rate.h"
#include "transport/flow-transport.h"

#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "topology/topology-catalog.h"

#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Hosts with links of 10 Gb/s and 1 us. */
class FlowTransportTest : public testing::Test
{
  protected:
    static constexpr std::int64_t FRAME_PS{1'230'400}; ///< 1538 bytes at 10 Gb/s
    static constexpr std::int64_t ACK_PS{67'200};      ///< 84 bytes
    static constexpr std::int64_t LINK_PS{1'000'000};
    static constexpr std::uint64_t FRAME_BYTES{1460};

    /** A message, and when it is to have left its host and to have arrived. */
    struct Sent
    {
        std::int64_t atPs;
        std::uint32_t from;
        std::uint32_t to;
        std::uint64_t bytes;
        std::int64_t leftPs;
        std::int64_t arrivalPs;
    };

    FlowTransportTest()
    {
        SetPicosecondResolution();
        topology.SetTransport("inca::FlowTransport");
    }

    void TearDown() override
    {
        ns3::Simulator::Destroy();
    }

    /** Sends all, and compares; times of fluids are rounded to the picosecond, some at each queue. */
    void Run(const TopologyPlan& plan, const std::vector<Sent>& messages)
    {
        ns3::Simulator::Destroy();
        cluster = topology.Install(plan);
        std::vector<std::int64_t> leftPs(messages.size());
        std::vector<std::int64_t> arrivedPs(messages.size());
        for (const auto& transport : cluster.transports)
        {
            transport->SetReceiver(JobId(), [&](ReceivedMessage message) {
                arrivedPs[message.tag.ordinal] = ns3::Simulator::Now().GetTimeStep();
                EXPECT_EQ(message.from, cluster.Address(messages[message.tag.ordinal].from));
                EXPECT_EQ(message.plainBytes, messages[message.tag.ordinal].bytes);
            });
        }
        for (std::uint32_t i = 0; i < messages.size(); ++i)
        {
            const auto& sent = messages[i];
            Message message;
            message.to = cluster.Address(sent.to);
            message.tag.ordinal = i;
            message.plainBytes = sent.bytes;
            ns3::Simulator::ScheduleWithContext(
                cluster.hosts.Get(sent.from)->GetId(),
                ns3::TimeStep(static_cast<std::uint64_t>(sent.atPs)),
                [this, sent, message, left = &leftPs[i]] {
                    cluster.transports[sent.from]->Send(
                        message, [left] { *left = ns3::Simulator::Now().GetTimeStep(); });
                });
        }
        ns3::Simulator::Run();
        for (std::size_t i = 0; i < messages.size(); ++i)
        {
            constexpr double rounding = 10;
            EXPECT_NEAR(
                static_cast<double>(leftPs[i]), static_cast<double>(messages[i].leftPs), rounding)
                << i;
            EXPECT_NEAR(static_cast<double>(arrivedPs[i]),
                        static_cast<double>(messages[i].arrivalPs),
                        rounding)
                << i;
        }
    }

    static TopologyPlan Star(std::uint32_t hosts)
    {
        TopologySpec spec;
        spec.hosts = hosts;
        return MakeTopology(spec);
    }

    TopologyHelper topology;
    Cluster cluster;
};

} // namespace

/* The rows of TransportTest.TakesItsTime: what is alone in its network takes as long as its frames. */
TEST_F(FlowTransportTest, TakesItsTime)
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
        {"a frame", FRAME_BYTES, 0, 0, 0, FRAME_PS, 2 * (FRAME_PS + LINK_PS)},
        {"an empty message", 0, 0, 0, 0, ACK_PS, 2 * (ACK_PS + LINK_PS)},
        // 1462 bytes: a frame, and one of 2 + 78 = 84 bytes at least, which waits for the first one at the switch
        {"a short last frame", 1462, 0, 0, 0, FRAME_PS + ACK_PS, 2 * (FRAME_PS + LINK_PS) + ACK_PS},
        {"hosts in pipeline with the wire",
         3 * FRAME_BYTES,
         1'460'000'000,
         20,
         500,
         500'000 + work + 3 * FRAME_PS,
         500'000 + work + 4 * FRAME_PS + 2 * LINK_PS + work},
        {"a slow host",
         3 * FRAME_BYTES,
         730'000'000,
         0,
         0,
         6'000'000 + FRAME_PS,
         6'000'000 + 2 * (FRAME_PS + LINK_PS) + 2'000'000},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        topology.SetHostPathAttribute("ByteRate", ns3::DataRateValue(ByteRate(row.byteRate)));
        topology.SetHostPathAttribute("FrameCost",
                                      ns3::TimeValue(ns3::NanoSeconds(row.frameCostNs)));
        topology.SetHostPathAttribute("MessageCost",
                                      ns3::TimeValue(ns3::NanoSeconds(row.messageCostNs)));
        Run(Star(2), {{0, 0, 1, row.bytes, row.leftPs, row.arrivalPs}});
    }
}

TEST_F(FlowTransportTest, QueuesServeInOrder)
{
    const auto frames = [](std::int64_t count) {
        return static_cast<std::uint64_t>(count) * FRAME_BYTES;
    };
    // beside its flow a message takes a frame on the first link, and both cables
    const auto endsPs = FRAME_PS + 2 * LINK_PS;
    // Both are sent by 40 frames' time, when 40 frames wait at the switch: 80 have gone through it at the end.
    Run(Star(3),
        {{0, 0, 2, frames(40), 40 * FRAME_PS, 80 * FRAME_PS + endsPs},
         {0, 1, 2, frames(40), 40 * FRAME_PS, 80 * FRAME_PS + endsPs}});
    // The short one is sent from 20 to 30 frames' time, when 10 wait; at 40 as many do, as the link has been busy.
    Run(Star(3),
        {{0, 0, 2, frames(40), 40 * FRAME_PS, 50 * FRAME_PS + endsPs},
         {20 * FRAME_PS, 1, 2, frames(10), 30 * FRAME_PS, 40 * FRAME_PS + endsPs}});
    // What a host sends to two, it sends in turn: 10 frames of each by 20 frames' time, then the 30 that are left.
    Run(Star(3),
        {{0, 0, 1, frames(10), 20 * FRAME_PS, 20 * FRAME_PS + endsPs},
         {0, 0, 2, frames(40), 50 * FRAME_PS, 50 * FRAME_PS + endsPs}});
}

/* Hosts 0 and 1 of one leaf send 40 frames each to hosts 2 and 3 of another, over one trunk: it has carried 80 at the
 * end, and half of its rate comes to each of the links behind it, where nothing waits. Three frames on other links, and
 * 4 cables. */
TEST_F(FlowTransportTest, TrunksHandOnWhatComes)
{
    TopologySpec spec;
    spec.name = "leaf-spine";
    spec.hostsPerLeaf = 2;
    spec.spines = 1;
    const auto arrivalPs = 80 * FRAME_PS + 3 * FRAME_PS + 4 * LINK_PS;
    Run(MakeTopology(spec),
        {{0, 0, 2, 40 * FRAME_BYTES, 40 * FRAME_PS, arrivalPs},
         {0, 1, 3, 40 * FRAME_BYTES, 40 * FRAME_PS, arrivalPs}});
    // 80 full frames there, and an acknowledgement of each 16 of 40 back
    const auto wireBytes = [this](std::size_t number, std::size_t port) {
        return cluster.switches[number]->GetPort(port)->Counters().out.wireBytes;
    };
    EXPECT_EQ(wireBytes(0, cluster.trunks[0].lowerPort), 80U * 1538);
    EXPECT_EQ(wireBytes(1, cluster.trunks[1].lowerPort), 2U * 3 * 84);
    EXPECT_EQ(
        cluster.switches[0]->GetPort(cluster.trunks[0].lowerPort)->Counters().largestQueueBytes,
        40U * 1538);
}

/* 128 frames, of which 64 may be on their way, over cables of 1 ms. The first acknowledgement is there after 15 frames
 * and a round trip: 2 frames and acknowledgements, and 4 cables. Then the other 64 go. */
TEST_F(FlowTransportTest, AWindowGoesInARoundTrip)
{
    constexpr std::int64_t cablePs{1'000'000'000};
    topology.SetLinkAttribute("Delay", ns3::TimeValue(ns3::MilliSeconds(1)));
    const auto leftPs = 64 * FRAME_PS + 15 * FRAME_PS + 2 * (FRAME_PS + ACK_PS) + 4 * cablePs;
    Run(Star(2), {{0, 0, 1, 128 * FRAME_BYTES, leftPs, leftPs + FRAME_PS + 2 * cablePs}});
}

/* The same of 24 frames, of which 16 are acknowledged together: so many may follow when that acknowledgement is there. One frame more
 * waits for the next one, a round trip later. */
TEST_F(FlowTransportTest, AWindowGoesOnByWholeAcknowledgements)
{
    constexpr std::int64_t cablePs{1'000'000'000};
    topology.SetLinkAttribute("Delay", ns3::TimeValue(ns3::MilliSeconds(1)));
    topology.SetTransportAttribute("Window", ns3::UintegerValue(24));
    const auto tripPs = 15 * FRAME_PS + 2 * (FRAME_PS + ACK_PS) + 4 * cablePs;
    const auto behindPs = FRAME_PS + 2 * cablePs;
    const auto leftPs = tripPs + 16 * FRAME_PS;
    Run(Star(2), {{0, 0, 1, 40 * FRAME_BYTES, leftPs, leftPs + behindPs}});
    const auto laterPs = 2 * tripPs + FRAME_PS;
    Run(Star(2), {{0, 0, 1, 41 * FRAME_BYTES, laterPs, laterPs + behindPs}});
}

/* A second message begins when none of 48 frames of the first is acknowledged: 16 go at once, and the other 32 when the first
 * acknowledgement is there, behind which the others come frame by frame. */
TEST_F(FlowTransportTest, AWindowIsOfAllMessagesToAHost)
{
    constexpr std::int64_t cablePs{1'000'000'000};
    topology.SetLinkAttribute("Delay", ns3::TimeValue(ns3::MilliSeconds(1)));
    const auto ackedPs = 15 * FRAME_PS + 2 * (FRAME_PS + ACK_PS) + 4 * cablePs;
    const auto leftPs = ackedPs + 32 * FRAME_PS;
    const auto behindPs = FRAME_PS + 2 * cablePs;
    Run(Star(2),
        {{0, 0, 1, 48 * FRAME_BYTES, 48 * FRAME_PS, 48 * FRAME_PS + behindPs},
         {cablePs, 0, 1, 48 * FRAME_BYTES, leftPs, leftPs + behindPs}});
}

/* The same over 3 links from rack to rack, while as much comes back: the 4 acknowledgements of that for each window share the
 * trunk, where something waits when a window has been sent. The next one still goes when the first acknowledgement is
 * there. The last frame waits for 4 of the others. */
TEST_F(FlowTransportTest, AWindowGoesInARoundTripWhereOthersPass)
{
    TopologySpec spec;
    spec.name = "rack-pair";
    constexpr std::int64_t cablePs{1'000'000'000};
    topology.SetLinkAttribute("Delay", ns3::TimeValue(ns3::MilliSeconds(1)));
    const auto leftPs = 64 * FRAME_PS + 15 * FRAME_PS + 3 * (FRAME_PS + ACK_PS) + 6 * cablePs;
    const auto arrivalPs = leftPs + 4 * ACK_PS + 2 * FRAME_PS + 3 * cablePs;
    Run(MakeTopology(spec),
        {{0, 0, 2, 128 * FRAME_BYTES, leftPs, arrivalPs},
         {0, 3, 1, 128 * FRAME_BYTES, leftPs, arrivalPs}});
}

/* While host 0 sends an empty message, acknowledgements take all of host 1's link but a hundredth: 0.472 ns in the 47.2
 * that are left of it when host 1 begins to send. All of the link is free for the rest. */
TEST_F(FlowTransportTest, AcknowledgementsGiveBackWhatTheyTook)
{
    const std::int64_t beginPs = 20'000;
    const auto leftPs = ACK_PS - (ACK_PS - beginPs) / 100 + 40 * FRAME_PS;
    Run(Star(3),
        {{0, 0, 1, 0, ACK_PS, 2 * (ACK_PS + LINK_PS)},
         {beginPs, 1, 2, 40 * FRAME_BYTES, leftPs, leftPs + FRAME_PS + 2 * LINK_PS}});
}

/* Messages to one host follow each other; a grant does not wait for them. */
TEST_F(FlowTransportTest, MessagesOfAConnectionFollowEachOther)
{
    const auto endsPs = FRAME_PS + 2 * LINK_PS;
    Run(Star(2),
        {{0, 0, 1, 10 * FRAME_BYTES, 10 * FRAME_PS, 10 * FRAME_PS + endsPs},
         {0, 0, 1, 20 * FRAME_BYTES, 30 * FRAME_PS, 30 * FRAME_PS + endsPs},
         {5 * FRAME_PS, 0, 1, 1 * FRAME_BYTES, 31 * FRAME_PS, 31 * FRAME_PS + endsPs}});
}

} // namespace inca
