/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/frame.h"
#include "device/mac-hash.h"
#include "device/simulated-time.h"
#include "experiment/links-seen.h"
#include "experiment/timeline-sink.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"

#include <array>
#include <deque>
#include <unordered_map>
#include <utility>

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

/** Frames that leave one behind the other. */
struct Burst
{
    FrameKind kind{FrameKind::DATA};
    bool isGathered{false}; ///< what switches hand on, and do not add
    ns3::Mac48Address source;
    ns3::Mac48Address destination;
    std::uint64_t frames{0};
    std::int64_t beginPs{0};
    std::int64_t endPs{0};
};

/** What one port sends. */
struct Sending
{
    TimelineTrack track;
    Burst burst;               ///< without frames at first
    std::int64_t latencyPs{0}; ///< of its switch, before the queue
    std::int64_t emptyPs{0};   ///< the queue was empty before the last frame came
    Counter queue;             ///< of a switch's port
};

/** What one engine works on. */
struct Working
{
    TimelineTrack track;
    std::string name;
    std::int64_t beginPs{0};
    std::int64_t endPs{0};
    Counter backlog;
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

    void ShowOpen() override
    {
    }

    void ShowEnd(const Breakdowns& /*breakdowns*/, const std::vector<Span>& /*iterations*/) override
    {
        for (auto& sending : m_sending)
        {
            Show(sending);
            Show(sending.queue, sending.burst.endPs, 0);
        }
        for (auto& working : m_working)
        {
            Show(working);
            Show(working.backlog, working.endPs, 0);
        }
        for (auto& slots : m_slots)
        {
            Show(slots.counter, slots.sincePs, slots.value);
        }
    }

  private:
    void AddHost(std::uint32_t host)
    {
        const auto& nic = m_cluster.nics[host];
        const auto number = m_sending.size();
        m_sending.push_back({TrackOfHost(host, HostTrack::SENDING), {}, 0, 0, {}});
        m_sink.Writer().NameTrack(m_sending.back().track, "NIC sends");
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
            const auto number = m_working.size();
            m_working.push_back(
                {track, name, 0, 0, {track.process, "backlog of the " + name, "ps", 0}});
            m_sink.Writer().NameTrack(track, name);
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
        const auto place = m_sending.size();
        const TimelineTrack track{process, static_cast<std::uint32_t>(port + 1)};
        m_sending.push_back(
            {track, {}, latency.Get().GetTimeStep(), 0, {process, "queue " + name, "bytes", 0}});
        m_sink.Writer().NameTrack(track, name);
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
        auto& sending = m_sending[port];
        auto& burst = sending.burst;
        const auto beginPs = frame->firstDeparturePs + AheadPs();
        const auto endPs = frame->lastDeparturePs + AheadPs();
        sending.emptyPs = burst.endPs;
        const bool isGathered = frame->aggregation.packet.phase == SumPhase::ALL_GATHER;
        const bool goesOn = burst.frames > 0 && burst.endPs == beginPs &&
                            burst.kind == frame->kind && burst.isGathered == isGathered &&
                            burst.source == frame->source &&
                            burst.destination == frame->destination;
        if (goesOn)
        {
            ++burst.frames;
            burst.endPs = endPs;
            return;
        }
        Show(sending);
        burst = {frame->kind, isGathered, frame->source, frame->destination, 1, beginPs, endPs};
    }

    /** Reported after Queued, of the same frame. */
    void Backlog(std::size_t port, std::uint64_t bytes)
    {
        auto& sending = m_sending[port];
        const auto readyPs = m_sink.NowPs() + sending.latencyPs;
        if (sending.emptyPs < readyPs)
        {
            Show(sending.queue, sending.emptyPs, 0);
        }
        Show(sending.queue, readyPs, bytes);
    }

    void Worked(std::size_t engine, std::int64_t beginPs, std::int64_t endPs)
    {
        auto& working = m_working[engine];
        beginPs += AheadPs();
        endPs += AheadPs();
        const auto nowPs = m_sink.NowPs();
        if (working.endPs < nowPs)
        {
            Show(working.backlog, working.endPs, 0);
        }
        Show(working.backlog, nowPs, static_cast<std::uint64_t>(endPs - nowPs));
        if (working.endPs != beginPs)
        {
            Show(working);
            working.beginPs = beginPs;
        }
        working.endPs = endPs;
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

    void Show(const Sending& sending)
    {
        const auto& burst = sending.burst;
        if (burst.frames > 0)
        {
            m_sink.Add(
                {TimelineDetail::DEVICE, sending.track, NameOf(burst), burst.beginPs, burst.endPs});
        }
    }

    void Show(const Working& working)
    {
        m_sink.Add(
            {TimelineDetail::DEVICE, working.track, working.name, working.beginPs, working.endPs});
    }

    void Show(Counter& counter, std::int64_t atPs, std::uint64_t value)
    {
        if (std::exchange(counter.shown, value) != value)
        {
            m_sink.Add(TimelineCount{counter.process, counter.name, counter.unit, atPs, value});
        }
    }

    std::string NameOf(const Burst& burst) const
    {
        const auto* kind = g_kinds[static_cast<std::size_t>(burst.kind)];
        return std::string(burst.isGathered ? "values to hand on" : kind) + ", " +
               NameOf(burst.source) + " to " + NameOf(burst.destination) + ", " +
               std::to_string(burst.frames) + (burst.frames == 1 ? " frame" : " frames");
    }

    std::string NameOf(ns3::Mac48Address address) const
    {
        const auto found = m_names.find(address);
        return found == m_names.end() ? "others" : found->second;
    }

    /** By how much the ranks' clocks are ahead of ns-3's, in which devices reckon. */
    std::int64_t AheadPs() const
    {
        return m_sink.NowPs() - NowPs();
    }

    TimelineSink& m_sink;
    const Cluster& m_cluster;
    std::unordered_map<ns3::Mac48Address, std::string, MacHash> m_names;
    std::deque<Sending> m_sending; ///< of NICs, then of switches' ports
    std::deque<Working> m_working;
    std::deque<Slots> m_slots;
};

} // namespace

std::unique_ptr<TimelineSource>
ListenToNetwork(TimelineSink& sink, const Cluster& cluster, const TrainingJob& job)
{
    return std::make_unique<NetworkTimeline>(sink, cluster, job);
}

} // namespace inca
