/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/links-seen.h"

#include "base/errors.h"

#include <cstddef>
#include <map>
#include <utility>

namespace inca
{

namespace
{

/** One direction of a link, and the port before it. */
struct Direction
{
    std::string name;
    std::string from;
    std::string to;
    bool leavesSwitch{false};
    std::uint64_t bitsPerSecond{0};
    PortCounters port;
    LinkCounters link;
};

void
AddHost(const Cluster& cluster, const std::string& name, Rank host, std::vector<Direction>& all)
{
    const auto& nic = cluster.nics[host];
    const auto& link = *cluster.links[host];
    const auto& hub = cluster.plan.switches[cluster.plan.hostSwitch[host]].name;
    const auto port = cluster.PortTo(host);
    all.push_back({name + " -> " + hub,
                   name,
                   hub,
                   false,
                   nic->BitsPerSecond(),
                   nic->TxCounters(),
                   link.Counters(0)});
    all.push_back({hub + " -> " + name,
                   hub,
                   name,
                   true,
                   port->BitsPerSecond(),
                   port->Counters(),
                   link.Counters(1)});
}

/** By trunk: " #2" for the second of parallel cables; nothing where there is only one. */
std::vector<std::string>
CableNames(const std::vector<PlannedTrunk>& trunks)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> byEnds;
    for (std::size_t i = 0; i < trunks.size(); ++i)
    {
        byEnds[{trunks[i].lower, trunks[i].upper}].push_back(i);
    }
    std::vector<std::string> names(trunks.size());
    for (const auto& [ends, cables] : byEnds)
    {
        for (std::size_t i = 0; cables.size() > 1 && i < cables.size(); ++i)
        {
            names[cables[i]] = " #" + std::to_string(i + 1);
        }
    }
    return names;
}

void
AddTrunk(const Cluster& cluster,
         std::size_t number,
         const std::string& cable,
         std::vector<Direction>& all)
{
    const auto& [lower, upper, floods] = cluster.plan.trunks[number];
    const auto& trunk = cluster.trunks[number];
    const auto& below = cluster.plan.switches[lower].name;
    const auto& above = cluster.plan.switches[upper].name;
    const auto up = cluster.switches[lower]->GetPort(trunk.lowerPort);
    const auto down = cluster.switches[upper]->GetPort(trunk.upperPort);
    all.push_back({below + " -> " + above + cable,
                   below,
                   above,
                   true,
                   up->BitsPerSecond(),
                   up->Counters(),
                   trunk.link->Counters(0)});
    all.push_back({above + " -> " + below + cable,
                   above,
                   below,
                   true,
                   down->BitsPerSecond(),
                   down->Counters(),
                   trunk.link->Counters(1)});
}

std::vector<Direction>
DirectionsOf(const Cluster& cluster, const TrainingJob& job)
{
    std::vector<Direction> all;
    for (Rank host = 0; host < cluster.nics.size(); ++host)
    {
        AddHost(cluster, job.NameOf(host), host, all);
    }
    const auto cables = CableNames(cluster.plan.trunks);
    for (std::size_t trunk = 0; trunk < cluster.trunks.size(); ++trunk)
    {
        AddTrunk(cluster, trunk, cables[trunk], all);
    }
    return all;
}

LinkSeen
LinkOf(const Direction& way)
{
    LinkSeen seen;
    seen.name = way.name;
    seen.from = way.from;
    seen.to = way.to;
    seen.leavesSwitch = way.leavesSwitch;
    seen.bitsPerSecond = way.bitsPerSecond;
    seen.frames = way.port.frames;
    seen.wireBytes = way.port.out.wireBytes;
    seen.largestQueueBytes = way.port.largestQueueBytes;
    seen.markedFrames = way.port.congestedFrames;
    seen.drops = way.port.drops;
    seen.drops.Add(DropReason::LINK_ERROR, way.link.lostFrames);
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

std::vector<LinkSeen>
LinksOf(const Cluster& cluster, const TrainingJob& job)
{
    std::vector<LinkSeen> links;
    for (const auto& way : DirectionsOf(cluster, job))
    {
        links.push_back(LinkOf(way));
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

void
CheckConservation(const Cluster& cluster, const TrainingJob& job)
{
    for (const auto& way : DirectionsOf(cluster, job))
    {
        CheckPort(way.port, "the port of " + way.name);
    }
}

} // namespace inca
