/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Clusters that helpers build: stars, and other topologies.
#include "base/errors.h"
#include "helper/cluster.h"
#include "helper/job-fixture.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "topology/topology-catalog.h"

#include "ns3/config.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace inca
{

class TopologyHelperTest : public JobFixture
{
  protected:
    /** Host @p from sends @p bytes to host @p to. */
    static void Send(
        const Cluster& cluster,
        std::uint32_t from,
        std::uint32_t to,
        std::uint64_t bytes,
        const Transport::Receiver& receiver = [](const ReceivedMessage&) {})
    {
        Message message;
        message.to = cluster.Address(to);
        message.plainBytes = bytes;
        cluster.transports[to]->SetReceiver(JobId(), receiver);
        cluster.transports[from]->Send(message, {});
    }

    /** @return when a frame of 1460 bytes from @p from was delivered to @p to (ps) */
    static std::int64_t TimeOfOneFrame(const Cluster& cluster, std::uint32_t from, std::uint32_t to)
    {
        std::int64_t timePs = -1;
        Send(cluster, from, to, 1460, [&](const ReceivedMessage&) {
            timePs = ns3::Simulator::Now().GetTimeStep();
        });
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        return timePs;
    }

    static std::int64_t TimeOfOneFrame(const StarHelper& helper)
    {
        return TimeOfOneFrame(helper.Install(3), 0, 1);
    }

    /** A frame of host @p from to one that is not there. */
    static ns3::Ptr<Frame> UnknownFrame(std::uint32_t from)
    {
        auto frame = MakeTransportFrame(FrameKind::DATA, 1460);
        frame->source = HostAddress(from);
        frame->destination = HostAddress(1'000'000);
        return frame;
    }

    /** @return the port, 1 or 2, by which leaf @p leaf, with a host at 0, sends flow @p flow up */
    static std::size_t UpPortOf(const Cluster& cluster, std::uint32_t leaf, std::uint32_t flow)
    {
        const auto first = cluster.switches[leaf]->GetPort(1);
        const auto before = first->Counters().frames;
        cluster.switches[leaf]->Forward(UnknownFrame(flow), 0);
        return first->Counters().frames > before ? 1 : 2;
    }

    std::int64_t RunRing(const TopologyPlan& plan, std::uint64_t elements)
    {
        const auto job = MakeTensorJob(Exchange("ring", plan.HostCount()), elements);
        return Run(job, TopologyHelper().Install(plan));
    }

    static constexpr std::uint64_t BLOCK{50};
};

/* 1538 bytes twice at 10 Gb/s (1230.4 ns), 1 us twice; the same again. Host 1 at 1 Gb/s: its link takes 12304 ns. */
TEST_F(TopologyHelperTest, BuildsWhatItIsTold)
{
    for (int time = 0; time < 2; ++time)
    {
        EXPECT_EQ(TimeOfOneFrame(StarHelper()), 2 * (1'230'400 + 1'000'000));
    }
    StarHelper helper;
    helper.SetHostRate(1, ns3::DataRate("1Gbps"));
    helper.SetLinkAttribute("Delay", ns3::TimeValue(ns3::MicroSeconds(2)));
    EXPECT_EQ(TimeOfOneFrame(helper), 1'230'400 + 12'304'000 + 2 * 2'000'000);
    ns3::Config::SetDefault("inca::Nic::DataRate", ns3::StringValue("100Gbps"));
    ns3::Config::SetDefault("inca::Switch::Latency", ns3::StringValue("300ns"));
    EXPECT_EQ(TimeOfOneFrame(StarHelper()), 2 * (123'040 + 1'000'000) + 300'000);
    EXPECT_THROW(StarHelper().Install(1), InputError); // a single host
}

namespace
{

std::string
TextOf(ns3::Mac48Address address)
{
    std::ostringstream text;
    text << address;
    return text.str();
}

} // namespace

TEST(Cluster, NumbersHostsAndSwitchesApart)
{
    EXPECT_EQ(TextOf(HostAddress(0)), "02:00:00:00:00:01");
    EXPECT_EQ(TextOf(HostAddress(65'535)), "02:00:00:01:00:00");
    EXPECT_EQ(TextOf(SwitchAddress(0)), "02:01:00:00:00:00");
    EXPECT_EQ(TextOf(SwitchAddress(258)), "02:01:00:00:01:02");
}

/* Racks of 3 and 2: host 4 is the second of rack 1. Its port sends as fast as its NIC. */
TEST(Cluster, KnowsWhereHostsArePluggedIn)
{
    SetPicosecondResolution();
    TopologySpec spec;
    spec.name = "rack-pair";
    spec.hosts = 5;
    TopologyHelper helper;
    helper.SetHostRate(4, ns3::DataRate("2Gbps"));
    const auto cluster = helper.Install(MakeTopology(spec));
    EXPECT_EQ(cluster.SwitchOf(2), cluster.switches[0]);
    EXPECT_EQ(cluster.SwitchOf(4), cluster.switches[1]);
    EXPECT_EQ(cluster.PortTo(4), cluster.switches[1]->GetPort(1));
    EXPECT_EQ(cluster.PortTo(4)->BitsPerSecond(), 2'000'000'000U);
    EXPECT_EQ(cluster.PortTo(3)->BitsPerSecond(), 10'000'000'000U);
    EXPECT_EQ(TextOf(cluster.Address(4)), TextOf(HostAddress(4)));
    EXPECT_EQ(cluster.Devices().GetN(), 5U);
    ns3::Simulator::Destroy();
}

namespace
{

TopologySpec
SpecOf(const std::string& name, std::uint32_t hosts)
{
    TopologySpec spec;
    spec.name = name;
    spec.hosts = hosts;
    return spec;
}

TopologyPlan
LeafSpine(std::uint32_t hosts, std::uint32_t hostsPerLeaf, std::uint32_t spines)
{
    auto spec = SpecOf("leaf-spine", hosts);
    spec.hostsPerLeaf = hostsPerLeaf;
    spec.spines = spines;
    return MakeTopology(spec);
}

/** A fat-tree of two hosts, each in a pod of its own. */
TopologyPlan
SmallestFatTree()
{
    auto spec = SpecOf("fat-tree", 2);
    spec.arity = 2;
    return MakeTopology(spec);
}

} // namespace

/* Leaf 0 to leaf 1 over a spine: NIC and last port at 10 Gb/s, 1230.4 ns each; two trunk ports at 40
 * Gb/s, 307.6 ns each. Links take 1 us, trunks 2 us, switches 300 ns. */
TEST_F(TopologyHelperTest, SetsRatesAndLatenciesOfTrunks)
{
    TopologyHelper helper;
    helper.SetTrunkRate(ns3::DataRate("40Gbps"));
    helper.SetTrunkAttribute("Delay", ns3::TimeValue(ns3::MicroSeconds(2)));
    helper.SetLinkAttribute("Delay", ns3::TimeValue(ns3::MicroSeconds(1)));
    helper.SetSwitchAttribute("Latency", ns3::TimeValue(ns3::NanoSeconds(300)));
    const auto cluster = helper.Install(MakeTopology(SpecOf("leaf-spine", 8)));
    EXPECT_EQ(TimeOfOneFrame(cluster, 0, 4),
              2 * 1'230'400 + 2 * 307'600 + 2 * 1'000'000 + 2 * 2'000'000 + 3 * 300'000);
}

/* Trunks are as fast as NICs unless told otherwise; one slow host does not change them. */
TEST_F(TopologyHelperTest, GivesTrunksTheRateOfANic)
{
    TopologyHelper helper;
    helper.SetNicAttribute("DataRate", ns3::DataRateValue(ns3::DataRate("25Gbps")));
    helper.SetHostRate(0, ns3::DataRate("1Gbps"));
    const auto cluster = helper.Install(MakeTopology(SpecOf("rack-pair", 2)));
    const auto& trunk = cluster.trunks.at(0);
    EXPECT_EQ(cluster.switches[1]->GetPort(trunk.lowerPort)->BitsPerSecond(), 25'000'000'000U);
    EXPECT_EQ(cluster.switches[0]->GetPort(trunk.upperPort)->BitsPerSecond(), 25'000'000'000U);
}

/* Two workers: 2 steps, an acknowledgement between them, of the NIC and s switches each: s = 2 from
 * rack to rack, 3 over a spine, 5 over a core. */
TEST_F(TopologyHelperTest, ARingOfTwoTakesTwoWaysThroughAllSwitches)
{
    const std::vector<std::pair<TopologyPlan, std::int64_t>> plans{
        {MakeTopology(SpecOf("rack-pair", 2)), 2}, {LeafSpine(2, 1, 2), 3}, {SmallestFatTree(), 5}};
    for (const auto& [plan, switches] : plans)
    {
        EXPECT_EQ(RunRing(plan, 2 * BLOCK),
                  2 * (switches + 1) * (FramePs(BLOCK) + LINK_PS) + ACK_PS)
            << plan.name;
        TearDown();
    }
}

/* A ring of W workers: W - 1 additions and W - 1 copies, one behind the other, round the ring. A step
 * takes at least two ports and links, and at most as many as the longest way, each port perhaps
 * behind two acknowledgements. */
TEST_F(TopologyHelperTest, LargeRingsEnd)
{
    const std::vector<std::pair<TopologyPlan, std::int64_t>> plans{
        {MakeTopology(SpecOf("leaf-spine", 16)), 4}, {MakeTopology(SpecOf("fat-tree", 16)), 6}};
    for (const auto& [plan, ports] : plans)
    {
        const auto endPs = RunRing(plan, 16 * BLOCK);
        EXPECT_GE(endPs, 30 * HopPs(BLOCK)) << plan.name;
        EXPECT_LE(endPs, 30 * ports * (FramePs(BLOCK) + LINK_PS + 2 * ACK_PS)) << plan.name;
        TearDown();
    }
}

/* 64 hosts on 2 leaves below 4 spines; each of leaf 0's 32 sends 3 frames to 8 of leaf 1's: 256 flows,
 * 64 per spine on average, with a standard deviation of sqrt(256 * 1/4 * 3/4), 6.9; five are 35. */
TEST_F(TopologyHelperTest, SpreadsFlowsOverSpinesAndKeepsEachOnOne)
{
    const auto cluster = TopologyHelper().Install(LeafSpine(64, 32, 4));
    std::map<std::pair<ns3::Mac48Address, ns3::Mac48Address>, std::set<std::size_t>> trunksOf;
    std::map<std::pair<ns3::Mac48Address, ns3::Mac48Address>, std::uint32_t> framesOf;
    for (std::size_t trunk = 0; trunk < 4; ++trunk) // those of leaf 0
    {
        cluster.switches[0]
            ->GetPort(cluster.trunks[trunk].lowerPort)
            ->TraceConnectWithoutContext(
                "Enqueue",
                ns3::Callback<void, ns3::Ptr<const Frame>>([&, trunk](ns3::Ptr<const Frame> frame) {
                    trunksOf[{frame->source, frame->destination}].insert(trunk);
                    ++framesOf[{frame->source, frame->destination}];
                }));
    }
    for (std::uint32_t from = 0; from < 32; ++from)
    {
        for (std::uint32_t i = 0; i < 8; ++i)
        {
            Send(cluster, from, 32 + (from + i) % 32, 3 * 1460);
        }
    }
    ns3::Simulator::Run();
    ASSERT_EQ(trunksOf.size(), 256U);
    std::vector<double> flows(4, 0);
    for (const auto& [flow, trunks] : trunksOf)
    {
        EXPECT_EQ(trunks.size(), 1U);
        EXPECT_EQ(framesOf[flow], 3U);
        flows[*trunks.begin()] += 1;
    }
    for (const auto count : flows)
    {
        EXPECT_NEAR(count, 64, 35);
    }
}

/* Another seed spreads the same flows in another way: 1 of 4^32 seeds would not. */
TEST_F(TopologyHelperTest, SpreadsFlowsByASeed)
{
    std::vector<std::vector<std::uint64_t>> frames;
    for (const std::uint64_t seed : {1U, 1U, 2U})
    {
        TopologyHelper helper;
        helper.SetSwitchAttribute("EcmpSeed", ns3::UintegerValue(seed));
        const auto cluster = helper.Install(LeafSpine(64, 32, 4));
        for (std::uint32_t from = 0; from < 32; ++from)
        {
            Send(cluster, from, 63 - from, (from + 1) * 1460);
        }
        ns3::Simulator::Run();
        frames.emplace_back();
        for (std::size_t trunk = 0; trunk < 4; ++trunk)
        {
            const auto port = cluster.switches[0]->GetPort(cluster.trunks[trunk].lowerPort);
            frames.back().push_back(port->Counters().frames);
        }
        TearDown();
    }
    EXPECT_EQ(frames[0], frames[1]);
    EXPECT_NE(frames[0], frames[2]);
}

/* ns-3's own stack: a datagram from leaf 0 to leaf 1. Its ARP request is flooded once by each switch
 * that frames for everybody pass, leaf 0, spine 0 and leaf 1; the answer and the datagram are not. */
TEST_F(TopologyHelperTest, CarriesNs3sStackWithoutStorms)
{
    const auto cluster = TopologyHelper().Install(MakeTopology(SpecOf("leaf-spine", 8)));
    ns3::InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(cluster.hosts);
    ns3::Ipv4AddressHelper addresses("10.1.0.0", "255.255.0.0");
    const auto interfaces = addresses.Assign(cluster.Devices());
    const auto factory = ns3::TypeId::LookupByName("ns3::UdpSocketFactory");
    constexpr std::uint16_t PORT{5000};
    const auto receiver = ns3::Socket::CreateSocket(cluster.hosts.Get(7), factory);
    receiver->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT));
    const auto sender = ns3::Socket::CreateSocket(cluster.hosts.Get(0), factory);
    sender->Connect(ns3::InetSocketAddress(interfaces.GetAddress(7), PORT));
    sender->Send(ns3::Create<ns3::Packet>(1000));
    ns3::Simulator::Stop(ns3::Seconds(1));
    ns3::Simulator::Run();
    const auto packet = receiver->Recv();
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->GetSize(), 1000U);
    EXPECT_FALSE(receiver->Recv());
    std::vector<std::uint64_t> flooded;
    for (const auto& each : cluster.switches)
    {
        flooded.push_back(each->FloodedFrames());
        EXPECT_EQ(each->UnknownFrames(), 0U);
    }
    EXPECT_EQ(flooded, (std::vector<std::uint64_t>{1, 1, 1, 0}));
}

/* A plan that loses frames, and fewer nodes than hosts. */
TEST_F(TopologyHelperTest, RefusesWhatItCannotBuild)
{
    const auto plan = MakeTopology(SpecOf("rack-pair", 4));
    auto apart = plan;
    apart.trunks.clear();
    EXPECT_THROW(TopologyHelper().Install(apart), InputError);
    ns3::NodeContainer nodes;
    nodes.Create(3);
    EXPECT_THROW(TopologyHelper().Install(plan, nodes), InputError);
}

/* Frames for an unknown host that leaves 0 and 1 send up: of 64 flows each takes either spine for 32 of
 * those that the other sends to spine 0, or to 1; the standard deviation is 4. So a leaf's choice says
 * nothing of another's. */
TEST_F(TopologyHelperTest, SwitchesChooseEachForItself)
{
    const auto cluster = TopologyHelper().Install(LeafSpine(2, 1, 2));
    std::uint32_t alike = 0;
    for (std::uint32_t flow = 0; flow < 64; ++flow)
    {
        alike += UpPortOf(cluster, 0, flow) == UpPortOf(cluster, 1, flow) ? 1 : 0;
    }
    EXPECT_NEAR(alike, 32, 5 * 4);
}

/* Neither end of a trunk that does not flood sends what nobody knows: spine 1, port 0. */
TEST_F(TopologyHelperTest, NeitherEndOfAQuietTrunkFloods)
{
    const auto cluster = TopologyHelper().Install(LeafSpine(2, 1, 2));
    const auto spine = cluster.switches[3];
    spine->Forward(UnknownFrame(0), 0);
    EXPECT_EQ(spine->UnknownFrames(), 1U);
    EXPECT_EQ(spine->FloodedFrames(), 0U);
}

} // namespace inca
