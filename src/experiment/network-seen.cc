/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/network-seen.h"

#include "base/errors.h"
#include "base/wire-format.h"
#include "exchange/block-packets.h"
#include "plan/sum-cost.h"
#include "topology/aggregation-tree.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
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

/** 0 for a program that counts its memory in something else. */
std::uint64_t
SlotsOf(const AggregationProgram& program)
{
    ns3::UintegerValue slots(0);
    program.GetAttributeFailSafe("Slots", slots);
    return slots.Get();
}

SwitchRow
RowOf(const std::string& name, const AggregationProgram& program)
{
    const auto& seen = program.Counters();
    return {name,
            seen.in,
            seen.combined,
            seen.forwarded,
            seen.answered,
            seen.duplicates,
            seen.late,
            seen.noSlot,
            seen.foreign,
            seen.made,
            program.SlotsPeak(),
            SlotsOf(program),
            program.MemoryBytes()};
}

void
CheckProgram(const std::string& name, const AggregationCounters& seen)
{
    if (seen.in != seen.combined + seen.forwarded + seen.answered + seen.Dropped())
    {
        throw InvariantError(
            name + ": " + std::to_string(seen.in) + " packets in are not those combined (" +
            std::to_string(seen.combined) + "), forwarded (" + std::to_string(seen.forwarded) +
            "), answered (" + std::to_string(seen.answered) + ") and dropped (" +
            std::to_string(seen.Dropped()) + ")");
    }
}

/** Payload of all sums that @p worker gets in the whole run: words, whatever the gradients' type. */
std::uint64_t
DueBytes(const TrainingJob& job, const ReductionCounts& sums, Rank worker)
{
    std::uint64_t words = 0;
    for (const auto& [sum, count] : sums)
    {
        words += count * WordsGot(sum, worker, job.workers);
    }
    return words * VALUE_BYTES * job.BatchCount();
}

/** The first of many lines, and how many more there are. */
class FirstLines
{
  public:
    void Add(const std::string& line)
    {
        constexpr std::size_t most = 20;
        if (m_told++ < most)
        {
            m_text += "\n  " + line;
            return;
        }
        ++m_more;
    }

    std::string Text() const
    {
        return m_more == 0 ? m_text : m_text + "\n  and " + std::to_string(m_more) + " more";
    }

  private:
    std::string m_text;
    std::size_t m_told{0};
    std::size_t m_more{0};
};

std::string
RankLines(const TrainingJob& job, const std::vector<ns3::Ptr<RankApplication>>& ranks)
{
    FirstLines lines;
    for (std::size_t i = 0; i < ranks.size(); ++i)
    {
        if (!ranks[i]->IsFinished())
        {
            lines.Add(job.NameOf(static_cast<Rank>(i)) + ": " + ranks[i]->State());
        }
    }
    return lines.Text();
}

std::string
SwitchLines(const Cluster& cluster, JobId job)
{
    FirstLines lines;
    const auto& programs = cluster.AggregationOf(job).programs;
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        const auto state = programs[i] ? programs[i]->State() : "";
        if (!state.empty())
        {
            lines.Add(cluster.plan.switches[i].name + ": " + state);
        }
    }
    return lines.Text();
}

/** @return @p counted, called as @p named is */
LinkSeen
Called(const LinkSeen& named, LinkSeen counted)
{
    counted.name = named.name;
    counted.from = named.from;
    counted.to = named.to;
    counted.leavesSwitch = named.leavesSwitch;
    return counted;
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

std::vector<SwitchRow>
SwitchesOf(const Cluster& cluster, JobId job)
{
    std::vector<SwitchRow> rows;
    const auto& programs = cluster.AggregationOf(job).programs;
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        if (programs[i])
        {
            rows.push_back(RowOf(cluster.plan.switches[i].name, *programs[i]));
        }
    }
    return rows;
}

ClientsSeen
ClientsOf(const Cluster& cluster, JobId job)
{
    ClientsSeen seen;
    for (const auto& client : cluster.AggregationOf(job).clients)
    {
        seen.retransmittedFrames += client->RetransmittedFrames();
        seen.clampedValues += client->ClampedValues();
    }
    return seen;
}

void
CheckSwitches(const Cluster& cluster, const TrainingJob& job)
{
    const auto& [hosts, clients, programs] = cluster.AggregationOf(job.id);
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        if (programs[i])
        {
            CheckProgram(cluster.plan.switches[i].name, programs[i]->Counters());
        }
    }
    const auto sums = clients.empty() ? ReductionCounts{} : ReductionsOf(job);
    for (Rank worker = 0; worker < clients.size(); ++worker)
    {
        const auto due = DueBytes(job, sums, worker);
        const auto got = clients[worker]->ReceivedBytes();
        if (got != due)
        {
            throw InvariantError("worker " + std::to_string(worker) + " has got " +
                                 std::to_string(got) + " of " + std::to_string(due) +
                                 " bytes of sums");
        }
    }
}

std::uint64_t
DeliveredBytes(const Cluster& cluster)
{
    std::uint64_t bytes = 0;
    for (const auto& transport : cluster.transports)
    {
        bytes += transport->DeliveredBytes();
    }
    for (const auto& [job, aggregation] : cluster.aggregations)
    {
        for (const auto& client : aggregation.clients)
        {
            bytes += client->ReceivedBytes();
        }
    }
    return bytes;
}

std::int64_t
LongestSilencePs(const Cluster& cluster, const TrainingJob& job)
{
    if (DroppedFrames(LinksOf(cluster, job)) == 0)
    {
        return 0;
    }
    std::int64_t longestPs = 0;
    for (const auto& transport : cluster.transports)
    {
        longestPs = std::max(longestPs, transport->LongestSilencePs());
    }
    for (const auto& client : cluster.AggregationOf(job.id).clients)
    {
        longestPs = std::max(longestPs, client->LongestSilencePs());
    }
    return longestPs;
}

std::string
DescribeState(const Cluster& cluster,
              const TrainingJob& job,
              const std::vector<ns3::Ptr<RankApplication>>& ranks)
{
    return "  " + std::to_string(DroppedFrames(LinksOf(cluster, job))) +
           " frames were dropped so far" + RankLines(job, ranks) + SwitchLines(cluster, job.id);
}

std::vector<LinkSeen>
WholeLinks(const Plan& plan, const std::vector<LinkSeen>& simulated)
{
    const auto& choice = plan.fold;
    const auto ranks = choice.ranks;
    const auto simulatedRanks = choice.simulated;
    const auto& trunks = choice.fold.trunks;
    if (!choice.IsFolded())
    {
        return simulated;
    }
    auto links = NamedLinks(plan.topology, *plan.Job().prepared.job);
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        auto& up = links[2 * std::size_t{rank}];
        auto& down = links[2 * std::size_t{rank} + 1];
        const auto standsIn = 2 * std::size_t{choice.Representative(rank)};
        up = Called(up, simulated[standsIn]);
        down = Called(down, simulated[standsIn + 1]);
    }
    for (std::size_t trunk = 0; trunk < trunks.size(); ++trunk)
    {
        for (std::size_t way = 0; way < 2; ++way)
        {
            auto& link = links[2 * (ranks + trunk) + way];
            link.bitsPerSecond = plan.network.trunkBitsPerSecond;
            if (trunks[trunk])
            {
                const auto standsIn = 2 * (simulatedRanks + std::size_t{*trunks[trunk]}) + way;
                link = Called(link, simulated[standsIn]);
            }
        }
    }
    return links;
}

std::vector<SwitchRow>
WholeSwitches(const Plan& plan, const std::vector<SwitchRow>& simulated)
{
    if (!plan.fold.fold.tree)
    {
        return simulated;
    }
    const auto tree = MakeAggregationTree(plan.topology, plan.fold.ranks);
    std::map<std::uint32_t, std::uint32_t> adding; // by number: which stands for it
    for (const auto& node : tree.nodes)
    {
        adding[node.switchNumber] = plan.fold.fold.switches[node.switchNumber];
    }
    std::vector<SwitchRow> rows;
    for (const auto& [number, standsIn] : adding)
    {
        rows.push_back(simulated[standsIn]);
        rows.back().name = plan.topology.switches[number].name;
    }
    return rows;
}

} // namespace inca
