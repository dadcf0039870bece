/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/timeline-network.h"

#include "device/simulated-time.h"
#include "experiment/links-seen.h"
#include "experiment/timeline-hosts.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"

#include <array>
#include <utility>

namespace inca
{

namespace
{

/** By TrainKind. */
constexpr std::array<const char*, TRAIN_KINDS> g_kinds{
    "packet", "data", "acknowledgement", "probe", "values to add"};

std::int64_t
LatencyPs(const Switch& hub)
{
    ns3::TimeValue latency;
    hub.GetAttribute("Latency", latency);
    return latency.Get().GetTimeStep();
}

} // namespace

std::uint32_t
ProcessOfSwitch(const Cluster& cluster, std::size_t number)
{
    return ProcessOfHost(static_cast<std::uint32_t>(cluster.nics.size() + number));
}

TimelineNetwork::TimelineNetwork(const Cluster& cluster,
                                 const TrainingJob& job,
                                 TimelineWriter& writer,
                                 TimelineWindow& window,
                                 const JobClock& clock)
    : m_writer(writer),
      m_window(window),
      m_clock(clock)
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
        AddHost(cluster, host);
    }
    AddPorts(cluster, job);
    AddSlots(cluster, job);
}

void
TimelineNetwork::AddHost(const Cluster& cluster, std::uint32_t host)
{
    const auto& nic = cluster.nics[host];
    const auto number = m_sending.size();
    m_sending.push_back({TrackOfHost(host, HostTrack::SENDING), {}, 0, 0, {}});
    m_writer.NameTrack(m_sending.back().track, "NIC sends");
    nic->TraceConnectWithoutContext("Enqueue",
                                    ns3::MakeCallback(&TimelineNetwork::Queued, this, number));
    AddEngine(nic->Compression(), TrackOfHost(host, HostTrack::COMPRESSION), "compression engine");
    AddEngine(
        nic->Decompression(), TrackOfHost(host, HostTrack::DECOMPRESSION), "decompression engine");
}

void
TimelineNetwork::AddEngine(const ns3::Ptr<Engine>& engine,
                           TimelineTrack track,
                           const std::string& name)
{
    if (!engine)
    {
        return;
    }
    const auto number = m_working.size();
    m_working.push_back({track, name, 0, 0, {track.process, "backlog of the " + name, "ps", 0}});
    m_writer.NameTrack(track, name);
    engine->TraceConnectWithoutContext("Busy",
                                       ns3::MakeCallback(&TimelineNetwork::Worked, this, number));
}

/** In the order of NamedLinks. */
void
TimelineNetwork::AddPorts(const Cluster& cluster, const TrainingJob& job)
{
    const auto links = NamedLinks(cluster.plan, job);
    for (std::size_t host = 0; host < cluster.nics.size(); ++host)
    {
        AddPort(cluster,
                cluster.plan.hostSwitch[host],
                cluster.hostPorts[host],
                links[2 * host + 1].name);
    }
    for (std::size_t i = 0; i < cluster.trunks.size(); ++i)
    {
        const auto& planned = cluster.plan.trunks[i];
        const auto& trunk = cluster.trunks[i];
        const auto first = 2 * (cluster.nics.size() + i);
        AddPort(cluster, planned.lower, trunk.lowerPort, links[first].name);
        AddPort(cluster, planned.upper, trunk.upperPort, links[first + 1].name);
    }
}

void
TimelineNetwork::AddPort(const Cluster& cluster,
                         std::size_t number,
                         std::size_t port,
                         std::string name)
{
    const auto& hub = cluster.switches[number];
    const auto process = ProcessOfSwitch(cluster, number);
    const auto place = m_sending.size();
    const TimelineTrack track{process, static_cast<std::uint32_t>(port + 1)};
    m_sending.push_back({track, {}, LatencyPs(*hub), 0, {process, "queue " + name, "bytes", 0}});
    m_writer.NameTrack(track, std::move(name));
    const auto out = hub->GetPort(port);
    out->TraceConnectWithoutContext("Enqueue",
                                    ns3::MakeCallback(&TimelineNetwork::Queued, this, place));
    out->TraceConnectWithoutContext("Queue",
                                    ns3::MakeCallback(&TimelineNetwork::Backlog, this, place));
}

void
TimelineNetwork::AddSlots(const Cluster& cluster, const TrainingJob& job)
{
    const auto& programs = cluster.AggregationOf(job.id).programs;
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        if (programs[i])
        {
            const auto number = m_slots.size();
            m_slots.push_back({{ProcessOfSwitch(cluster, i), "slots in use", "slots", 0}, 0, 0});
            programs[i]->TraceConnectWithoutContext(
                "Slots", ns3::MakeCallback(&TimelineNetwork::SlotsUsed, this, number));
        }
    }
}

void
TimelineNetwork::Finish()
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

void
TimelineNetwork::Queued(std::size_t port, ns3::Ptr<const Train> train)
{
    auto& sending = m_sending[port];
    auto& burst = sending.burst;
    const auto beginPs = train->firstDeparturePs + AheadPs();
    const auto endPs = train->lastDeparturePs + AheadPs();
    sending.emptyPs = burst.endPs;
    const bool isGathered = train->aggregation.packet.halves == Halves::ALL_GATHER;
    const bool goesOn = burst.frames > 0 && burst.endPs == beginPs && burst.kind == train->kind &&
                        burst.isGathered == isGathered && burst.source == train->source &&
                        burst.destination == train->destination;
    if (goesOn)
    {
        ++burst.frames;
        burst.endPs = endPs;
        return;
    }
    Show(sending);
    burst = {train->kind, isGathered, train->source, train->destination, 1, beginPs, endPs};
}

/** Told after Queued, of the same train. */
void
TimelineNetwork::Backlog(std::size_t port, std::uint64_t bytes)
{
    auto& sending = m_sending[port];
    const auto readyPs = m_clock.NowPs() + sending.latencyPs;
    if (sending.emptyPs < readyPs)
    {
        Show(sending.queue, sending.emptyPs, 0);
    }
    Show(sending.queue, readyPs, bytes);
}

void
TimelineNetwork::Worked(std::size_t engine, std::int64_t beginPs, std::int64_t endPs)
{
    auto& working = m_working[engine];
    beginPs += AheadPs();
    endPs += AheadPs();
    const auto nowPs = m_clock.NowPs();
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
void
TimelineNetwork::SlotsUsed(std::size_t program, std::uint32_t /*before*/, std::uint32_t now)
{
    auto& slots = m_slots[program];
    const auto nowPs = m_clock.NowPs();
    if (slots.sincePs != nowPs)
    {
        Show(slots.counter, slots.sincePs, slots.value);
        slots.sincePs = nowPs;
    }
    slots.value = now;
}

void
TimelineNetwork::Show(const Sending& sending)
{
    const auto& burst = sending.burst;
    if (burst.frames > 0)
    {
        m_window.Add(
            {TimelineDetail::DEVICE, sending.track, NameOf(burst), burst.beginPs, burst.endPs});
    }
}

void
TimelineNetwork::Show(const Working& working)
{
    m_window.Add(
        {TimelineDetail::DEVICE, working.track, working.name, working.beginPs, working.endPs});
}

void
TimelineNetwork::Show(Counter& counter, std::int64_t atPs, std::uint64_t value)
{
    if (counter.shown != value)
    {
        counter.shown = value;
        m_window.Add(TimelineCount{counter.process, counter.name, counter.unit, atPs, value});
    }
}

std::string
TimelineNetwork::NameOf(const Burst& burst) const
{
    const auto* kind = g_kinds[static_cast<std::size_t>(burst.kind)];
    return std::string(burst.isGathered ? "values to hand on" : kind) + ", " +
           NameOf(burst.source) + " to " + NameOf(burst.destination) + ", " +
           std::to_string(burst.frames) + (burst.frames == 1 ? " frame" : " frames");
}

std::string
TimelineNetwork::NameOf(ns3::Mac48Address address) const
{
    const auto found = m_names.find(address);
    return found == m_names.end() ? "others" : found->second;
}

/** By how much the ranks' clocks are ahead of ns-3's, in which devices reckon. */
std::int64_t
TimelineNetwork::AheadPs() const
{
    return m_clock.NowPs() - NowPs();
}

} // namespace inca
