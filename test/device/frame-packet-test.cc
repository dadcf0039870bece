/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Frames as ns-3 packets, and packets of ns-3's stack as engines see them.
#include "base/wire-format.h"
#include "device/aggregation-header.h"
#include "device/frame-packet.h"
#include "device/frame.h"
#include "device/gradient-tag.h"
#include "device/stack-payload.h"
#include "device/transport-header.h"

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
    EXPECT_EQ(header.Kind(), 1U);
    EXPECT_EQ(header.Flags(), 1U);
    EXPECT_EQ(header.PlainBytes(), 8U);
    EXPECT_EQ(header.Number(), 7U);
    EXPECT_EQ(header.Round(), 3U);
    EXPECT_EQ(header.Ordinal(), 5U);
    EXPECT_EQ(header.OffsetValues(), 100U);
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
    EXPECT_EQ(header.Kind(), 2U);
    EXPECT_EQ(header.Number(), 7U);
    EXPECT_EQ(header.Round(), 1U);
    EXPECT_EQ(header.Ordinal(), 1U);
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

TEST(AggregationPacket, IsLeftAloneByEngines)
{
    const auto frame = MakeAggregationFrame({}, 64, false);
    EXPECT_EQ(frame->kind, FrameKind::AGGREGATION);
    EXPECT_FALSE(frame->compressible);
    EXPECT_EQ(frame->plainBytes, 256U);
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
    EXPECT_EQ(header.Version(), 1U);
    EXPECT_EQ(header.Flags(), 3U);
    EXPECT_EQ(header.Child(), 9U);
    EXPECT_EQ(header.Exponent(), -3);
    EXPECT_EQ(header.Values(), 2U);
    EXPECT_EQ(header.Number(), sum.number);
    std::vector<std::uint8_t> payload(packet->GetSize());
    packet->CopyData(payload.data(), packet->GetSize());
    EXPECT_EQ(payload, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0}));
}

/* Flags: 4 are words that are or-ed, as a contribution and, with 1, as a sum. */
TEST(AggregationPacket, ShowsThatItsWordsAreOred)
{
    SlotPacket packet;
    packet.number = 8;
    packet.values = 5;
    packet.orWords = true;
    for (const bool down : {false, true})
    {
        const AggregationHeader header(MakeAggregationFrame(packet, 5, down)->aggregation);
        EXPECT_EQ(header.Flags(), down ? 5U : 4U);
        std::ostringstream text;
        header.Print(text);
        EXPECT_EQ(text.str(),
                  down ? "sum 8, 5 or-ed words" : "contribution 8 of child 0, 5 or-ed words");
    }
}

/* IPv4 20 + UDP 8 + own 3 + 4 * 2 of values = 39; on the wire 8 + 14 + 39 + 4 + 12, of which the frame
 * of 57 is padded to 64: 84. */
/* Flags: 16 of gradients that go to their owner, 32 of weights that come from it; 64 up, if it has contributed. */
TEST(AggregationPacket, ShowsWhosePartItIs)
{
    SlotPacket packet;
    const auto flags = [&packet](bool down) {
        return unsigned{
            AggregationHeader(MakeAggregationFrame(packet, 5, down)->aggregation).Flags()};
    };
    packet.phase = SumPhase::REDUCE_SCATTER;
    EXPECT_EQ(flags(false), 16U);
    packet.phase = SumPhase::ALL_GATHER;
    packet.ofOwner = true;
    EXPECT_EQ(flags(false), 32U + 64);
    EXPECT_EQ(flags(true), 32U + 1);
}

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

TEST(AggregationPacket, ShowsAContributionForAnExponentAlone)
{
    SlotPacket packet;
    packet.child = 3;
    const auto ip = MakeIpPacket(*MakeAggregationFrame(packet, 0, false));
    EXPECT_EQ(ip->GetSize(), 44U);
    ns3::Ipv4Header ipv4;
    ns3::UdpHeader udp;
    AggregationHeader header;
    ip->RemoveHeader(ipv4);
    ip->RemoveHeader(udp);
    ip->RemoveHeader(header);
    EXPECT_EQ(header.Flags(), 0U);
    EXPECT_EQ(header.Child(), 3U);
    EXPECT_EQ(header.Exponent(), NO_EXPONENT);
    EXPECT_EQ(header.Values(), 0U);
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

BypassReason
ReasonOf(const ns3::Packet& packet)
{
    return std::get<BypassReason>(LocatePayload(packet));
}

} // namespace

TEST(StackPayload, IsFoundBehindUdp)
{
    const auto packet = MakeUdp(400);
    EXPECT_TRUE(IsMarkedForEngines(*packet));
    const auto payload = std::get<StackPayload>(LocatePayload(*packet));
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
    const auto payload = std::get<StackPayload>(LocatePayload(*packet));
    EXPECT_EQ(payload.headerBytes, 20U + 32U);
    EXPECT_EQ(payload.plainBytes, 400U);
}

TEST(StackPayload, SaysWhyThereIsNone)
{
    EXPECT_EQ(ReasonOf(*MakeUdp(0)), BypassReason::NO_PAYLOAD);
    EXPECT_EQ(ReasonOf(*MakeUdp(6)), BypassReason::NOT_WHOLE_VALUES);
    auto icmp = ns3::Create<ns3::Packet>(40);
    AddIpv4(icmp, 1);
    EXPECT_EQ(ReasonOf(*icmp), BypassReason::NOT_UDP_OR_TCP);
    EXPECT_STREQ(BypassReasonName(BypassReason::NOT_UDP_OR_TCP), "not-udp-or-tcp");
}

/* Cut after each byte: never a payload that is not there, and nothing is read beyond the end. */
TEST(StackPayload, SurvivesPacketsCutShort)
{
    const auto whole = MakeUdp(40);
    for (std::uint32_t bytes = 0; bytes < 28; ++bytes)
    {
        const auto cut = whole->CreateFragment(0, bytes);
        EXPECT_TRUE(std::holds_alternative<BypassReason>(LocatePayload(*cut))) << bytes;
    }
    EXPECT_FALSE(IsMarkedForEngines(*ns3::Create<ns3::Packet>(0)));
}

TEST(StackPayload, ReadsTheTagAtItsBegin)
{
    auto packet = ns3::Create<ns3::Packet>(400);
    packet->AddByteTag(GradientTag(3, 800, 400, 5.5));
    packet->AddHeader(ns3::UdpHeader());
    AddIpv4(packet, UDP);
    const auto tagged = ReadGradientTag(*packet, 28);
    ASSERT_TRUE(tagged);
    EXPECT_TRUE(tagged->onValue);
    EXPECT_EQ(tagged->begin, 800U);
    EXPECT_EQ(tagged->meanBits, 5.5);
    EXPECT_FALSE(ReadGradientTag(*MakeUdp(400), 28));
}

/* A piece of 400 bytes cut in two. Of the first half nobody knows that it is the first; the second
 * half, with another piece behind it, begins at 800 + 400 - 200. */
TEST(StackPayload, KnowsWhereACutPieceStandsIfItsEndIsSeen)
{
    auto piece = ns3::Create<ns3::Packet>(400);
    piece->AddByteTag(GradientTag(3, 800, 400, 0));
    auto next = ns3::Create<ns3::Packet>(100);
    next->AddByteTag(GradientTag(3, 1200, 100, 0));
    const auto first = piece->CreateFragment(0, 200);
    const auto second = piece->CreateFragment(200, 200);
    second->AddAtEnd(next);
    EXPECT_FALSE(ReadGradientTag(*first, 0)->onValue);
    EXPECT_TRUE(ReadGradientTag(*second, 0)->onValue);
    EXPECT_EQ(ReadGradientTag(*second, 0)->begin, 1000U);
}

TEST(StackPayload, IsReplacedBehindItsHeaders)
{
    const auto replaced = ReplacePayload(*MakeUdp(400), 28, Bytes{1, 2, 3});
    EXPECT_EQ(replaced->GetSize(), 31U);
    EXPECT_EQ(CopyPayload(*replaced, 28), (Bytes{1, 2, 3}));
    // the total length stays the plain one
    EXPECT_EQ(std::get<StackPayload>(LocatePayload(*replaced)).plainBytes, 400U);
}

} // namespace inca
