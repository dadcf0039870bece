/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/frame.h"
#include "device/mac-hash.h"
#include "device/simulated-time.h"
#include "experiment/network-seen.h"
#include "experiment/timeline-sink.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"

#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** By FrameKind. */
constexpr std::array<const char*, FRAME_KINDS> g_kinds{
    "packet", "data", "acknowledgement", "probe", "values to add"};

/** A counter, of which changes are shown. */
struct Counter
{
    std::uint32_t process{0};
    std::string name;
    std::string unit;
    std::uint64_t shown{0};
};

/** A port or an engine, and what it is at: the same without a pause is one span. */
struct Device
{
    TimelineTrack track;
    Counter backlog;           ///< of a NIC's port none is shown
    std::int64_t latencyPs{0}; ///< of a port's switch, before the queue
    std::string what{};
    std::uint64_t frames{0}; ///< of a port; none at first
    std::int64_t beginPs{0};
    std::int64_t endPs{0};
    std::int64_t emptyPs{0}; ///< the port's queue was empty before the last frame came
};

/** How many slots of one switch are in use, since when. */
struct Slots
{
    Counter counter;
    std::uint64_t value{0};
    std::int64_t sincePs{0};
};

class NetworkTimeline : public TimelineSource
{
  public:
    NetworkTimeline(TimelineSink& sink, const Cluster& cluster, const TrainingJob& job)
        : m_sink(sink),
          m_cluster(cluster)
    {
        for (std::uint32_t rank = 0; rank < job.RankCount(); ++rank)
        {
            m_names[HostAddress(rank)] = job.NameOf(rank);
        }
        for (std::uint32_t i = 0; i < cluster.plan.switches.size(); ++i)
        {
            m_names[SwitchAddress(i)] = cluster.plan.switches[i].name;
        }
        for (std::uint32_t host = 0; host < cluster.nics.size(); ++host)
        {
            AddHost(host);
        }
        AddPorts(job);
        AddSlots(job);
    }

    void ShowEnd(const Breakdowns& /*breakdowns*/, const std::vector<Span>& /*iterations*/) override
    {
        for (auto& device : m_devices)
        {
            Show(device);
            Show(device.backlog, device.endPs, 0);
        }
        for (auto& slots : m_slots)
        {
            Show(slots.counter, slots.sincePs, slots.value);
        }
    }

  private:
    /** @return its number */
    std::size_t Add(Device device, const std::string& name)
    {
        m_sink.Writer().NameTrack(device.track, name);
        m_devices.push_back(std::move(device));
        return m_devices.size() - 1;
    }

    void AddHost(std::uint32_t host)
    {
        const auto& nic = m_cluster.nics[host];
        const auto number = Add({TrackOfHost(host, HostTrack::SENDING), {}}, "NIC sends");
        nic->TraceConnectWithoutContext("Enqueue",
                                        ns3::MakeCallback(&NetworkTimeline::Queued, this, number));
        AddEngine(
            nic->Compression(), TrackOfHost(host, HostTrack::COMPRESSION), "compression engine");
        AddEngine(nic->Decompression(),
                  TrackOfHost(host, HostTrack::DECOMPRESSION),
                  "decompression engine");
    }

    void AddEngine(const ns3::Ptr<Engine>& engine, TimelineTrack track, const std::string& name)
    {
        if (engine)
        {
            const auto number =
                Add({track, {track.process, "backlog of the " + name, "ps", 0}, 0, name}, name);
            engine->TraceConnectWithoutContext(
                "Busy", ns3::MakeCallback(&NetworkTimeline::Worked, this, number));
        }
    }

    /** In the order of NamedLinks. */
    void AddPorts(const TrainingJob& job)
    {
        const auto& plan = m_cluster.plan;
        const auto links = NamedLinks(plan, job);
        for (std::size_t host = 0; host < m_cluster.nics.size(); ++host)
        {
            AddPort(plan.hostSwitch[host], m_cluster.hostPorts[host], links[2 * host + 1].name);
        }
        for (std::size_t i = 0; i < m_cluster.trunks.size(); ++i)
        {
            const auto& trunk = m_cluster.trunks[i];
            const auto first = 2 * (m_cluster.nics.size() + i);
            AddPort(plan.trunks[i].lower, trunk.lowerPort, links[first].name);
            AddPort(plan.trunks[i].upper, trunk.upperPort, links[first + 1].name);
        }
    }

    void AddPort(std::size_t number, std::size_t port, const std::string& name)
    {
        const auto& hub = m_cluster.switches[number];
        ns3::TimeValue latency;
        hub->GetAttribute("Latency", latency);
        const auto process = ProcessOfSwitch(m_cluster, number);
        const auto place = Add({{process, static_cast<std::uint32_t>(port + 1)},
                                {process, "queue " + name, "bytes", 0},
                                latency.Get().GetTimeStep()},
                               name);
        const auto out = hub->GetPort(port);
        out->TraceConnectWithoutContext("Enqueue",
                                        ns3::MakeCallback(&NetworkTimeline::Queued, this, place));
        out->TraceConnectWithoutContext("Queue",
                                        ns3::MakeCallback(&NetworkTimeline::Backlog, this, place));
    }

    void AddSlots(const TrainingJob& job)
    {
        const auto& programs = m_cluster.AggregationOf(job.id).programs;
        for (std::size_t i = 0; i < programs.size(); ++i)
        {
            if (programs[i])
            {
                const auto number = m_slots.size();
                m_slots.push_back(
                    {{ProcessOfSwitch(m_cluster, i), "slots in use", "slots", 0}, 0, 0});
                programs[i]->TraceConnectWithoutContext(
                    "Slots", ns3::MakeCallback(&NetworkTimeline::SlotsUsed, this, number));
            }
        }
    }

    void Queued(std::size_t port, ns3::Ptr<const Frame> frame)
    {
        auto& device = m_devices[port];
        device.emptyPs = device.endPs;
        const bool isGathered = frame->aggregation.packet.phase == SumPhase::ALL_GATHER;
        const auto* kind = g_kinds[static_cast<std::size_t>(frame->kind)];
        GoOn(device,
             std::string(isGathered ? "values to hand on" : kind) + ", " + NameOf(frame->source) +
                 " to " + NameOf(frame->destination),
             frame->firstDeparturePs,
             frame->lastDeparturePs);
        ++device.frames;
    }

    /** Reported after Queued, of the same frame. */
    void Backlog(std::size_t port, std::uint64_t bytes)
    {
        auto& device = m_devices[port];
        ShowBacklog(device, device.emptyPs, m_sink.NowPs() + device.latencyPs, bytes);
    }

    void Worked(std::size_t engine, std::int64_t beginPs, std::int64_t endPs)
    {
        auto& device = m_devices[engine];
        const auto nowPs = m_sink.NowPs();
        const auto leftPs = endPs + AheadPs() - nowPs;
        ShowBacklog(device, device.endPs, nowPs, static_cast<std::uint64_t>(leftPs));
        GoOn(device, device.what, beginPs, endPs);
    }

    /** Of several changes at one time the last one is shown. */
    void SlotsUsed(std::size_t program, std::uint32_t /*before*/, std::uint32_t now)
    {
        auto& slots = m_slots[program];
        const auto nowPs = m_sink.NowPs();
        if (slots.sincePs != nowPs)
        {
            Show(slots.counter, slots.sincePs, slots.value);
            slots.sincePs = nowPs;
        }
        slots.value = now;
    }

    /** @p what goes on, or begins. (ps of ns-3) */
    void GoOn(Device& device, const std::string& what, std::int64_t beginPs, std::int64_t endPs)
    {
        if (device.endPs != beginPs + AheadPs() || device.what != what)
        {
            Show(device);
            device.what = what;
            device.frames = 0;
            device.beginPs = beginPs + AheadPs();
        }
        device.endPs = endPs + AheadPs();
    }

    void Show(const Device& device)
    {
        auto name = device.what;
        if (device.frames > 0)
        {
            name +=
                ", " + std::to_string(device.frames) + (device.frames == 1 ? " frame" : " frames");
        }
        m_sink.Add({TimelineDetail::DEVICE, device.track, name, device.beginPs, device.endPs});
    }

    /** @p amount is there from @p nowPs on; nothing was from @p emptyPs on. */
    void ShowBacklog(Device& device, std::int64_t emptyPs, std::int64_t nowPs, std::uint64_t amount)
    {
        if (emptyPs < nowPs)
        {
            Show(device.backlog, emptyPs, 0);
        }
        Show(device.backlog, nowPs, amount);
    }

    void Show(Counter& counter, std::int64_t atPs, std::uint64_t value)
    {
        if (std::exchange(counter.shown, value) != value)
        {
            m_sink.Add(TimelineCount{counter.process, counter.name, counter.unit, atPs, value});
        }
    }

    std::string NameOf(ns3::Mac48Address address) const
    {
        const auto found = m_names.find(address);
        return found == m_names.end() ? "others" : found->second;
    }

    /** By how much the ranks' clocks are ahead of ns-3's, which devices use. */
    std::int64_t AheadPs() const
    {
        return m_sink.NowPs() - NowPs();
    }

    TimelineSink& m_sink;
    const Cluster& m_cluster;
    std::unordered_map<ns3::Mac48Address, std::string, MacHash> m_names;
    std::vector<Device> m_devices; ///< NICs and their engines, then ports of switches
    std::vector<Slots> m_slots;
};

} // namespace

std::unique_ptr<TimelineSource>
ListenToNetwork(TimelineSink& sink, const Cluster& cluster, const TrainingJob& job)
{
    return std::make_unique<NetworkTimeline>(sink, cluster, job);
}

} // namespace inca
