/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/star-fixture.h"
#include "device/switch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace inca
{

class SwitchTest : public StarFixture
{
  protected:
    /** Hands the switch a frame from @p source to @p destination that came in at @p port. */
    void Forward(std::size_t source, std::size_t destination, std::size_t port)
    {
        Forward(Address(source), Address(destination), port);
    }

    void Forward(ns3::Mac48Address source, ns3::Mac48Address destination, std::size_t port)
    {
        auto frame = MakeTransportFrame(FrameKind::DATA, 1460);
        frame->source = source;
        frame->destination = destination;
        hub->Forward(frame, port);
    }

    /** Frames that left so far, by port. */
    std::vector<std::uint64_t> Sent() const
    {
        std::vector<std::uint64_t> frames;
        for (std::size_t port = 0; port < hub->PortCount(); ++port)
        {
            frames.push_back(hub->GetPort(port)->Counters().frames);
        }
        return frames;
    }

    /** The port, 1 .. @p choices, that each of @p flows flows from below to one address takes. */
    std::vector<std::size_t> Choices(std::size_t choices, std::size_t flows)
    {
        std::vector<std::size_t> ports;
        for (std::size_t port = 1; port <= choices; ++port)
        {
            ports.push_back(port);
        }
        hub->Learn(Address(UNKNOWN), ports);
        std::vector<std::size_t> chosen;
        for (std::size_t flow = 0; flow < flows; ++flow)
        {
            const auto before = Sent();
            Forward(flow, UNKNOWN, 0);
            const auto after = Sent();
            chosen.push_back(static_cast<std::size_t>(
                std::mismatch(before.begin(), before.end(), after.begin()).first - before.begin()));
        }
        return chosen;
    }

    static constexpr std::size_t UNKNOWN{250}; ///< a host that is not there
};

/* Two hosts send one frame each to host 0 at the same time: the second waits for the first one's
 * 1230.4 ns at the switch's port. */
TEST_F(SwitchTest, QueuesAtItsOutput)
{
    Hosts(3);
    Send(1, 0, 1460);
    Send(2, 0, 1460);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(arrivals[0].timePs, 2 * (1'230'400 + 1'000'000));
    EXPECT_EQ(arrivals[1].timePs, arrivals[0].timePs + 1'230'400);
    EXPECT_EQ(hub->GetPort(0)->Counters().largestQueueBytes, 2U * 1538);
}

TEST_F(SwitchTest, AddsItsLatency)
{
    Hosts(2);
    hub->SetAttribute("Latency", ns3::TimeValue(ns3::NanoSeconds(300)));
    Send(0, 1, 1460);
    ns3::Simulator::Run();
    EXPECT_EQ(arrivals[0].timePs, 2 * (1'230'400 + 1'000'000) + 300'000);
}

TEST_F(SwitchTest, FloodsWhatItDoesNotKnow)
{
    Hosts(3);
    auto frame = MakeTransportFrame(FrameKind::DATA, 1460);
    frame->destination = Address(9);
    hub->Forward(frame, 0);
    ns3::Simulator::Run();
    EXPECT_EQ(hub->FloodedFrames(), 1U);
    EXPECT_EQ(hub->GetPort(0)->Counters().frames, 0U);
    EXPECT_EQ(hub->GetPort(1)->Counters().frames, 1U);
    EXPECT_EQ(hub->GetPort(2)->Counters().frames, 1U);
    EXPECT_TRUE(arrivals.empty()); // it was for none of them
}

/* 200 flows over 4 ports: each gets 50 on average, with a standard deviation of sqrt(200 * 1/4 * 3/4),
 * 6.1; five of them are 31. The same flows take the same ports again. */
TEST_F(SwitchTest, SpreadsFlowsOverEqualPorts)
{
    Hosts(5);
    const auto chosen = Choices(4, 200);
    for (std::size_t port = 1; port <= 4; ++port)
    {
        const auto flows = std::count(chosen.begin(), chosen.end(), port);
        EXPECT_NEAR(static_cast<double>(flows), 50, 31) << port;
    }
    EXPECT_EQ(Choices(4, 200), chosen);
}

/* Of the flows that one switch sends by its first port, another spreads half, as if it had seen all:
 * the standard deviation of n flows is sqrt(n) / 2. So does the same one with another seed. */
TEST_F(SwitchTest, ChoosesRegardlessOfOtherSwitches)
{
    Hosts(3);
    const auto first = Choices(2, 200);
    hub->SetNumber(1);
    const auto second = Choices(2, 200);
    hub->SetAttribute("EcmpSeed", ns3::UintegerValue(2));
    const auto reseeded = Choices(2, 200);
    for (const auto& other : {std::pair{first, second}, std::pair{second, reseeded}})
    {
        double alike = 0;
        double both = 0;
        for (std::size_t flow = 0; flow < 200; ++flow)
        {
            const bool taken = other.first[flow] == 1;
            both += taken ? 1 : 0;
            alike += taken && other.second[flow] == 1 ? 1 : 0;
        }
        EXPECT_NEAR(alike, both / 2, 5 * std::sqrt(both) / 2);
    }
}

/* Ports 1 and 2 lead up. An unknown host is looked for above by what comes from below, and below,
 * port 0 and 3, by what comes from above. */
TEST_F(SwitchTest, SendsUpWhatItDoesNotKnow)
{
    Hosts(4);
    hub->SetUplinks({1, 2});
    Forward(0, UNKNOWN, 0);
    EXPECT_EQ(Sent()[1] + Sent()[2], 1U);
    EXPECT_EQ(Sent()[0] + Sent()[3], 0U);
    EXPECT_EQ(hub->FloodedFrames(), 0U);
    Forward(0, 3, 0); // known
    EXPECT_EQ(Sent()[3], 1U);
}

/* Port 1 leads up no more: what comes in there goes up by port 2. */
TEST_F(SwitchTest, MayGetOtherUplinks)
{
    Hosts(4);
    hub->SetUplinks({1});
    hub->SetUplinks({2});
    Forward(0, UNKNOWN, 1);
    EXPECT_EQ(Sent(), (std::vector<std::uint64_t>{0, 0, 1, 0}));
}

TEST_F(SwitchTest, NeverSendsUpWhatCameFromAbove)
{
    Hosts(4);
    hub->SetUplinks({1, 2});
    hub->SetFloods(2, false);
    Forward(0, UNKNOWN, 1);
    EXPECT_EQ(hub->FloodedFrames(), 1U);
    EXPECT_EQ(Sent(), (std::vector<std::uint64_t>{1, 0, 0, 1}));
}

/* Frames for all go down and up, but not by port 2; what comes in there for nobody known is dropped. */
TEST_F(SwitchTest, FloodsOnlyByPortsThatMay)
{
    Hosts(4);
    hub->SetUplinks({1, 2});
    hub->SetFloods(2, false);
    Forward(Address(0), ns3::Mac48Address::GetBroadcast(), 0);
    EXPECT_EQ(Sent(), (std::vector<std::uint64_t>{0, 1, 0, 1}));
    EXPECT_EQ(hub->UnknownFrames(), 0U);
    Forward(0, UNKNOWN, 2);
    EXPECT_EQ(hub->UnknownFrames(), 1U);
    EXPECT_EQ(hub->FloodedFrames(), 1U);
    EXPECT_EQ(Sent(), (std::vector<std::uint64_t>{0, 1, 0, 1}));
}

/* The receiver takes a frame of its kind, whatever its address, and none of another; what it sends
 * enters the port's queue after the switch's latency: 1230.4 ns and 1 us up, 300 ns, the same down. */
TEST_F(SwitchTest, HandsItsReceiverTheFramesOfItsKind)
{
    Hosts(2);
    hub->SetAttribute("Latency", ns3::TimeValue(ns3::NanoSeconds(300)));
    std::vector<std::size_t> takenFrom;
    const auto sendBack = [&](ns3::Ptr<Frame> frame, std::size_t from) {
        takenFrom.push_back(from);
        hub->Send(std::move(frame), from);
    };
    hub->SetFrameReceiver(FrameKind::AGGREGATION, Switch::FrameReceiver(sendBack));
    std::int64_t backPs = 0;
    hub->GetPort(0)->TraceConnectWithoutContext(
        "Enqueue", ns3::Callback<void, ns3::Ptr<const Frame>>([&](ns3::Ptr<const Frame> frame) {
            backPs = frame->lastDeparturePs;
        }));
    auto frame = MakeTransportFrame(FrameKind::AGGREGATION, 1460);
    frame->destination = Address(1);
    nics[0]->SendFrame(frame);
    ns3::Simulator::Run();
    EXPECT_EQ(takenFrom, std::vector<std::size_t>{0});
    EXPECT_EQ(Sent(), (std::vector<std::uint64_t>{1, 0}));
    EXPECT_EQ(backPs, 1'230'400 + 1'000'000 + 300'000 + 1'230'400);
    Send(0, 1, 1460);
    ns3::Simulator::Run();
    EXPECT_EQ(takenFrom.size(), 1U);
    EXPECT_EQ(arrivals.size(), 1U);
}

/* The backlog after each frame, and a drop, are told by trace sources. */
TEST_F(SwitchTest, TellsOfItsQueues)
{
    Hosts(2, [](Nic&, SwitchPort& port, Transport&) {
        port.SetAttribute("Buffer", ns3::UintegerValue(2 * 1538));
    });
    std::vector<std::uint64_t> backlogs;
    unsigned drops = 0;
    hub->GetPort(1)->TraceConnectWithoutContext(
        "Queue", ns3::Callback<void, std::uint64_t>([&](std::uint64_t bytes) {
            backlogs.push_back(bytes);
        }));
    hub->GetPort(1)->TraceConnectWithoutContext(
        "Drop",
        ns3::Callback<void, ns3::Ptr<const Frame>>([&](ns3::Ptr<const Frame>) { ++drops; }));
    for (int i = 0; i < 3; ++i)
    {
        auto frame = MakeTransportFrame(FrameKind::DATA, 1460);
        frame->destination = Address(1);
        hub->Forward(frame, 0);
    }
    EXPECT_EQ(backlogs, (std::vector<std::uint64_t>{1538, 2 * 1538}));
    EXPECT_EQ(drops, 1U);
}

} // namespace inca
