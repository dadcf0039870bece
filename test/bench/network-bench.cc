/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Frame-hops per second: INCA's NIC beside ns-3's PointToPointNetDevice moving the same frames in
// the same run, INCA's whole transport over a star, and packets through a switch's slots.
#include "device/link.h"
#include "device/nic.h"
#include "helper/aggregation-helper.h"
#include "helper/star-helper.h"
#include "helper/time-resolution.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/node.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <functional>

namespace inca
{

namespace
{

constexpr std::uint32_t FRAMES{200'000};
constexpr std::uint32_t IN_FLIGHT{32};
constexpr std::uint32_t PACKET_BYTES{1500};
constexpr std::uint32_t VALUES_PER_PACKET{256}; ///< the default of pools

/** Keeps IN_FLIGHT frames on the way until FRAMES were sent: each arrival sends the next. */
class Feeder
{
  public:
    explicit Feeder(std::function<void()> send)
        : m_send(std::move(send))
    {
    }

    void Begin()
    {
        for (std::uint32_t i = 0; i < IN_FLIGHT; ++i)
        {
            SendNext();
        }
    }

    void SendNext()
    {
        if (m_sent < FRAMES)
        {
            ++m_sent;
            m_send();
        }
    }

    void GotTrain(ns3::Ptr<Train> /*train*/, std::int64_t /*readyPs*/)
    {
        SendNext();
    }

    bool GotPacket(ns3::Ptr<ns3::NetDevice> /*device*/,
                   ns3::Ptr<const ns3::Packet> /*packet*/,
                   uint16_t /*protocol*/,
                   const ns3::Address& /*from*/)
    {
        SendNext();
        return true;
    }

  private:
    std::function<void()> m_send;
    std::uint32_t m_sent{0};
};

/** @return seconds of wall time that the simulation took */
double
RunTimed(Feeder& feeder)
{
    const auto begin = std::chrono::steady_clock::now();
    feeder.Begin();
    ns3::Simulator::Run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    ns3::Simulator::Destroy();
    return seconds.count();
}

template <typename Device>
ns3::Ptr<Device>
MakeDevice()
{
    auto device = ns3::CreateObject<Device>();
    device->SetAddress(ns3::Mac48Address::Allocate());
    device->SetAttribute("DataRate", ns3::StringValue("10Gbps"));
    ns3::CreateObject<ns3::Node>()->AddDevice(device);
    return device;
}

double
SecondsOfPointToPoint()
{
    auto from = MakeDevice<ns3::PointToPointNetDevice>();
    auto to = MakeDevice<ns3::PointToPointNetDevice>();
    auto channel = ns3::CreateObject<ns3::PointToPointChannel>();
    channel->SetAttribute("Delay", ns3::StringValue("1us"));
    for (const auto& device : {from, to})
    {
        device->SetQueue(ns3::CreateObject<ns3::DropTailQueue<ns3::Packet>>());
        device->Attach(channel);
    }
    Feeder feeder([&] {
        from->Send(ns3::Create<ns3::Packet>(PACKET_BYTES), to->GetAddress(), ETHERTYPE_IPV4);
    });
    to->SetReceiveCallback(ns3::MakeCallback(&Feeder::GotPacket, &feeder));
    return RunTimed(feeder);
}

/** Two NICs on one link. */
struct NicPair
{
    ns3::Ptr<Nic> from{MakeDevice<Nic>()};
    ns3::Ptr<Nic> to{MakeDevice<Nic>()};

    NicPair()
    {
        auto link = ns3::CreateObject<Link>();
        from->Attach(link);
        to->Attach(link);
    }
};

double
SecondsOfNicTrains()
{
    NicPair nics;
    const auto destination = ns3::Mac48Address::ConvertFrom(nics.to->GetAddress());
    Feeder feeder([&] {
        auto train = MakeTransportTrain(TrainKind::DATA, PACKET_BYTES - INCA_HEADER_BYTES);
        train->destination = destination;
        nics.from->SendTrain(std::move(train));
    });
    nics.to->SetTrainReceiver({TrainKind::DATA},
                              [&feeder](ns3::Ptr<Train> train, TrainTimes ready) {
                                  feeder.GotTrain(std::move(train), ready.lastPs);
                              });
    return RunTimed(feeder);
}

double
SecondsOfNicPackets()
{
    NicPair nics;
    const auto destination = nics.to->GetAddress();
    Feeder feeder([&] {
        nics.from->Send(ns3::Create<ns3::Packet>(PACKET_BYTES), destination, ETHERTYPE_IPV4);
    });
    nics.to->SetReceiveCallback(ns3::MakeCallback(&Feeder::GotPacket, &feeder));
    return RunTimed(feeder);
}

/** One run of each per iteration, so that a busy machine slows both. */
void
NicBesidePointToPoint(benchmark::State& state)
{
    SetPicosecondResolution();
    double trains = 0;
    double packets = 0;
    double pointToPoint = 0;
    for (auto _ : state)
    {
        trains += SecondsOfNicTrains();
        packets += SecondsOfNicPackets();
        pointToPoint += SecondsOfPointToPoint();
    }
    const auto hops = static_cast<double>(FRAMES) * static_cast<double>(state.iterations());
    state.counters["nic_train_hops_per_s"] = hops / trains;
    state.counters["nic_packet_hops_per_s"] = hops / packets;
    state.counters["point_to_point_hops_per_s"] = hops / pointToPoint;
    state.counters["ratio_trains"] = pointToPoint / trains;
    state.counters["ratio_packets"] = pointToPoint / packets;
}

/** Every host sends one message to the next, over two hops, with acknowledgements. */
void
TransportOverStar(benchmark::State& state)
{
    SetPicosecondResolution();
    const auto hosts = static_cast<std::uint32_t>(state.range(0));
    const auto framesPerHost = FRAMES / hosts;
    for (auto _ : state)
    {
        StarHelper helper;
        helper.SetHostPathAttribute("ByteRate",
                                    ns3::StringValue(state.range(1) != 0 ? "2500000000" : "0"));
        const auto star = helper.Install(hosts);
        for (std::uint32_t host = 0; host < hosts; ++host)
        {
            star.transports[host]->SetReceiver(JobId(), [](const ReceivedMessage&) {});
            Message message;
            message.to = star.Address((host + 1) % hosts);
            message.plainBytes = framesPerHost * MaxPayloadBytes(PACKET_BYTES);
            star.transports[host]->Send(message, 0, {});
        }
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
    }
    const auto hops = 2.0 * framesPerHost * hosts * static_cast<double>(state.iterations());
    state.counters["data_hops_per_s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
}

/** Workers send packets without values through the slots of one switch: 2 hops each, up and down. */
void
SlotsOverStar(benchmark::State& state)
{
    SetPicosecondResolution();
    const auto workers = static_cast<std::uint32_t>(state.range(0));
    const auto packets = FRAMES / workers;
    for (auto _ : state)
    {
        auto star = StarHelper().Install(workers);
        InstallAggregation(star, "slots", workers);
        for (const auto& client : star.AggregationOf().clients)
        {
            NetworkSumRequest request;
            request.values = std::uint64_t{packets} * VALUES_PER_PACKET;
            request.done = [] {};
            client->Sum(std::move(request));
        }
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
    }
    const auto hops = 2.0 * packets * workers * static_cast<double>(state.iterations());
    state.counters["packet_hops_per_s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
}

BENCHMARK(NicBesidePointToPoint)->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK(TransportOverStar)
    ->ArgNames({"hosts", "host_costs"})
    ->Args({4, 0})
    ->Args({4, 1})
    ->Args({64, 0})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(SlotsOverStar)->ArgName("workers")->Arg(2)->Arg(8)->Unit(benchmark::kMillisecond);

} // namespace

} // namespace inca

BENCHMARK_MAIN();
