/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "device/star-fixture.h"
#include "device/switch.h"

#include "ns3/config.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
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

    /** Plugs a host into a port that does not flood. */
    void PlugInQuietly()
    {
        const auto link = ns3::CreateObject<Link>();
        const auto nic = ns3::CreateObject<Nic>();
        ns3::CreateObject<ns3::Node>()->AddDevice(nic);
        nic->Attach(link);
        hub->AddPort(ns3::CreateObject<SwitchPort>(), link, false);
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

/* By its destination alone: host 250 has remainder 2 of 4 ports, which is the third. */
TEST_F(SwitchTest, RoutesByDestination)
{
    Hosts(5);
    hub->SetAttribute("Routing", ns3::StringValue("d-mod-k"));
    EXPECT_EQ(Choices(4, 3), std::vector<std::size_t>(3, 3));
    hub->SetNumber(0, 4);
    EXPECT_EQ(Choices(3, 3), std::vector<std::size_t>(3, 3)) << "250 / 4 = 62 has remainder 2 of 3";
    hub->SetNumber(0, 8);
    EXPECT_EQ(Choices(4, 3), std::vector<std::size_t>(3, 4)) << "250 / 8 = 31";
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

TEST_F(SwitchTest, SendsFramesUpDownOrToAll)
{
    struct Row
    {
        const char* what;
        std::vector<std::size_t> uplinks;
        bool isQuiet; ///< port 3 does not flood
        ns3::Mac48Address to;
        std::size_t from;
        std::vector<std::uint64_t> sent; ///< by port
        std::uint64_t flooded;
        std::uint64_t unknown;
    };

    const auto unknown = Address(UNKNOWN);
    const auto all = ns3::Mac48Address::GetBroadcast();
    const Row rows[] = {
        {"to a host that it knows", {1, 2}, false, Address(3), 0, {0, 0, 0, 1}, 0, 0},
        {"unknown, and nothing is above", {}, false, unknown, 0, {0, 1, 1, 1}, 1, 0},
        {"unknown, from below", {1}, false, unknown, 0, {0, 1, 0, 0}, 0, 0},
        {"unknown, from a port that leads up no more", {2}, false, unknown, 1, {0, 0, 1, 0}, 0, 0},
        // What came from above does not go up again, and takes no quiet port; nor does what is for all.
        {"unknown, from above", {1, 3}, true, unknown, 1, {1, 0, 1, 0}, 1, 0},
        {"for all", {1, 3}, true, all, 0, {0, 1, 1, 0}, 1, 0},
        {"unknown, from a quiet port", {1, 3}, true, unknown, 3, {0, 0, 0, 0}, 0, 1},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(row.what);
        Hosts(row.isQuiet ? 3 : 4);
        if (row.isQuiet)
        {
            PlugInQuietly();
        }
        hub->SetUplinks({1});
        hub->SetUplinks(row.uplinks);
        Forward(Address(0), row.to, row.from);
        EXPECT_EQ(Sent(), row.sent);
        EXPECT_EQ(hub->FloodedFrames(), row.flooded);
        EXPECT_EQ(hub->UnknownFrames(), row.unknown);
        Forget();
    }
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

/* The switch takes three full frames (F = 1230.4 ns) at 0; they are at the port 2 us later, where two have room. What
 * happens is told when it does: the backlog, departures, and a drop. The counters say at 1 us that all is under way still. */
TEST_F(SwitchTest, TellsOfItsQueuesWhenTheyChange)
{
    Hosts(2, [](Nic&, SwitchPort& port, Transport&) {
        port.SetAttribute("Buffer", ns3::UintegerValue(2 * 1538));
    });
    hub->Learn(Address(UNKNOWN), 1);
    hub->SetAttribute("Latency", ns3::TimeValue(ns3::MicroSeconds(2)));
    std::vector<std::pair<std::int64_t, std::uint64_t>> backlogs;
    std::map<std::string, std::vector<std::int64_t>> events;
    const auto port = hub->GetPort(1);
    port->TraceConnectWithoutContext(
        "BytesInQueue",
        ns3::Callback<void, std::uint64_t, std::uint64_t>(
            [&](std::uint64_t, std::uint64_t bytes) { backlogs.emplace_back(NowPs(), bytes); }));
    for (const std::string name : {"Enqueue", "Dequeue", "Drop"})
    {
        port->TraceConnectWithoutContext(
            name,
            ns3::Callback<void, ns3::Ptr<const Frame>>(
                [&events, name](ns3::Ptr<const Frame>) { events[name].push_back(NowPs()); }));
    }
    for (int i = 0; i < 3; ++i)
    {
        Forward(0, UNKNOWN, 0);
    }
    ns3::Simulator::Schedule(ns3::MicroSeconds(1), [&] {
        EXPECT_EQ(port->Counters().held.wireBytes, 2U * 1538);
        EXPECT_EQ(port->Counters().out.wireBytes, 0U);
    });
    ns3::Simulator::Run();
    constexpr std::int64_t F = 1'230'400;
    constexpr std::int64_t L = 2'000'000;
    EXPECT_EQ(backlogs,
              (std::vector<std::pair<std::int64_t, std::uint64_t>>{
                  {L, 1538}, {L, 2 * 1538}, {L + F, 1538}, {L + 2 * F, 0}}));
    EXPECT_EQ(events["Enqueue"], (std::vector<std::int64_t>{L, L}));
    EXPECT_EQ(events["Dequeue"], (std::vector<std::int64_t>{L + F, L + 2 * F}));
    EXPECT_EQ(events["Drop"], std::vector<std::int64_t>{L});
}

/* A frame departs while another is still on its way through the switch, F = 1230.4 ns later: it has not left as long as
 * its last bit has not. */
TEST_F(SwitchTest, CountsWhatHasLeftByNow)
{
    Hosts(2);
    hub->Learn(Address(UNKNOWN), 1);
    hub->SetAttribute("Latency", ns3::TimeValue(ns3::MicroSeconds(2)));
    Forward(0, UNKNOWN, 0);
    ns3::Simulator::Schedule(ns3::MicroSeconds(3), [this] {
        Forward(0, UNKNOWN, 0); // is there at 5 us, when the first has left
        EXPECT_EQ(hub->GetPort(1)->Counters().out.wireBytes, 0U);
        EXPECT_EQ(hub->GetPort(1)->Counters().held.wireBytes, 2U * 1538);
    });
    ns3::Simulator::Run();
    EXPECT_EQ(hub->GetPort(1)->Counters().out.wireBytes, 2U * 1538);
    EXPECT_EQ(hub->GetPort(1)->Counters().largestQueueBytes, 1538U);
}

/* 1538 bytes at 10 Gb/s, then at 1 Gb/s; a second frame finds no room when the buffer is smaller, and a link is shorter
 * than when the frame before it went: it does not overtake. */
TEST_F(SwitchTest, AppliesWhatIsSetWhileItRuns)
{
    Hosts(2);
    hub->Learn(Address(UNKNOWN), 1);
    const auto port = hub->GetPort(1);
    Forward(0, UNKNOWN, 0);
    port->SetAttribute("DataRate", ns3::StringValue("1Gbps"));
    links[1]->SetAttribute("Delay", ns3::TimeValue(ns3::Time(0)));
    std::int64_t lastPs = 0;
    port->TraceConnectWithoutContext("Dequeue",
                                     ns3::Callback<void, ns3::Ptr<const Frame>>(
                                         [&](ns3::Ptr<const Frame>) { lastPs = NowPs(); }));
    Forward(0, UNKNOWN, 0);
    port->SetAttribute("Buffer", ns3::UintegerValue(2 * 1538));
    Forward(0, UNKNOWN, 0);
    EXPECT_EQ(port->Counters().drops.Of(DropReason::BUFFER_FULL), 1U);
    EXPECT_EQ(port->BitsPerSecond(), 1'000'000'000U);
    ns3::Simulator::Run();
    EXPECT_EQ(lastPs, 1'230'400 + 12'304'000);
}

/* What is read once is refused later. */
TEST_F(SwitchTest, RefusesWhatCannotApply)
{
    Hosts(2);
    EXPECT_TRUE(transports[0]->SetAttributeFailSafe("Window", ns3::UintegerValue(8)));
    Send(0, 1, 1460);
    EXPECT_FALSE(transports[0]->SetAttributeFailSafe("Window", ns3::UintegerValue(4)));
    EXPECT_FALSE(nics[0]->SetMtu(9000));
    EXPECT_EQ(nics[0]->GetMtu(), 1500U);
    ns3::Simulator::Run();
}

/* A port is as fast as the other end of its link: a NIC, or a port that was told how fast; two that were not have a NIC's rate. */
TEST_F(SwitchTest, PortsAreAsFastAsTheOtherEnd)
{
    Hosts(2, [](Nic&, SwitchPort& port, Transport&) { EXPECT_EQ(port.BitsPerSecond(), 10e9); });
    for (const auto* const rate : {"0bps", "3Gbps"})
    {
        const auto told = ns3::CreateObject<SwitchPort>();
        const auto other = ns3::CreateObject<SwitchPort>();
        told->SetAttribute("DataRate", ns3::StringValue(rate));
        const auto link = ns3::CreateObject<Link>();
        hub->AddPort(told, link);
        hub->AddPort(other, link);
        const auto expected =
            told->BitsPerSecond() == 3'000'000'000 ? 3'000'000'000 : 10'000'000'000;
        EXPECT_EQ(told->BitsPerSecond(), expected);
        EXPECT_EQ(other->BitsPerSecond(), expected);
    }
    EXPECT_THROW(nics[0]->SetAttribute("DataRate", ns3::StringValue("0bps")), InputError);
}

/* A port whose link has no other end drops what it gets, and says why; a Config path leads to it. */
TEST_F(SwitchTest, DropsWhereNobodyIsPluggedIn)
{
    Hosts(1);
    const auto alone = ns3::CreateObject<SwitchPort>();
    hub->Learn(Address(9), hub->AddPort(alone, ns3::CreateObject<Link>()));
    std::uint32_t drops = 0;
    const auto node = std::to_string(hub->GetObject<ns3::Node>()->GetId());
    ns3::Config::ConnectWithoutContext(
        "/NodeList/" + node + "/$inca::Switch/Ports/1/Drop",
        ns3::Callback<void, ns3::Ptr<const Frame>>([&](ns3::Ptr<const Frame>) { ++drops; }));
    Forward(0, 9, 0);
    EXPECT_EQ(drops, 1U);
    EXPECT_EQ(alone->Counters().drops.Of(DropReason::NO_LINK), 1U);
}

} // namespace inca
