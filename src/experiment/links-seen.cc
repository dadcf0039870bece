/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/links-seen.h"

#include "base/errors.h"
#include "base/units.h"

#include "ns3/uinteger.h"

namespace inca
{

namespace
{

constexpr const char* g_switch = "switch"; ///< as links call it

EngineSpeed
EngineSpeedOf(const ns3::Ptr<Engine>& engine)
{
    if (!engine)
    {
        return {};
    }
    ns3::UintegerValue widthBits;
    engine->GetAttribute("Width", widthBits);
    return {widthBits.Get(), ParseHertz(engine->GetClock())};
}

LinkSeen
LinkOf(const std::string& from,
       const std::string& to,
       std::uint64_t bitsPerSecond,
       const PortCounters& port,
       const LinkCounters& link)
{
    LinkSeen seen;
    seen.name = from + " -> " + to;
    seen.from = from;
    seen.to = to;
    seen.leavesSwitch = from == g_switch;
    seen.bitsPerSecond = bitsPerSecond;
    seen.frames = port.frames;
    seen.wireBytes = port.out.wireBytes;
    seen.largestQueueBytes = port.largestQueueBytes;
    seen.drops = port.drops;
    seen.drops.Add(DropReason::LINK_ERROR, link.lostFrames);
    return seen;
}

void
CheckPort(const PortCounters& port, const std::string& where)
{
    const auto& [in, out, held, dropped, drops, frames, congested, largest] = port;
    if (in.wireBytes != out.wireBytes + held.wireBytes + dropped.wireBytes ||
        in.plainBytes != out.plainBytes + held.plainBytes + dropped.plainBytes ||
        held.wireBytes != 0)
    {
        throw InvariantError(where + ": bytes in are not bytes out and dropped");
    }
}

} // namespace

std::string
RankName(const TrainingJob& job, Rank rank)
{
    return rank < job.workers ? "worker " + std::to_string(rank)
                              : "aggregator " + std::to_string(rank - job.workers);
}

std::vector<LinkSeen>
LinksOf(const Cluster& cluster, const TrainingJob& job)
{
    std::vector<LinkSeen> links;
    for (std::size_t host = 0; host < cluster.nics.size(); ++host)
    {
        const auto name = RankName(job, static_cast<Rank>(host));
        const auto& up = cluster.nics[host]->TxCounters();
        const auto& down = cluster.hub->GetPort(host)->Counters();
        const auto rate = cluster.nics[host]->BitsPerSecond();
        links.push_back(LinkOf(name, g_switch, rate, up, cluster.links[host]->Counters(0)));
        links.push_back(LinkOf(g_switch, name, rate, down, cluster.links[host]->Counters(1)));
    }
    return links;
}

std::uint64_t
DroppedFrames(const std::vector<LinkSeen>& links)
{
    std::uint64_t frames = 0;
    for (const auto& link : links)
    {
        frames += link.drops.Total();
    }
    return frames;
}

NetworkSpeed
SpeedOf(const Cluster& cluster)
{
    NetworkSpeed speed;
    for (const auto& nic : cluster.nics)
    {
        speed.linkBitsPerSecond.push_back(nic->BitsPerSecond());
    }
    speed.compression = EngineSpeedOf(cluster.nics.front()->Compression());
    speed.decompression = EngineSpeedOf(cluster.nics.front()->Decompression());
    return speed;
}

void
CheckConservation(const Cluster& cluster, const TrainingJob& job)
{
    for (std::size_t host = 0; host < cluster.nics.size(); ++host)
    {
        const auto name = RankName(job, static_cast<Rank>(host));
        CheckPort(cluster.nics[host]->TxCounters(), name + "'s NIC");
        CheckPort(cluster.hub->GetPort(host)->Counters(), "the switch's port to " + name);
    }
}

} // namespace inca
