/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ns-3's own stack over INCA's NIC and switch.
#include "codec/truncate-codec.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"
#include "topology/topology-catalog.h"

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace inca
{

namespace
{

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint16_t PORT{5000};
constexpr std::uint32_t VALUES{362}; ///< 1448 bytes: a TCP segment of MTU - 52

/** Values with more than 16 significant bits, so that a codec of 16 bits changes each. */
std::vector<float>
Values(std::uint32_t count)
{
    std::vector<float> values;
    for (std::uint32_t i = 0; i < count; ++i)
    {
        values.push_back(1.0F / static_cast<float>(i + 3));
    }
    return values;
}

Bytes
BytesOf(const std::vector<float>& values)
{
    Bytes bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

Bytes
KeptBytesOf(std::vector<float> values)
{
    for (auto& value : values)
    {
        value = FloatOf(BitsOf(value) & 0xffff0000U);
    }
    return BytesOf(values);
}

} // namespace

class Ns3StackTest : public testing::Test
{
  protected:
    Ns3StackTest()
    {
        SetPicosecondResolution();
    }

    void TearDown() override
    {
        ns3::Simulator::Destroy();
    }

    void Build(bool withEngines)
    {
        star = helper.Install(2);
        const std::shared_ptr<const Codec> codec = MakeTruncateCodec(16);
        for (const auto& nic : star.nics)
        {
            withEngines ? nic->SetCodec(codec) : void();
        }
        ns3::InternetStackHelper().Install(star.hosts);
        ns3::Ipv4AddressHelper addresses("10.1.0.0", "255.255.0.0");
        interfaces = addresses.Assign(star.Devices());
    }

    ns3::Ptr<ns3::Socket> MakeSocket(std::uint32_t host, const std::string& factory)
    {
        return ns3::Socket::CreateSocket(star.hosts.Get(host), ns3::TypeId::LookupByName(factory));
    }

    void Collect(ns3::Ptr<ns3::Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            Bytes bytes(packet->GetSize());
            packet->CopyData(bytes.data(), packet->GetSize());
            received.insert(received.end(), bytes.begin(), bytes.end());
            sizes.push_back(packet->GetSize());
        }
    }

    void ListenUdp()
    {
        auto socket = MakeSocket(1, "ns3::UdpSocketFactory");
        socket->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT));
        socket->SetRecvCallback(ns3::MakeCallback(&Ns3StackTest::Collect, this));
    }

    /** Sends one datagram with ToS @p tos. */
    void SendUdp(std::uint8_t tos, ns3::Ptr<ns3::Packet> packet)
    {
        ListenUdp();
        auto socket = MakeSocket(0, "ns3::UdpSocketFactory");
        socket->Connect(ns3::InetSocketAddress(interfaces.GetAddress(1), PORT));
        socket->SetIpTos(tos); // up to ns-3.41, Connect sets the address's
        socket->Send(packet);
        ns3::Simulator::Stop(ns3::Seconds(1));
        ns3::Simulator::Run();
    }

    void SendUdp(std::uint8_t tos, const Bytes& bytes)
    {
        const auto size = static_cast<std::uint32_t>(bytes.size());
        SendUdp(tos, ns3::Create<ns3::Packet>(bytes.data(), size));
    }

    void SendTcp(std::uint8_t tos, const Bytes& bytes)
    {
        auto listener = MakeSocket(1, "ns3::TcpSocketFactory");
        listener->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT));
        listener->Listen();
        listener->SetAcceptCallback(
            ns3::MakeNullCallback<bool, ns3::Ptr<ns3::Socket>, const ns3::Address&>(),
            ns3::MakeCallback(&Ns3StackTest::Accept, this));
        auto socket = MakeSocket(0, "ns3::TcpSocketFactory");
        socket->SetAttribute("SegmentSize", ns3::UintegerValue(VALUES * VALUE_BYTES));
        socket->SetAttribute("SndBufSize", ns3::UintegerValue(1'000'000));
        socket->Connect(ns3::InetSocketAddress(interfaces.GetAddress(1), PORT));
        socket->SetIpTos(tos); // up to ns-3.41, Connect sets the address's
        const auto size = static_cast<std::uint32_t>(bytes.size());
        ASSERT_EQ(socket->Send(ns3::Create<ns3::Packet>(bytes.data(), size)),
                  static_cast<int>(size));
        ns3::Simulator::Stop(ns3::Seconds(10));
        ns3::Simulator::Run();
    }

    void Accept(ns3::Ptr<ns3::Socket> socket, const ns3::Address& /*from*/)
    {
        socket->SetRecvCallback(ns3::MakeCallback(&Ns3StackTest::Collect, this));
    }

    StarHelper helper;
    Cluster star;
    ns3::Ipv4InterfaceContainer interfaces;
    Bytes received;
    std::vector<std::uint32_t> sizes;
};

/* The first frame is ARP's, a broadcast by which ns-3 asks for the receiver's address. A marked datagram is one frame, 1448
 * bytes of values, of which half travels. */
TEST_F(Ns3StackTest, CarriesUdpAndTcpAndCompressesWhatIsMarked)
{
    for (const bool isMarked : {false, true})
    {
        for (const bool isTcp : {false, true})
        {
            SCOPED_TRACE(isTcp);
            const auto values = Values(isTcp ? 100 * VALUES : VALUES);
            const std::uint8_t tos = isMarked ? COMPRESSIBLE_TOS : 0;
            received.clear();
            Build(isMarked);
            isTcp ? SendTcp(tos, BytesOf(values)) : SendUdp(tos, BytesOf(values));
            EXPECT_EQ(received, isMarked ? KeptBytesOf(values) : BytesOf(values));
            EXPECT_GT(star.switches[0]->FloodedFrames(), 0U);
            if (isMarked)
            {
                const auto& counters = star.nics[0]->Compression()->Counters();
                EXPECT_TRUE(isTcp ? counters.frames > 1 : counters.frames == 1);
                EXPECT_TRUE(isTcp || counters.plainBytes == 1448);
                EXPECT_EQ(counters.wireBytes * 2, counters.plainBytes);
                EXPECT_EQ(star.nics[1]->Decompression()->Counters().frames, counters.frames);
            }
            ns3::Simulator::Destroy();
        }
    }
}

/* Unmarked datagrams; broken values; and 4000 bytes, which leave as three fragments. */
TEST_F(Ns3StackTest, LeavesAloneWhatIsNoPayloadOfWholeValues)
{
    const std::pair<std::uint8_t, Bytes> rows[] = {{0, BytesOf(Values(VALUES))},
                                                   {COMPRESSIBLE_TOS, Bytes(1001, 0xab)},
                                                   {COMPRESSIBLE_TOS, BytesOf(Values(1000))}};
    for (const auto& [tos, sent] : rows)
    {
        received.clear();
        Build(true);
        SendUdp(tos, sent);
        EXPECT_EQ(received, sent);
        EXPECT_EQ(star.nics[0]->Compression()->Counters().frames, 0U);
        EXPECT_GE(star.nics[0]->Compression()->Counters().passed, sent.size() / 1500 + 1);
        ns3::Simulator::Destroy();
    }
}

TEST_F(Ns3StackTest, DropsWhatExceedsTheMtu)
{
    Build(false);
    auto packet = ns3::Create<ns3::Packet>(1501);
    EXPECT_FALSE(star.nics[0]->Send(packet, star.Address(1), ETHERTYPE_IPV4));
    EXPECT_EQ(star.nics[0]->Counters().drops.Of(DropReason::OVER_MTU), 1U);
}

/* A marked datagram of 256 bytes keeps the decompression engine busy for 8 cycles, 80 ns; an unmarked
 * one behind it is on the wire for 8 * (28 + 38 + s) / 10 ns. At some s from 1 to 100 it arrives in the
 * very picosecond in which the first is through: it must still come second. */
TEST_F(Ns3StackTest, NothingOvertakesInTheDecompressionEngine)
{
    Build(true);
    ListenUdp();
    std::vector<ns3::Ptr<ns3::Socket>> sockets;
    for (const std::uint8_t tos : {COMPRESSIBLE_TOS, std::uint8_t{0}})
    {
        sockets.push_back(MakeSocket(0, "ns3::UdpSocketFactory"));
        sockets.back()->Connect(ns3::InetSocketAddress(interfaces.GetAddress(1), PORT));
        sockets.back()->SetIpTos(tos);
    }
    std::vector<std::uint32_t> sent{4}; // asks for the address first; the others find it known
    sockets[0]->Send(ns3::Create<ns3::Packet>(4));
    for (std::uint32_t size = 1; size <= 100; ++size)
    {
        ns3::Simulator::Schedule(ns3::MilliSeconds(100 + size), [&sockets, size] {
            sockets[0]->Send(ns3::Create<ns3::Packet>(256));
            sockets[1]->Send(ns3::Create<ns3::Packet>(size));
        });
        sent.insert(sent.end(), {256, size});
    }
    ns3::Simulator::Stop(ns3::Seconds(1));
    ns3::Simulator::Run();
    EXPECT_EQ(sizes, sent);
}

/* 100 datagrams of 1472 bytes, frames of 1538, at once over a NIC that holds 10: the queue disc that ns-3 installs keeps the
 * others, as the NIC says when it has room. The first datagram asks for the address. */
TEST_F(Ns3StackTest, TrafficControlWaitsForTheNic)
{
    helper.SetNicAttribute("Buffer", ns3::UintegerValue(10 * 1538));
    Build(false);
    ListenUdp();
    auto socket = MakeSocket(0, "ns3::UdpSocketFactory");
    socket->Connect(ns3::InetSocketAddress(interfaces.GetAddress(1), PORT));
    socket->Send(ns3::Create<ns3::Packet>(4));
    ns3::Simulator::Schedule(ns3::MilliSeconds(100), [&socket] {
        for (int i = 0; i < 100; ++i)
        {
            socket->Send(ns3::Create<ns3::Packet>(1472));
        }
    });
    ns3::Simulator::Stop(ns3::Seconds(1));
    ns3::Simulator::Run();
    EXPECT_EQ(sizes.size(), 101U);
    EXPECT_EQ(star.nics[0]->Counters().drops.Total(), 0U);
    EXPECT_EQ(star.nics[0]->Counters().largestQueueBytes, 10U * 1538);
}

/* Frames of 1538 bytes come ten times as fast as the port to host 1 sends: the second and the third find a backlog above
 * the threshold. Those that are ECT get CE, the others stay. */
TEST_F(Ns3StackTest, PortsMarkWhatIsEct)
{
    using Ip = ns3::Ipv4Header;
    helper.SetHostRate(1, ns3::DataRate("1Gbps"));
    helper.SetPortAttribute("EcnThreshold", ns3::UintegerValue(1538));
    Build(false);
    ListenUdp();
    std::vector<Ip::EcnType> seen;
    star.nics[1]->TraceConnectWithoutContext(
        "MacRx",
        ns3::Callback<void, ns3::Ptr<const ns3::Packet>>([&](ns3::Ptr<const ns3::Packet> packet) {
            Ip header;
            if (packet->GetSize() == 1500 && packet->PeekHeader(header) > 0)
            {
                seen.push_back(header.GetEcn());
            }
        }));
    auto socket = MakeSocket(0, "ns3::UdpSocketFactory");
    socket->Connect(ns3::InetSocketAddress(interfaces.GetAddress(1), PORT));
    socket->Send(ns3::Create<ns3::Packet>(4));
    for (const auto ecn : {Ip::ECN_ECT0, Ip::ECN_NotECT})
    {
        ns3::Simulator::Schedule(ns3::MilliSeconds(ecn == Ip::ECN_ECT0 ? 100 : 200), [&, ecn] {
            socket->SetIpTos(ecn);
            for (int i = 0; i < 3; ++i)
            {
                socket->Send(ns3::Create<ns3::Packet>(1472));
            }
        });
    }
    ns3::Simulator::Stop(ns3::Seconds(1));
    ns3::Simulator::Run();
    EXPECT_EQ(
        seen,
        (std::vector<Ip::EcnType>{
            Ip::ECN_ECT0, Ip::ECN_CE, Ip::ECN_CE, Ip::ECN_NotECT, Ip::ECN_NotECT, Ip::ECN_NotECT}));
    EXPECT_EQ(star.PortTo(1)->Counters().congestedFrames, 4U);
}

namespace
{

/** Bytes that come from the last of @p hosts to a node behind the first one, which ns-3 finds over @p lan. */
std::uint64_t
BytesRouted(const ns3::NodeContainer& hosts, const ns3::NetDeviceContainer& lan)
{
    ns3::NodeContainer way(hosts.Get(0), ns3::CreateObject<ns3::Node>());
    const auto cable = ns3::SimpleNetDeviceHelper().Install(way);
    ns3::InternetStackHelper().InstallAll();
    ns3::Ipv4AddressHelper addresses("10.1.0.0", "255.255.0.0");
    addresses.Assign(lan);
    addresses.SetBase("10.2.0.0", "255.255.0.0");
    const auto outside = addresses.Assign(cable).GetAddress(1);
    ns3::Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const auto factory = ns3::UdpSocketFactory::GetTypeId();
    const auto receiver = ns3::Socket::CreateSocket(way.Get(1), factory);
    receiver->Bind(ns3::InetSocketAddress(ns3::Ipv4Address::GetAny(), PORT));
    const auto sender = ns3::Socket::CreateSocket(hosts.Get(hosts.GetN() - 1), factory);
    sender->Connect(ns3::InetSocketAddress(outside, PORT));
    for (int i = 0; i < 100; ++i)
    {
        // the first one asks for the addresses on its way
        ns3::Simulator::Schedule(ns3::MilliSeconds(i == 0 ? 100 : 200 + i),
                                 [sender] { sender->Send(ns3::Create<ns3::Packet>(1000)); });
    }
    ns3::Simulator::Stop(ns3::Seconds(1));
    ns3::Simulator::Run();
    const auto bytes = receiver->GetRxAvailable();
    ns3::Simulator::Destroy();
    return bytes;
}

} // namespace

/* 100 datagrams of 1000 bytes arrive over a LAN of ns-3's own, and as well over a switch, over two that a trunk joins, and where
 * trunks make circles, of which some do not flood. Switches may have a stack, too. */
TEST_F(Ns3StackTest, GlobalRoutingTakesSwitchesForOneNetwork)
{
    ns3::NodeContainer nodes(4);
    EXPECT_EQ(BytesRouted(nodes, ns3::SimpleNetDeviceHelper().Install(nodes)), 100'000U);
    for (const auto* const name : {"star", "rack-pair", "leaf-spine", "fat-tree"})
    {
        TopologySpec spec;
        spec.name = name;
        spec.hosts = 4;
        spec.hostsPerLeaf = 2;
        spec.spines = 2;
        const auto cluster = TopologyHelper().Install(MakeTopology(spec));
        EXPECT_EQ(BytesRouted(cluster.hosts, cluster.Devices()), 100'000U) << name;
    }
}

} // namespace inca
