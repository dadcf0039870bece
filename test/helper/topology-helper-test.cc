/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Clusters that helpers build: stars, and other topologies.
#include "base/errors.h"
#include "device/random-loss.h"
#include "helper/cluster.h"
#include "helper/job-fixture.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "support/install.h"
#include "topology/topology-catalog.h"

#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>

namespace inca
{

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

} // namespace

class TopologyHelperTest : public JobFixture
{
  protected:
    /** Host @p from sends @p bytes to host @p to. */
    static void Send(
        const Cluster& cluster,
        std::uint32_t from,
        std::uint32_t to,
        std::uint64_t bytes,
        const MessageTransport::Receiver& receiver = [](const ReceivedMessage&) {})
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
    helper.SetNicAttribute("DataRate", ns3::StringValue("0bps"));
    EXPECT_THROW(helper.Install(3), InputError); // neither end of a link has a rate
}

/* 1538 bytes take 1230.4 ns at 10 Gb/s, 12304 ns at 1 Gb/s, 615.2 ns at 20 Gb/s. Ports that are told a rate have it, on trunks,
 * too, unless the host or the trunk is told one. A rack-pair is two ports on the way. */
TEST_F(TopologyHelperTest, PortsHaveTheRateThatTheyAreTold)
{
    TopologyHelper helper;
    const auto plan = MakeTopology(SpecOf("rack-pair", 2));
    helper.SetPortAttribute("DataRate", ns3::StringValue("1Gbps"));
    EXPECT_EQ(TimeOfOneFrame(helper.Install(plan), 0, 1), 1'230'400 + 2 * 12'304'000 + 3 * US);
    helper.SetTrunkRate(ns3::DataRate("10Gbps"));
    EXPECT_EQ(TimeOfOneFrame(helper.Install(plan), 0, 1), 2 * 1'230'400 + 12'304'000 + 3 * US);
    helper.SetHostRate(1, ns3::DataRate("20Gbps"));
    EXPECT_EQ(TimeOfOneFrame(helper.Install(plan), 0, 1), 2 * 1'230'400 + 615'200 + 3 * US);
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

/* The second has the numbers after the first one's, also as a node of both has a NIC in each. A simulation begins anew. */
TEST_F(TopologyHelperTest, NumbersHostsThroughAllClusters)
{
    for (int time = 0; time < 2; ++time)
    {
        const auto first = StarHelper().Install(2);
        const auto second = StarHelper().Install(first.hosts);
        EXPECT_EQ(TextOf(first.Address(1)), "02:00:00:00:00:02");
        EXPECT_EQ(TextOf(second.Address(0)), "02:00:00:00:00:03");
        EXPECT_EQ(second.switchesBefore, 1U);
        EXPECT_EQ(TimeOfOneFrame(second, 0, 1), 2 * (1'230'400 + LINK_PS));
    }
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

/* As a program sets it, or ns3::MpiInterface::Enable; whoever plugs things in by hand is refused as well. */
TEST_F(TopologyHelperTest, RefusesToRunInParallel)
{
    const std::string name = "SimulatorImplementationType";
    const auto nic = ns3::CreateObject<Nic>();
    const auto link = ns3::CreateObject<Link>();
    for (const auto* const type : {"Distributed", "NullMessage", "Multithreaded"})
    {
        ns3::GlobalValue::Bind(name,
                               ns3::StringValue(std::string("ns3::") + type + "SimulatorImpl"));
        EXPECT_THROW(StarHelper().Install(2), InputError) << type;
        EXPECT_THROW(link->Attach(ns3::PeekPointer(nic)), InputError);
    }
    ns3::GlobalValue::Bind(name, ns3::StringValue("ns3::DefaultSimulatorImpl"));
    StarHelper().Install(2);
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

/* Both directions of a link and one of another draw; a list of losses draws nothing. */
TEST_F(TopologyHelperTest, AssignsStreamsToWhatDraws)
{
    const auto cluster = StarHelper().Install(3);
    const auto lost = ns3::CreateObject<RandomLoss>(0.5, 7, 1);
    cluster.links[0]->SetErrorModel(0, lost);
    cluster.links[0]->SetErrorModel(1, ns3::CreateObject<ns3::RateErrorModel>());
    cluster.links[1]->SetErrorModel(1, ns3::CreateObject<ns3::BurstErrorModel>());
    cluster.links[2]->SetErrorModel(1, ns3::CreateObject<ns3::ReceiveListErrorModel>());
    EXPECT_EQ(TopologyHelper::AssignStreams(cluster, 5), 1 + 1 + 2);
    const auto same = ns3::CreateObject<RandomLoss>(0.5, 7, 5);
    for (int i = 0; i < 64; ++i)
    {
        const auto packet = ns3::Create<ns3::Packet>(100);
        EXPECT_EQ(lost->IsCorrupt(packet), same->IsCorrupt(packet));
    }
}

} // namespace inca
