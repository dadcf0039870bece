/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/frame.h"
#include "device/mac-hash.h"
#include "device/simulated-time.h"
#include "experiment/network-seen.h"
#include "experiment/timeline-source.h"

#include "ns3/callback.h"
#include "ns3/nstime.h"

#include <fmt/format.h>

#include <array>
#include <list>
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

/** A counter, of which changes are shown: of several at one time the last. */
class Counter
{
  public:
    Counter(std::uint32_t process, std::string name, std::string unit)
        : m_count{process, std::move(name), std::move(unit), 0, 0}
    {
    }

    void Set(TimelineWriter& writer, std::int64_t atPs, std::uint64_t value)
    {
        if (atPs != m_count.atPs)
        {
            Show(writer);
        }
        m_count.atPs = atPs;
        m_count.value = value;
    }

    void Show(TimelineWriter& writer)
    {
        if (std::exchange(m_shown, m_count.value) != m_count.value)
        {
            writer.Write(m_count);
        }
    }

  private:
    TimelineCount m_count; ///< the last change
    std::uint64_t m_shown{0};
};

using Names = std::unordered_map<ns3::Mac48Address, std::string, MacHash>;

/** A port or an engine: its transmissions, or its work, of which the same without a pause is one span; and its backlog. */
class Device
{
  public:
    Device(TimelineWriter& writer,
           const JobClock& clock,
           const Names& names,
           TimelineTrack track,
           const std::string& name,
           Counter backlog)
        : m_writer(writer),
          m_clock(clock),
          m_names(names),
          m_track(track),
          m_name(name),
          m_backlog(std::move(backlog))
    {
        writer.NameTrack(track, name);
    }

    void Queued(ns3::Ptr<const Frame> frame)
    {
        m_emptyPs = m_endPs;
        const bool isGathered = frame->aggregation.packet.phase == SumPhase::ALL_GATHER;
        const auto* kind =
            isGathered ? "values to hand on" : g_kinds[static_cast<std::size_t>(frame->kind)];
        auto what = std::string(kind) + ", ";
        what += NameOf(frame->source) + " to " + NameOf(frame->destination);
        GoOn(what, frame->firstDeparturePs, frame->lastDeparturePs);
        ++m_frames;
    }

    /** Reported after Queued, of the same frame. */
    void Backlog(std::uint64_t before, std::uint64_t bytes)
    {
        if (bytes > before)
        {
            SetBacklog(m_emptyPs, m_clock.NowPs(), bytes);
        }
    }

    void Worked(std::int64_t beginPs, std::int64_t endPs)
    {
        const auto nowPs = m_clock.NowPs();
        SetBacklog(m_endPs, nowPs, static_cast<std::uint64_t>(endPs + AheadPs() - nowPs));
        GoOn(m_name, beginPs, endPs);
    }

    void ShowEnd()
    {
        Show();
        m_backlog.Set(m_writer, m_endPs, 0);
        m_backlog.Show(m_writer);
    }

  private:
    /** @p what goes on, or begins. (ps of ns-3) */
    void GoOn(const std::string& what, std::int64_t beginPs, std::int64_t endPs)
    {
        if (m_endPs != beginPs + AheadPs() || m_what != what)
        {
            Show();
            m_what = what;
            m_frames = 0;
            m_beginPs = beginPs + AheadPs();
        }
        m_endPs = endPs + AheadPs();
    }

    void Show() const
    {
        const auto frames =
            m_frames == 0 ? "" : fmt::format(", {} frame{}", m_frames, m_frames == 1 ? "" : "s");
        m_writer.Write({TimelineDetail::DEVICE, m_track, m_what + frames, m_beginPs, m_endPs});
    }

    /** @p amount is there from @p nowPs on; nothing was from @p emptyPs on. */
    void SetBacklog(std::int64_t emptyPs, std::int64_t nowPs, std::uint64_t amount)
    {
        if (emptyPs < nowPs)
        {
            m_backlog.Set(m_writer, emptyPs, 0);
        }
        m_backlog.Set(m_writer, nowPs, amount);
    }

    const std::string& NameOf(ns3::Mac48Address address) const
    {
        static const std::string others = "others";
        const auto found = m_names.find(address);
        return found == m_names.end() ? others : found->second;
    }

    /** By how much the ranks' clocks are ahead of ns-3's, which devices use. */
    std::int64_t AheadPs() const
    {
        return m_clock.NowPs() - NowPs();
    }

    TimelineWriter& m_writer;
    const JobClock& m_clock;
    const Names& m_names;
    TimelineTrack m_track;
    std::string m_name;
    Counter m_backlog; ///< of a NIC's port none is reported
    std::string m_what;
    std::uint64_t m_frames{0}; ///< of a port
    std::int64_t m_beginPs{0};
    std::int64_t m_endPs{0};
    std::int64_t m_emptyPs{0}; ///< the port's queue was empty before the last frame came
};

class NetworkTimeline : public TimelineSource
{
  public:
    NetworkTimeline(TimelineWriter& writer,
                    const JobClock& clock,
                    const Cluster& cluster,
                    JobId job,
                    const std::vector<std::string>& hosts)
        : m_writer(writer),
          m_clock(clock),
          m_cluster(cluster)
    {
        for (std::uint32_t host = 0; host < hosts.size(); ++host)
        {
            m_names[HostAddress(cluster.hostsBefore + host)] = hosts[host];
        }
        for (std::uint32_t i = 0; i < cluster.plan.switches.size(); ++i)
        {
            m_names[SwitchAddress(cluster.switchesBefore + i)] = cluster.plan.switches[i].name;
        }
        for (std::uint32_t host = 0; host < cluster.nics.size(); ++host)
        {
            AddHost(host);
        }
        AddPorts(hosts);
        AddSlots(job);
    }

    void ShowEnd() override
    {
        for (auto& device : m_devices)
        {
            device.ShowEnd();
        }
        for (auto& slots : m_slots)
        {
            slots.Show(m_writer);
        }
    }

  private:
    void AddHost(std::uint32_t host)
    {
        const auto& nic = m_cluster.nics[host];
        const auto track = TrackOfHost(host, HostTrack::SENDING);
        auto& sender = m_devices.emplace_back(
            m_writer, m_clock, m_names, track, "NIC sends", Counter(track.process, "", ""));
        nic->TraceConnectWithoutContext("Enqueue", ns3::MakeCallback(&Device::Queued, &sender));
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
            const Counter backlog(track.process, "backlog of the " + name, "ps");
            auto& device = m_devices.emplace_back(m_writer, m_clock, m_names, track, name, backlog);
            engine->TraceConnectWithoutContext("Busy", ns3::MakeCallback(&Device::Worked, &device));
        }
    }

    /** In the order of NamedLinks. */
    void AddPorts(const std::vector<std::string>& hosts)
    {
        const auto& plan = m_cluster.plan;
        const auto links = NamedLinks(plan, hosts);
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
        const TimelineTrack track{ProcessOfSwitch(number), static_cast<std::uint32_t>(port + 1)};
        auto& device = m_devices.emplace_back(m_writer,
                                              m_clock,
                                              m_names,
                                              track,
                                              name,
                                              Counter(track.process, "queue " + name, "bytes"));
        const auto out = hub->GetPort(port);
        out->TraceConnectWithoutContext("Enqueue", ns3::MakeCallback(&Device::Queued, &device));
        out->TraceConnectWithoutContext("BytesInQueue",
                                        ns3::MakeCallback(&Device::Backlog, &device));
    }

    void AddSlots(JobId job)
    {
        for (const auto& [number, part, program] : m_cluster.AddersOf(job))
        {
            program->TraceConnectWithoutContext(
                "Slots", ns3::MakeCallback(&NetworkTimeline::SlotsUsed, this, m_slots.size()));
            m_slots.emplace_back(ProcessOfSwitch(number), "slots in use" + part, "slots");
        }
    }

    void SlotsUsed(std::size_t program, std::uint32_t /*before*/, std::uint32_t now)
    {
        m_slots[program].Set(m_writer, m_clock.NowPs(), now);
    }

    std::uint32_t ProcessOfSwitch(std::size_t number) const
    {
        return static_cast<std::uint32_t>(FIRST_HOST_PROCESS + m_cluster.nics.size() + number);
    }

    TimelineWriter& m_writer;
    const JobClock& m_clock;
    const Cluster& m_cluster;
    Names m_names;
    std::list<Device> m_devices;  ///< NICs and their engines, then ports of switches
    std::vector<Counter> m_slots; ///< in use, by switch that adds
};

} // namespace

std::unique_ptr<TimelineSource>
ListenToNetwork(TimelineWriter& writer,
                const JobClock& clock,
                const Cluster& cluster,
                JobId job,
                const std::vector<std::string>& hosts)
{
    return std::make_unique<NetworkTimeline>(writer, clock, cluster, job, hosts);
}

} // namespace inca
