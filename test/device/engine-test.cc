/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Engines, and the NICs that they sit in.
#include "base/units.h"
#include "codec/truncate-codec.h"
#include "device/engine.h"
#include "device/frame.h"
#include "device/nic.h"
#include "device/star-fixture.h"

#include "ns3/string.h"

#include <cstring>

namespace inca
{

namespace
{

constexpr std::int64_t CYCLE_PS{10'000}; ///< of 100 MHz

ns3::Ptr<Frame>
MakeData(std::uint64_t plainBytes, bool compressible, double meanBits = 16)
{
    auto frame = MakeTransportFrame(FrameKind::DATA, plainBytes);
    frame->compressible = compressible;
    frame->segment.meanBits = meanBits;
    return frame;
}

/** What comes back of a value, of which 16 bits travel. */
float
Kept(float value)
{
    return FloatOf(BitsOf(value) & 0xffff0000U);
}

template <typename T>
ns3::Ptr<T>
MakeEngine()
{
    auto engine = ns3::CreateObject<T>();
    engine->SetCodec(MakeTruncateCodec(16));
    return engine;
}

std::vector<std::uint8_t>
BytesOf(const std::vector<float>& values)
{
    std::vector<std::uint8_t> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

} // namespace

/* 256 bits are 32 bytes: ceil(1460 / 32) = 46 cycles of 10 ns, whatever the ratio. */
TEST(CompressionEngine, TakesCyclesByPlainBytes)
{
    auto engine = MakeEngine<CompressionEngine>();
    EXPECT_EQ(engine->Process(*MakeData(1460, true), 0), 46 * CYCLE_PS);
    EXPECT_EQ(engine->Process(*MakeData(1460, true, 2), 0), 2 * 46 * CYCLE_PS);
    EXPECT_EQ(engine->Process(*MakeData(4, true), 10'000'000), 10'000'000 + CYCLE_PS);
    EXPECT_EQ(engine->Counters().busyPs, 93U * CYCLE_PS);
}

/* 5 cycles of latency delay every frame by 50 ns, but the next one enters after 46 cycles. */
TEST(CompressionEngine, OverlapsItsPipelineLatency)
{
    auto engine = MakeEngine<CompressionEngine>();
    engine->SetAttribute("PipelineLatency", ns3::UintegerValue(5));
    EXPECT_EQ(engine->Process(*MakeData(1460, true), 0), 51 * CYCLE_PS);
    EXPECT_EQ(engine->Process(*MakeData(1460, true), 0), 97 * CYCLE_PS);
}

/* A frame that passes takes no cycles, but leaves after the one before it. */
TEST(CompressionEngine, KeepsTheOrderOfPassingFrames)
{
    auto engine = MakeEngine<CompressionEngine>();
    engine->Process(*MakeData(1460, true), 0);
    EXPECT_EQ(engine->Process(*MakeData(1460, false), 0), 46 * CYCLE_PS);
    EXPECT_EQ(engine->Process(*MakeData(1460, false), 1'000'000), 1'000'000);
    EXPECT_EQ(engine->Counters().passed, 2U);
}

TEST(CompressionEngine, IsNoEngineWithoutACodec)
{
    auto engine = ns3::CreateObject<CompressionEngine>();
    auto frame = MakeData(1460, true);
    EXPECT_EQ(engine->Process(*frame, 7), 7);
    EXPECT_EQ(frame->wirePayloadBytes, 1460U);
}

/* Mean 5.7 bits: the stream has floor(365 * 5.7 / 8) = 260 bytes after 365 values and
 * floor(730 * 5.7 / 8) = 520 after 730; the frame is 8 + 14 + 40 + 260 + 4 + 12 = 338 bytes. */
TEST(CompressionEngine, ShortensByStatistics)
{
    auto engine = MakeEngine<CompressionEngine>();
    auto first = MakeData(1460, true, 5.7);
    auto second = MakeData(1460, true, 5.7);
    second->segment.offset = 1460;
    engine->Process(*first, 0);
    engine->Process(*second, 0);
    EXPECT_EQ(first->wirePayloadBytes, 260U);
    EXPECT_EQ(second->wirePayloadBytes, 260U);
    EXPECT_EQ(first->wireBytes, 338U);
    EXPECT_EQ(first->plainBytes, 1460U);
}

TEST(CompressionEngine, RefusesWhatIsNoClock)
{
    auto engine = ns3::CreateObject<CompressionEngine>();
    EXPECT_THROW(engine->SetClock("0Hz"), InputError);
    EXPECT_THROW(engine->SetClock("fast"), UnitError);
    EXPECT_EQ(engine->GetClock(), "100MHz");
}

/* Half of 1460 bytes arrive: max(ceil(730 / 32), ceil(1460 / 32)) = 46 cycles. A payload that has
 * grown, as with 34 bits per value, needs ceil(1551 / 32) = 49. */
TEST(DecompressionEngine, TakesCyclesByTheLargerSize)
{
    auto compression = MakeEngine<CompressionEngine>();
    auto decompression = MakeEngine<DecompressionEngine>();
    auto shorter = MakeData(1460, true);
    auto longer = MakeData(1460, true, 34);
    compression->Process(*shorter, 0);
    compression->Process(*longer, 0);
    EXPECT_EQ(longer->wirePayloadBytes, 1551U);
    EXPECT_EQ(decompression->Process(*shorter, 0), 46 * CYCLE_PS);
    EXPECT_EQ(decompression->Process(*longer, 0), (46 + 49) * CYCLE_PS);
}

/* 1 + 2^-20 loses its low bits on the wire. */
TEST(DecompressionEngine, RestoresWhatTheWireCarried)
{
    const std::vector<float> values{1.0F + 1.0F / (1U << 20U), -0.1F, 3e-5F};
    auto frame = MakeData(12, true);
    frame->bytes = SharedBytes::Of(BytesOf(values));
    MakeEngine<CompressionEngine>()->Process(*frame, 0);
    EXPECT_EQ(frame->bytes.size(), 6U);
    MakeEngine<DecompressionEngine>()->Process(*frame, 0);
    EXPECT_EQ(
        std::vector<std::uint8_t>(frame->bytes.data(), frame->bytes.data() + frame->bytes.size()),
        BytesOf({1.0F, Kept(-0.1F), Kept(3e-5F)}));
    EXPECT_EQ(frame->wirePayloadBytes, 6U);
}

TEST(DecompressionEngine, LeavesAloneWhatNoEngineCompressed)
{
    auto engine = MakeEngine<DecompressionEngine>();
    EXPECT_EQ(engine->Process(*MakeData(1460, true), 5), 5);
    EXPECT_EQ(engine->Counters().passed, 1U);
}

/** Two hosts whose NICs have engines. */
class EngineInNicTest : public StarFixture
{
  protected:
    void HostsWithEngines(const std::function<void(Nic&, SwitchPort&, Transport&)>& settle = {})
    {
        Hosts(2, settle);
        for (auto& nic : nics)
        {
            nic->SetEngines(MakeEngine<CompressionEngine>(), MakeEngine<DecompressionEngine>());
        }
    }

    void SendCompressible(std::uint64_t bytes)
    {
        Message message;
        message.to = Address(1);
        message.plainBytes = bytes;
        message.compressible = true;
        message.meanBits = 16;
        StarFixture::Send(0, std::move(message));
    }
};

/* One frame: 460 ns in the engine, 8 + 14 + 40 + 730 + 4 + 12 = 808 bytes = 646.4 ns on each wire,
 * 1 us on each link, 460 ns in the other engine. */
TEST_F(EngineInNicTest, AddsBothEnginesToAFramesWay)
{
    HostsWithEngines();
    SendCompressible(1460);
    ns3::Simulator::Run();
    EXPECT_EQ(leftPs, std::vector<std::int64_t>{460'000 + 646'400});
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(arrivals[0].timePs, 2 * 460'000 + 2 * (646'400 + 1'000'000));
    EXPECT_EQ(arrivals[0].message.wirePayloadBytes, 730U);
}

/* At 100 Gb/s a frame of 808 bytes leaves in 64.64 ns but its engine takes 460 ns: 1000 frames
 * leave the engine at 460 us, the last one's wire, switch, links and second engine come on top. */
TEST_F(EngineInNicTest, IsTheBottleneckOfAFasterWire)
{
    HostsWithEngines([](Nic& nic, SwitchPort& port, Transport&) {
        nic.SetAttribute("DataRate", ns3::StringValue("100Gbps"));
        port.SetAttribute("DataRate", ns3::StringValue("100Gbps"));
    });
    SendCompressible(1000 * 1460);
    ns3::Simulator::Run();
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(arrivals[0].timePs, 1001 * 460'000 + 2 * (64'640 + 1'000'000));
}

using NicTest = EngineInNicTest;

/* Frames of switches' sums have a receiver of their own, and engines leave them as they are: 8 values are
 * 82 + 32 bytes on the wire. The transport gets its message as ever. */
TEST_F(NicTest, HandsOutFramesByKind)
{
    HostsWithEngines();
    std::vector<ns3::Ptr<Frame>> frames;
    nics[1]->SetFrameReceiver(
        {FrameKind::AGGREGATION},
        [&frames](ns3::Ptr<Frame> frame, std::int64_t) { frames.push_back(frame); });
    SendCompressible(1460);
    const auto contribution = MakeAggregationFrame({}, 8, false);
    contribution->destination = Address(1);
    nics[0]->SendFrame(contribution);
    ns3::Simulator::Run();
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0]->kind, FrameKind::AGGREGATION);
    EXPECT_EQ(frames[0]->wireBytes, 114U);
    EXPECT_EQ(arrivals.size(), 1U);
}

/* 14 + 40 + 1460 bytes on the host's side of the engine, 14 + 40 + 730 on the wire's; then the
 * acknowledgement's 54. */
TEST_F(NicTest, SniffsOnTheSideThatItIsTold)
{
    for (const auto& [side, bytes] : {std::pair{"host", 1514U}, {"wire", 784U}})
    {
        Forget();
        HostsWithEngines([side = side](Nic& nic, SwitchPort&, Transport&) {
            nic.SetAttribute("PcapSide", ns3::StringValue(side));
        });
        std::vector<std::uint32_t> sniffed;
        for (const auto& nic : nics)
        {
            nic->TraceConnectWithoutContext(
                "PromiscSniffer",
                ns3::Callback<void, ns3::Ptr<const ns3::Packet>>(
                    [&sniffed](const auto& packet) { sniffed.push_back(packet->GetSize()); }));
        }
        SendCompressible(1460);
        ns3::Simulator::Run();
        EXPECT_EQ(sniffed, (std::vector<std::uint32_t>{bytes, bytes, 54, 54}));
    }
    ns3::TypeId::AttributeInformation
        side; // from ns-3.41 on, ns-3 ends the process at any other name
    ASSERT_TRUE(Nic::GetTypeId().LookupAttributeByName("PcapSide", &side));
    EXPECT_EQ(side.checker->GetUnderlyingTypeInformation(), "host|wire");
}

/* What one NIC put on the wire, the other got; plain and wire bytes are conserved. 20 frames of 808
 * bytes (730 of payload each), and 2 acknowledgements of 84 the other way. */
TEST_F(NicTest, ConservesBytes)
{
    HostsWithEngines();
    SendCompressible(20 * 1460);
    ns3::Simulator::Run();
    const auto& data = nics[0]->Counters();
    EXPECT_EQ(data.in.plainBytes, 20U * 1460);
    EXPECT_EQ(data.out.plainBytes, 20U * 1460);
    EXPECT_EQ(data.out.wireBytes, 20U * 808);
    EXPECT_EQ(data.held.wireBytes + data.dropped.wireBytes, 0U);
    EXPECT_EQ(hub->GetPort(1)->Counters().out.wireBytes, 20U * 808);
    EXPECT_EQ(nics[1]->Counters().out.wireBytes, 2U * 84);
}

/* Neither without a link nor with one that has no other end; it is up when that is there. */
TEST_F(NicTest, DropsWithoutALink)
{
    const auto nic = ns3::CreateObject<Nic>();
    const auto link = ns3::CreateObject<Link>();
    int changes = 0;
    nic->AddLinkChangeCallback(ns3::Callback<void>([&changes] { ++changes; }));
    for (std::uint64_t frames = 1; frames <= 2; ++frames)
    {
        EXPECT_FALSE(nic->SendFrame(MakeTransportFrame(FrameKind::DATA, 1460)).has_value());
        EXPECT_EQ(nic->Counters().drops.Of(DropReason::NO_LINK), frames);
        EXPECT_EQ(nic->Counters().dropped.plainBytes, frames * 1460U);
        EXPECT_FALSE(nic->IsLinkUp());
        frames == 1 ? nic->Attach(link) : ns3::CreateObject<Nic>()->Attach(link);
    }
    EXPECT_TRUE(nic->IsLinkUp());
    EXPECT_EQ(changes, 1);
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
