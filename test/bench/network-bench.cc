/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Frame-hops per second: INCA's whole transport over a star, beside ns3::PointToPointNetDevice in the same run; and packets
// through a switch's slots.
#include "device/frame.h"
#include "helper/aggregation-helper.h"
#include "helper/event-heap.h"
#include "helper/time-resolution.h"
#include "helper/topology-helper.h"

#include "ns3/drop-tail-queue.h"
#include "ns3/net-device-container.h"
#include "ns3/node.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr std::uint32_t FRAMES{200'000};
constexpr std::uint32_t IN_FLIGHT{32};
constexpr std::uint32_t PACKET_BYTES{1500};
constexpr std::uint32_t VALUES_PER_PACKET{256}; ///< the default of pools
constexpr std::uint64_t RING_BYTES{100'000'000};
constexpr std::uint64_t RING_FRAMES{2'000'000};

/** Keeps IN_FLIGHT frames on the way until FRAMES were sent: each arrival sends the next. */
class Feeder
{
  public:
    Feeder(ns3::Ptr<ns3::NetDevice> from, const ns3::Address& to)
        : m_from(std::move(from)),
          m_to(to)
    {
    }

    void Send(std::uint32_t frames)
    {
        for (std::uint32_t i = 0; i < frames && m_sent < FRAMES; ++i)
        {
            ++m_sent;
            m_from->Send(ns3::Create<ns3::Packet>(PACKET_BYTES), m_to, ETHERTYPE_IPV4);
        }
    }

    bool Got(ns3::Ptr<ns3::NetDevice> /*device*/,
             ns3::Ptr<const ns3::Packet> /*packet*/,
             uint16_t /*protocol*/,
             const ns3::Address& /*from*/)
    {
        Send(1);
        return true;
    }

  private:
    ns3::Ptr<ns3::NetDevice> m_from;
    ns3::Address m_to;
    std::uint32_t m_sent{0};
};

/** @return seconds of CPU time that its events take */
double
RunTimed()
{
    const auto begin = std::clock();
    ns3::Simulator::Run();
    const auto seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ns3::Simulator::Destroy();
    return seconds;
}

double
SecondsOfPointToPoint()
{
    auto channel = ns3::CreateObject<ns3::PointToPointChannel>();
    channel->SetAttribute("Delay", ns3::StringValue("1us"));
    ns3::NetDeviceContainer devices;
    for (int i = 0; i < 2; ++i)
    {
        auto device = ns3::CreateObject<ns3::PointToPointNetDevice>();
        device->SetAddress(ns3::Mac48Address::Allocate());
        device->SetAttribute("DataRate", ns3::StringValue("10Gbps"));
        ns3::CreateObject<ns3::Node>()->AddDevice(device);
        device->SetQueue(ns3::CreateObject<ns3::DropTailQueue<ns3::Packet>>());
        device->Attach(channel);
        devices.Add(device);
    }
    Feeder feeder(devices.Get(0), devices.Get(1)->GetAddress());
    devices.Get(1)->SetReceiveCallback(ns3::MakeCallback(&Feeder::Got, &feeder));
    feeder.Send(IN_FLIGHT);
    return RunTimed();
}

/** Rings send blocks: each host its next one when it has got one. */
class RingSteps
{
  public:
    /** @param steps of each of @p hosts, which sends @p blockBytes to the next in each */
    RingSteps(std::uint32_t hosts, std::uint64_t blockBytes, std::uint32_t steps)
        : m_star(StarHelper().Install(hosts)),
          m_blockBytes(blockBytes),
          m_steps(hosts, steps)
    {
        for (std::uint32_t host = 0; host < hosts; ++host)
        {
            m_star.transports[host]->SetReceiver(
                JobId(), [this, host](const ReceivedMessage&) { SendNext(host); });
            SendNext(host);
        }
    }

  private:
    void SendNext(std::uint32_t host)
    {
        if (m_steps[host] == 0)
        {
            return;
        }
        --m_steps[host];
        Message message;
        message.to = m_star.Address((host + 1) % static_cast<std::uint32_t>(m_steps.size()));
        message.tag.round = m_steps[host];
        message.plainBytes = m_blockBytes;
        m_star.transports[host]->Send(message, {});
    }

    Cluster m_star;
    std::uint64_t m_blockBytes;
    std::vector<std::uint32_t> m_steps; ///< left, by host
};

/**
 * Blocks of a ring all-reduce of 100 MB, as many steps as take 2 million data packets, each of which goes
 * over two links; PointToPointNetDevice's frames, over one, in the same run.
 */
void
RingBesidePointToPoint(benchmark::State& state)
{
    SetPicosecondResolution();
    const auto hosts = static_cast<std::uint32_t>(state.range(0));
    const auto payloadBytes = MaxPayloadBytes(PACKET_BYTES);
    const auto blockBytes = RING_BYTES / hosts / 4 * 4;
    const auto blockFrames = (blockBytes + payloadBytes - 1) / payloadBytes;
    const auto steps =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(1, RING_FRAMES / hosts / blockFrames));
    double ring = 0;
    double pointToPoint = 0;
    for (auto _ : state)
    {
        UseEventHeap(); // as runs do; it is forgotten with each
        const RingSteps ringSteps(hosts, blockBytes, steps);
        ring += RunTimed();
        pointToPoint += SecondsOfPointToPoint();
    }
    const auto runs = static_cast<double>(state.iterations());
    const auto packetsPerSecond = static_cast<double>(steps * blockFrames * hosts) * runs / ring;
    const auto hopsPerSecond = FRAMES * runs / pointToPoint;
    state.counters["data_packets_per_cpu_s"] = packetsPerSecond;
    state.counters["point_to_point_hops_per_s"] = hopsPerSecond;
    state.counters["ratio_of_hops"] = 2 * packetsPerSecond / hopsPerSecond;
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
        AggregationHelper().Install(star, workers);
        for (const auto& client : star.AggregationOf().clients)
        {
            ReductionRequest request;
            request.size = std::uint64_t{packets} * VALUES_PER_PACKET;
            request.done = [] {};
            client->Sum(std::move(request));
        }
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
    }
    const auto hops = 2.0 * packets * workers * static_cast<double>(state.iterations());
    state.counters["packet_hops_per_s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
}

BENCHMARK(RingBesidePointToPoint)
    ->ArgName("workers")
    ->Arg(4)
    ->Arg(64)
    ->Arg(256)
    ->Arg(1024)
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(SlotsOverStar)->ArgName("workers")->Arg(2)->Arg(8)->Unit(benchmark::kMillisecond);

} // namespace

} // namespace inca

BENCHMARK_MAIN();
