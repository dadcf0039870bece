/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Frames as ns-3 packets, and packets of ns-3's stack as engines see them.
#include "base/wire-format.h"
#include "device/frame-headers.h"
#include "device/frame-packet.h"
#include "device/frame.h"
#include "device/stack-payload.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/tcp-header.h"
#include "ns3/udp-header.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <vector>

namespace inca
{

TEST(FramePacket, HasAllHeaders)
{
    auto frame = MakeTransportFrame(FrameKind::DATA, 8);
    frame->source = ns3::Mac48Address("02:00:00:00:00:01");
    frame->destination = ns3::Mac48Address("02:00:00:01:02:03");
    frame->compressible = true;
    frame->segment.number = 7;
    frame->segment.tag = {JobId(7), 3, 5, false};
    frame->segment.offset = 400;
    frame->segment.last = true;
    const auto packet = MakeEthernetPacket(*frame);
    ns3::EthernetHeader ethernet(false);
    ns3::Ipv4Header ipv4;
    TransportHeader header;
    packet->RemoveHeader(ethernet);
    packet->RemoveHeader(ipv4);
    packet->RemoveHeader(header);
    EXPECT_EQ(ethernet.GetLengthType(), ETHERTYPE_IPV4);
    EXPECT_EQ(ipv4.GetDestination(), ns3::Ipv4Address("10.1.2.3"));
    EXPECT_EQ(ipv4.GetTos(), COMPRESSIBLE_TOS);
    EXPECT_EQ(ipv4.GetPayloadSize(), 28U);
    EXPECT_EQ(header.kind, 1U);
    EXPECT_EQ(header.flags, 1U);
    EXPECT_EQ(header.plainBytes, 8U);
    EXPECT_EQ(header.number, 7U);
    EXPECT_EQ(header.round, 3U);
    EXPECT_EQ(header.ordinal, 5U);
    EXPECT_EQ(header.offsetValues, 100U);
    EXPECT_EQ(packet->GetSize(), 8U);
}

/* Frame 7 is missing, 8 and 40 are there (bits 0 and 32), and transmission 65,538 came last: 2 in 16 bits. */
TEST(FramePacket, OfAnAcknowledgementSaysWhatIsThere)
{
    auto frame = MakeTransportFrame(FrameKind::ACK, 0);
    frame->segment.number = 7;
    frame->segment.held = 1U | std::uint64_t{1} << 32U;
    frame->segment.transmission = 65'538;
    const auto packet = MakeIpPacket(*frame);
    ns3::Ipv4Header ipv4;
    TransportHeader header;
    packet->RemoveHeader(ipv4);
    packet->RemoveHeader(header);
    EXPECT_EQ(ipv4.GetIdentification(), 2U);
    EXPECT_EQ(header.kind, 2U);
    EXPECT_EQ(header.number, 7U);
    EXPECT_EQ(header.round, 1U);
    EXPECT_EQ(header.ordinal, 1U);
}

/* SwitchML: 8 + 14 + 20 + 8 + 16 + 4 k + 4 + 12 = 82 + 4 k; without values 14 + 44 + 4 = 62 is
 * padded to 64, so 84. */
TEST(AggregationPacket, IsAsLongAsSwitchMls)
{
    const auto wireBytes = [](std::uint32_t values) {
        return MakeAggregationFrame({}, values, false)->wireBytes;
    };
    EXPECT_EQ(wireBytes(64), 338U);
    EXPECT_EQ(wireBytes(256), 1106U);
    EXPECT_EQ(wireBytes(2229), 8998U);
    EXPECT_EQ(wireBytes(0), 84U);
}

/* A packet of 2 values in a frame of 3: IPv4, UDP, 16 bytes and 12 of payload, the last 4 of
 * them zeros. */
TEST(AggregationPacket, ShowsItselfInCaptures)
{
    SlotPacket sum;
    sum.number = (std::uint64_t{1} << 40U) + 7;
    sum.exponent = -3;
    sum.values = 2;
    sum.payload = std::make_shared<PacketWords>(PacketWords{{0x04030201, 0x08070605}});
    auto frame = MakeAggregationFrame(sum, 3, true);
    frame->source = ns3::Mac48Address("02:01:00:00:00:05");
    frame->destination = ns3::Mac48Address("02:00:00:00:00:05");
    frame->aggregation.packet.child = 9;
    frame->aggregation.repeated = true;
    const auto packet = MakeEthernetPacket(*frame);
    EXPECT_EQ(packet->GetSize(), 14U + 20 + 8 + 16 + 12);
    ns3::EthernetHeader ethernet(false);
    ns3::Ipv4Header ipv4;
    ns3::UdpHeader udp;
    AggregationHeader header;
    packet->RemoveHeader(ethernet);
    packet->RemoveHeader(ipv4);
    EXPECT_EQ(ipv4.GetProtocol(), 17U);
    EXPECT_EQ(ipv4.GetPayloadSize(), 8U + 16 + 12);
    EXPECT_EQ(ipv4.GetSource(), ns3::Ipv4Address("10.128.0.5"));
    EXPECT_EQ(ipv4.GetDestination(), ns3::Ipv4Address("10.0.0.5"));
    packet->RemoveHeader(udp);
    EXPECT_EQ(udp.GetDestinationPort(), AGGREGATION_UDP_PORT);
    packet->RemoveHeader(header);
    EXPECT_EQ(header.version, 1U);
    EXPECT_EQ(header.flags, 3U);
    EXPECT_EQ(header.child, 9U);
    EXPECT_EQ(header.exponent, -3);
    EXPECT_EQ(header.values, 2U);
    EXPECT_EQ(header.number, sum.number);
    std::vector<std::uint8_t> payload(packet->GetSize());
    packet->CopyData(payload.data(), packet->GetSize());
    EXPECT_EQ(payload, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0}));
}

/* Flags: 1 a sum, 2 repeated, 4 words that are or-ed, 8 after a loss; 16 of gradients that go to their owner, 32 of weights
 * that come from it, 64 up, if it has contributed; 128 of the second sequence. */
TEST(AggregationPacket, ShowsWhatItIsByFlags)
{
    const auto flags = [](const SlotPacket& packet, bool down) {
        return unsigned{
            AggregationHeader(MakeAggregationFrame(packet, 5, down)->aggregation).flags};
    };
    SlotPacket packet;
    packet.number = 8;
    packet.values = 5;
    packet.orWords = true;
    EXPECT_EQ(flags(packet, false), 4U);
    std::ostringstream text;
    AggregationHeader(MakeAggregationFrame(packet, 5, true)->aggregation).Print(text);
    EXPECT_EQ(text.str(), "sum 8, 5 or-ed words");
    packet.afterLoss = true;
    packet.sequence = 1;
    EXPECT_EQ(flags(packet, true), 1U + 4 + 8 + 128);
    packet = {};
    packet.phase = SumPhase::REDUCE_SCATTER;
    EXPECT_EQ(flags(packet, false), 16U);
    packet.phase = SumPhase::ALL_GATHER;
    packet.ofOwner = true;
    EXPECT_EQ(flags(packet, false), 32U + 64);
    EXPECT_EQ(flags(packet, true), 32U + 1);
}

/* 3 values of 1 byte, shown as zeros: 8 + 14 + 44 + 3 + 4 + 12 = 85; of 8 bytes of headers the smallest frame, 84, and a
 * capture as before. */
TEST(AggregationPacket, MayHaveFewerBytes)
{
    SlotPacket packet;
    packet.values = 2;
    packet.valueBytes = 1;
    packet.payload = std::make_shared<PacketWords>(PacketWords{{0x04030201, 0x08070605}});
    const auto frame = MakeAggregationFrame(packet, 3, false);
    EXPECT_EQ(frame->plainBytes, 3U);
    EXPECT_EQ(frame->wireBytes, 8U + 14 + 44 + 3 + 4 + 12);
    frame->SetHeader(8);
    EXPECT_EQ(frame->wireBytes, 84U);
    const auto ip = MakeIpPacket(*frame);
    ASSERT_EQ(ip->GetSize(), 44U + 3);
    std::vector<std::uint8_t> bytes(ip->GetSize());
    ip->CopyData(bytes.data(), ip->GetSize());
    EXPECT_EQ(bytes[3], 44 + 3); // IPv4's total length
    EXPECT_EQ(std::vector<std::uint8_t>(bytes.end() - 3, bytes.end()),
              std::vector<std::uint8_t>(3, 0));
}

/* IPv4 20 + UDP 8 + own 3 + 4 * 2 of values = 39; on the wire 8 + 14 + 39 + 4 + 12, of which the frame
 * of 57 is padded to 64: 84. */
TEST(AggregationPacket, HasAProgramsOwnFields)
{
    class Fields : public PacketFields
    {
        std::uint32_t Bytes() const override
        {
            return 3;
        }

        void Write(std::uint8_t* to) const override
        {
            to[0] = 7;
            to[1] = 8;
            to[2] = 9;
        }
    };
    SlotPacket packet;
    packet.values = 2;
    packet.payload = std::make_shared<PacketWords>(PacketWords{{0x04030201, 0x08070605}});
    const auto frame = MakeAggregationFrame(packet, 2, false, std::make_shared<Fields>());
    EXPECT_EQ(frame->wireBytes, 84U);
    const auto ip = MakeIpPacket(*frame);
    ASSERT_EQ(ip->GetSize(), 39U);
    std::vector<std::uint8_t> bytes(ip->GetSize());
    ip->CopyData(bytes.data(), ip->GetSize());
    EXPECT_EQ(std::vector<std::uint8_t>(bytes.begin() + 28, bytes.end()),
              (std::vector<std::uint8_t>{7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8}));
}

namespace
{

constexpr std::uint8_t TCP{6};
constexpr std::uint8_t UDP{17};

void
AddIpv4(const ns3::Ptr<ns3::Packet>& packet, std::uint8_t protocol)
{
    ns3::Ipv4Header header;
    header.SetTos(COMPRESSIBLE_TOS);
    header.SetProtocol(protocol);
    header.SetPayloadSize(static_cast<std::uint16_t>(packet->GetSize()));
    packet->AddHeader(header);
}

ns3::Ptr<ns3::Packet>
MakeUdp(std::uint32_t payloadBytes)
{
    auto packet = ns3::Create<ns3::Packet>(payloadBytes);
    packet->AddHeader(ns3::UdpHeader());
    AddIpv4(packet, UDP);
    return packet;
}

} // namespace

TEST(StackPayload, IsFoundBehindUdp)
{
    const auto packet = MakeUdp(400);
    EXPECT_TRUE(IsMarkedForEngines(*packet));
    const auto payload = LocatePayload(*packet).value();
    EXPECT_EQ(payload.headerBytes, 28U);
    EXPECT_EQ(payload.plainBytes, 400U);
}

/* A TCP header of 20 bytes and 12 of options, as ns-3's time stamps make it. */
TEST(StackPayload, IsFoundBehindTcpOptions)
{
    auto packet = ns3::Create<ns3::Packet>(400);
    ns3::TcpHeader header;
    header.AppendOption(ns3::TcpOption::CreateOption(ns3::TcpOption::TS));
    packet->AddHeader(header);
    AddIpv4(packet, TCP);
    const auto payload = LocatePayload(*packet).value();
    EXPECT_EQ(payload.headerBytes, 20U + 32U);
    EXPECT_EQ(payload.plainBytes, 400U);
}

TEST(StackPayload, IsNoneWithoutWholeValuesOrBehindAnotherProtocol)
{
    EXPECT_FALSE(LocatePayload(*MakeUdp(0)));
    EXPECT_FALSE(LocatePayload(*MakeUdp(6)));
    auto icmp = ns3::Create<ns3::Packet>(40);
    AddIpv4(icmp, 1);
    EXPECT_FALSE(LocatePayload(*icmp));
}

/* Cut after each byte: never a payload that is not there, and nothing is read beyond the end. */
TEST(StackPayload, SurvivesPacketsCutShort)
{
    const auto whole = MakeUdp(40);
    for (std::uint32_t bytes = 0; bytes < 28; ++bytes)
    {
        const auto cut = whole->CreateFragment(0, bytes);
        EXPECT_FALSE(LocatePayload(*cut)) << bytes;
    }
    EXPECT_FALSE(IsMarkedForEngines(*ns3::Create<ns3::Packet>(0)));
}

TEST(StackPayload, IsReplacedBehindItsHeaders)
{
    const auto replaced = ReplacePayload(*MakeUdp(400), 28, Bytes{1, 2, 3});
    EXPECT_EQ(replaced->GetSize(), 31U);
    EXPECT_EQ(CopyPayload(*replaced, 28), (Bytes{1, 2, 3}));
    // the total length stays the plain one
    EXPECT_EQ(LocatePayload(*replaced).value().plainBytes, 400U);
}

} // namespace inca
