/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/stack-payload.h"

#include "base/wire-format.h"
#include "device/gradient-tag.h"

#include "ns3/ipv4-header.h"
#include "ns3/tcp-header.h"
#include "ns3/udp-header.h"

#include <gtest/gtest.h>

namespace inca
{

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
