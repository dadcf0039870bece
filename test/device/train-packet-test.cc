/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/train-packet.h"

#include "base/wire-format.h"
#include "device/transport-header.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(TrainPacket, HasAllHeaders)
{
    auto train = MakeTransportTrain(TrainKind::DATA, 8);
    train->source = ns3::Mac48Address("02:00:00:00:00:01");
    train->destination = ns3::Mac48Address("02:00:00:01:02:03");
    train->compressible = true;
    train->segment.number = 7;
    train->segment.tag = {JobId(7), 3, 5, false};
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
    EXPECT_EQ(header.Round(), 3U);
    EXPECT_EQ(header.Ordinal(), 5U);
    EXPECT_EQ(header.OffsetValues(), 100U);
    EXPECT_EQ(packet->GetSize(), 8U);
}

/* Frame 7 is missing, 8 and 40 are there (bits 0 and 32), and transmission 65,538 came last: 2 in 16 bits. */
TEST(TrainPacket, OfAnAcknowledgementSaysWhatIsThere)
{
    auto train = MakeTransportTrain(TrainKind::ACK, 0);
    train->segment.number = 7;
    train->segment.held = 1U | std::uint64_t{1} << 32U;
    train->segment.transmission = 65'538;
    const auto packet = MakeIpPacket(*train);
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

} // namespace inca
