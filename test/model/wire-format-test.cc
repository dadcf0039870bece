/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "model/wire-format.h"

#include "model/train-packet.h"
#include "model/transport-header.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"

#include <gtest/gtest.h>

namespace inca
{

/* 8 + (14 + 1500 + 4) + 12 = 1538; 14 + 40 + 4 = 58 is padded to 64, so 84. */
TEST(WireFormat, CountsWholeFrames)
{
    EXPECT_EQ(FrameWireBytes(1500), 1538U);
    EXPECT_EQ(FrameWireBytes(INCA_HEADER_BYTES), 84U);
    EXPECT_EQ(FrameWireBytes(46), 84U);
    EXPECT_EQ(FrameWireBytes(47), 85U);
}

TEST(WireFormat, CarriesWholeValues)
{
    EXPECT_EQ(MaxPayloadBytes(1500), 1460U);
    EXPECT_EQ(MaxPayloadBytes(1503), 1460U);
    EXPECT_EQ(MaxPayloadBytes(9000), 8960U);
}

TEST(TrainPacket, HasAllHeaders)
{
    auto train = MakeTransportTrain(TrainKind::DATA, 8);
    train->source = ns3::Mac48Address("02:00:00:00:00:01");
    train->destination = ns3::Mac48Address("02:00:00:01:02:03");
    train->compressible = true;
    train->segment.number = 7;
    train->segment.tag = {3, 5, false};
    train->segment.offset = 400;
    train->segment.last = true;
    const auto packet = MakeEthernetPacket(*train);
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
    EXPECT_EQ(header.Exchange(), 3U);
    EXPECT_EQ(header.Ordinal(), 5U);
    EXPECT_EQ(header.OffsetValues(), 100U);
    EXPECT_EQ(packet->GetSize(), 8U);
}

} // namespace inca
