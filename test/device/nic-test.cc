/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/nic.h"

#include "base/errors.h"
#include "device/aggregation-packet.h"
#include "device/half-codec.h"
#include "device/star-fixture.h"

#include "ns3/string.h"

namespace inca
{

class NicTest : public StarFixture
{
  protected:
    /** Notes the sizes of what host @p host's sniffer shows. */
    void SniffAt(std::size_t host)
    {
        nics[host]->TraceConnectWithoutContext("PromiscSniffer",
                                               ns3::MakeCallback(&NicTest::NoteSize, this));
    }

    void NoteSize(ns3::Ptr<const ns3::Packet> packet)
    {
        sniffed.push_back(packet->GetSize());
    }

    void AddEngines()
    {
        for (auto& nic : nics)
        {
            auto compression = ns3::CreateObject<CompressionEngine>();
            auto decompression = ns3::CreateObject<DecompressionEngine>();
            compression->SetCodec(std::make_shared<HalfCodec>());
            decompression->SetCodec(std::make_shared<HalfCodec>());
            nic->SetEngines(compression, decompression);
        }
    }

    void SendCompressible()
    {
        Message message;
        message.to = Address(1);
        message.plainBytes = 1460;
        message.compressible = true;
        message.meanBits = 16;
        StarFixture::Send(0, message);
    }

    void CatchSumsAt(std::size_t host)
    {
        nics[host]->SetTrainReceiver({TrainKind::AGGREGATION},
                                     [this](ns3::Ptr<Train> train, std::int64_t readyPs) {
                                         NoteTrain(std::move(train), readyPs);
                                     });
    }

    void NoteTrain(ns3::Ptr<Train> train, std::int64_t /*readyPs*/)
    {
        trains.push_back(train);
    }

    std::vector<std::uint32_t> sniffed;
    std::vector<ns3::Ptr<Train>> trains;
};

/* Frames of switches' sums have a receiver of their own, and engines leave them as they are: 8 values are
 * 82 + 32 bytes on the wire. The transport gets its message as ever. */
TEST_F(NicTest, HandsOutTrainsByKind)
{
    Hosts(2);
    AddEngines();
    CatchSumsAt(1);
    SendCompressible();
    const auto contribution = MakeAggregationTrain({}, 8, false);
    contribution->destination = Address(1);
    nics[0]->SendTrain(contribution);
    ns3::Simulator::Run();
    ASSERT_EQ(trains.size(), 1U);
    EXPECT_EQ(trains[0]->kind, TrainKind::AGGREGATION);
    EXPECT_EQ(trains[0]->wireBytes, 114U);
    EXPECT_EQ(arrivals.size(), 1U);
}

/* 14 + 40 + 1460 bytes on the host's side of the engine, 14 + 40 + 730 on the wire's; then the
 * acknowledgement's 54. */
TEST_F(NicTest, SniffsOnTheHostsSide)
{
    Hosts(2);
    AddEngines();
    SniffAt(0);
    SniffAt(1);
    SendCompressible();
    ns3::Simulator::Run();
    EXPECT_EQ(sniffed, (std::vector<std::uint32_t>{1514, 1514, 54, 54}));
}

TEST_F(NicTest, SniffsOnTheWiresSide)
{
    Hosts(2, [](Nic& nic, SwitchPort&, Transport&) {
        nic.SetAttribute("PcapSide", ns3::StringValue("wire"));
    });
    AddEngines();
    SniffAt(0);
    SniffAt(1);
    SendCompressible();
    ns3::Simulator::Run();
    EXPECT_EQ(sniffed, (std::vector<std::uint32_t>{784, 784, 54, 54}));
}

TEST_F(NicTest, RefusesAnUnknownPcapSide)
{
    EXPECT_THROW(ns3::CreateObject<Nic>()->SetPcapSide("both"), InputError);
}

/* What one NIC put on the wire, the other got; plain and wire bytes are conserved. 20 frames of 808
 * bytes (730 of payload each), and 2 acknowledgements of 84 the other way. */
TEST_F(NicTest, ConservesBytes)
{
    Hosts(2);
    AddEngines();
    Message message;
    message.to = Address(1);
    message.plainBytes = 20 * 1460;
    message.compressible = true;
    message.meanBits = 16;
    StarFixture::Send(0, message);
    ns3::Simulator::Run();
    const auto& data = nics[0]->TxCounters();
    EXPECT_EQ(data.in.plainBytes, 20U * 1460);
    EXPECT_EQ(data.out.plainBytes, 20U * 1460);
    EXPECT_EQ(data.out.wireBytes, 20U * 808);
    EXPECT_EQ(data.held.wireBytes + data.dropped.wireBytes, 0U);
    EXPECT_EQ(hub->GetPort(1)->Counters().out.wireBytes, 20U * 808);
    EXPECT_EQ(nics[1]->TxCounters().out.wireBytes, 2U * 84);
}

TEST_F(NicTest, DropsWithoutALink)
{
    auto nic = ns3::CreateObject<Nic>();
    EXPECT_FALSE(nic->SendTrain(MakeTransportTrain(TrainKind::DATA, 1460)).has_value());
    EXPECT_EQ(nic->TxCounters().drops.Of(DropReason::NO_LINK), 1U);
    EXPECT_EQ(nic->TxCounters().dropped.plainBytes, 1460U);
}

TEST_F(NicTest, RefusesAnMtuThatIpv4Forbids)
{
    auto nic = ns3::CreateObject<Nic>();
    EXPECT_FALSE(nic->SetMtu(67));
    EXPECT_TRUE(nic->SetMtu(68));
}

/* An ns-3 packet keeps its protocol number and reaches only whom it is for. */
TEST_F(NicTest, KeepsTheProtocolNumber)
{
    Hosts(3);
    std::vector<std::uint16_t> protocols;
    nics[1]->SetReceiveCallback(ns3::Callback<bool,
                                              ns3::Ptr<ns3::NetDevice>,
                                              ns3::Ptr<const ns3::Packet>,
                                              uint16_t,
                                              const ns3::Address&>([&](ns3::Ptr<ns3::NetDevice>,
                                                                       ns3::Ptr<const ns3::Packet>,
                                                                       uint16_t protocol,
                                                                       const ns3::Address&) {
        protocols.push_back(protocol);
        return true;
    }));
    nics[0]->Send(ns3::Create<ns3::Packet>(100), Address(1), 0x88b5);
    nics[0]->Send(ns3::Create<ns3::Packet>(100), Address(2), 0x88b5);
    nics[0]->Send(ns3::Create<ns3::Packet>(100), ns3::Mac48Address::GetBroadcast(), 0x88b6);
    ns3::Simulator::Run();
    EXPECT_EQ(protocols, (std::vector<std::uint16_t>{0x88b5, 0x88b6}));
    EXPECT_EQ(hub->FloodedFrames(), 1U);
}

} // namespace inca
