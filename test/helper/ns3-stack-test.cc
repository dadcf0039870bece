/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// ns-3's own stack over INCA's NIC and switch.
#include "codec/truncate-codec.h"
#include "device/gradient-tag.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"

#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
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
        if (withEngines)
        {
            helper.SetCodec(MakeTruncateCodec(16));
        }
        star = helper.Install(2);
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

    std::uint64_t Bypassed(BypassReason reason) const
    {
        const auto& counters = star.nics[0]->Compression()->Counters();
        return counters.bypassed[static_cast<std::size_t>(reason)];
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

/* Unmarked datagrams, beside ARP's frames; broken values; what begins within a value; and 4000 bytes, which leave as three
 * fragments. */
TEST_F(Ns3StackTest, LeavesAloneWhatIsNoPayloadOfWholeValues)
{
    struct Row
    {
        BypassReason reason;
        std::uint64_t least; ///< frames
        std::uint8_t tos;
        Bytes sent;
        std::optional<std::uint64_t> taggedAt;
    };

    const auto values = BytesOf(Values(VALUES));
    const Row rows[] = {
        {BypassReason::NOT_MARKED, 1, 0, values, {}},
        {BypassReason::NOT_WHOLE_VALUES, 1, COMPRESSIBLE_TOS, Bytes(1001, 0xab), {}},
        {BypassReason::NOT_ON_A_VALUE, 1, COMPRESSIBLE_TOS, values, 2},
        {BypassReason::FRAGMENT, 3, COMPRESSIBLE_TOS, BytesOf(Values(1000)), {}},
    };
    for (const auto& row : rows)
    {
        const auto size = static_cast<std::uint32_t>(row.sent.size());
        auto packet = ns3::Create<ns3::Packet>(row.sent.data(), size);
        if (row.taggedAt)
        {
            packet->AddByteTag(GradientTag(1, *row.taggedAt, size, 0));
        }
        received.clear();
        Build(true);
        SendUdp(row.tos, packet);
        EXPECT_EQ(received, row.sent);
        EXPECT_EQ(star.nics[0]->Compression()->Counters().frames, 0U);
        const auto frames = Bypassed(row.reason);
        EXPECT_GE(frames, row.least);
        EXPECT_TRUE(row.tos == 0 || frames == row.least) << frames;
        ns3::Simulator::Destroy();
    }
}

/* Only sizes travel: 5.7 bits per value, from value 362 on. floor(724 * 5.7 / 8) - floor(362 * 5.7
 * / 8) = 515 - 257 = 258 bytes on the wire; the receiver's stack gets all 1448. */
TEST_F(Ns3StackTest, ShortensByTheTagsStatistics)
{
    Build(true);
    auto packet = ns3::Create<ns3::Packet>(1448);
    packet->AddByteTag(GradientTag(1, 1448, 1448, 5.7));
    SendUdp(COMPRESSIBLE_TOS, packet);
    EXPECT_EQ(received, Bytes(1448, 0));
    EXPECT_EQ(star.nics[0]->Compression()->Counters().wireBytes, 258U);
}

TEST_F(Ns3StackTest, DropsWhatExceedsTheMtu)
{
    Build(false);
    auto packet = ns3::Create<ns3::Packet>(1501);
    EXPECT_FALSE(star.nics[0]->Send(packet, star.Address(1), ETHERTYPE_IPV4));
    EXPECT_EQ(star.nics[0]->TxCounters().drops.Of(DropReason::OVER_MTU), 1U);
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

} // namespace inca
