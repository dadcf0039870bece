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

/** What one direction of a link counts, and the port before it. */
struct Direction
{
    std::uint64_t bitsPerSecond{0};
    PortCounters port;
    LinkCounters link;
};

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

/** Both ways between @p below and @p above, through @p cable. */
void
AddNames(const std::string& below,
         bool belowIsHost,
         const std::string& above,
         const std::string& cable,
         std::vector<LinkSeen>& all)
{
    LinkSeen up;
    up.name = below + " -> " + above + cable;
    up.from = below;
    up.to = above;
    up.leavesSwitch = !belowIsHost;
    LinkSeen down;
    down.name = above + " -> " + below + cable;
    down.from = above;
    down.to = below;
    down.leavesSwitch = true;
    all.push_back(std::move(up));
    all.push_back(std::move(down));
}

/** In the order of NamedLinks. */
std::vector<Direction>
DirectionsOf(const Cluster& cluster)
{
    std::vector<Direction> all;
    for (std::uint32_t host = 0; host < cluster.nics.size(); ++host)
    {
        const auto& nic = cluster.nics[host];
        const auto port = cluster.PortTo(host);
        const auto& link = *cluster.links[host];
        all.push_back({nic->BitsPerSecond(), nic->TxCounters(), link.Counters(0)});
        all.push_back({port->BitsPerSecond(), port->Counters(), link.Counters(1)});
    }
    for (std::size_t i = 0; i < cluster.trunks.size(); ++i)
    {
        const auto& planned = cluster.plan.trunks[i];
        const auto& trunk = cluster.trunks[i];
        const auto up = cluster.switches[planned.lower]->GetPort(trunk.lowerPort);
        const auto down = cluster.switches[planned.upper]->GetPort(trunk.upperPort);
        all.push_back({up->BitsPerSecond(), up->Counters(), trunk.link->Counters(0)});
        all.push_back({down->BitsPerSecond(), down->Counters(), trunk.link->Counters(1)});
    }
    return all;
}

void
Count(const Direction& way, LinkSeen& seen)
{
    seen.bitsPerSecond = way.bitsPerSecond;
    seen.frames = way.port.frames;
    seen.plainBytes = way.port.out.plainBytes;
    seen.wireBytes = way.port.out.wireBytes;
    seen.largestQueueBytes = way.port.largestQueueBytes;
    seen.markedFrames = way.port.congestedFrames;
    seen.drops = way.port.drops;
    seen.drops.Add(DropReason::LINK_ERROR, way.link.lostFrames);
}

void
CheckPort(const PortCounters& port, const std::string& where)
{
    const auto passed = [&port](std::uint64_t ByteCounts::*kind) {
        return port.in.*kind == port.out.*kind + port.held.*kind + port.dropped.*kind;
    };
    if (!passed(&ByteCounts::wireBytes) || !passed(&ByteCounts::plainBytes) ||
        port.held.wireBytes != 0)
    {
        throw InvariantError(where + ": bytes in are not bytes out and dropped");
    }
}

} // namespace

std::vector<LinkSeen>
NamedLinks(const TopologyPlan& topology, const TrainingJob& job)
{
    std::vector<LinkSeen> all;
    for (std::uint32_t host = 0; host < topology.HostCount(); ++host)
    {
        const auto& hub = topology.switches[topology.hostSwitch[host]].name;
        AddNames(job.NameOf(host), true, hub, "", all);
    }
    const auto cables = CableNames(topology.trunks);
    for (std::size_t i = 0; i < cables.size(); ++i)
    {
        const auto& [lower, upper, floods] = topology.trunks[i];
        AddNames(
            topology.switches[lower].name, false, topology.switches[upper].name, cables[i], all);
    }
    return all;
}

std::vector<LinkSeen>
LinksOf(const Cluster& cluster, const TrainingJob& job)
{
    auto links = NamedLinks(cluster.plan, job);
    const auto directions = DirectionsOf(cluster);
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        Count(directions[i], links[i]);
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
    const auto links = NamedLinks(cluster.plan, job);
    const auto directions = DirectionsOf(cluster);
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        CheckPort(directions[i].port, "the port of " + links[i].name);
    }
}

} // namespace inca
