/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/network-seen.h"

#include "base/errors.h"
#include "base/portable-math.h"
#include "base/units.h"
#include "base/wire-format.h"
#include "exchange/shards.h"
#include "plan/job-exchanges.h"
#include "topology/aggregation-tree.h"

#include "ns3/uinteger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace inca
{

namespace
{

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

/** What the port @p port and the direction @p side of the link behind it have counted. */
template <class Port>
LinkRow
Counted(const Port& port, const PortCounters& counters, const Link& link, unsigned side)
{
    LinkRow seen;
    seen.bitsPerSecond = port->BitsPerSecond();
    seen.port = counters;
    seen.bufferBytes = port->BufferBytes();
    seen.port.drops.Add(DropReason::LINK_ERROR, link.Counters(side).lostFrames);
    return seen;
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
    return {name, program.Counters(), program.SlotsPeak(), SlotsOf(program), program.MemoryBytes()};
}

/** Of all sums that who has @p place gets in the whole run: words, whatever the gradients' type. */
std::uint64_t
DueWords(const ReductionCounts& sums, const ClientPlace& place)
{
    std::uint64_t words = 0;
    for (const auto& [sum, count] : sums)
    {
        const bool isOwn = sum.inNodes == place.inNode;
        words += isOwn ? count * WordsGot(sum, place.worker, place.workers) : 0;
    }
    return words;
}

/** The first of @p lines, indented, and how many more there are. */
std::string
FirstOf(const std::vector<std::string>& lines)
{
    constexpr std::size_t most = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, lines.size()); ++i)
    {
        text += "\n  " + lines[i];
    }
    return lines.size() <= most ? text
                                : fmt::format("{}\n  and {} more", text, lines.size() - most);
}

/** @param simulated those of the first rails, which stand for all in turn @param ranks that are simulated */
std::vector<SwitchRow>
AllRails(std::uint32_t rails, const std::vector<SwitchRow>& simulated, Rank ranks)
{
    const auto perRail = simulated.size() / std::min(rails, ranks);
    std::vector<SwitchRow> rows;
    for (std::size_t i = 0; i < rails * perRail; ++i)
    {
        auto row = simulated[i % simulated.size()];
        const auto name = row.name.substr(0, row.name.rfind(','));
        row.name = fmt::format("{}, rail {}", name, i / perRail);
        rows.push_back(std::move(row));
    }
    return rows;
}

double
TimeoutsInVain(const TopologyPlan& topology, double lossRate)
{
    std::uint32_t tiers = 1;
    for (const auto& one : topology.switches)
    {
        tiers = std::max(tiers, one.tier + 1);
    }
    constexpr double leastChance = 1e-12;
    constexpr double least = 64;
    const auto passes = std::min(0.5, PortablePow(1 - lossRate, 3 * 2 * tiers));
    return std::max(least, std::ceil(PortableLog(leastChance) / PortableLog1p(-passes)));
}

/** What has come, and what @p sums say. @throws InvariantError if it does not fit */
void
CheckAggregation(const Cluster& cluster,
                 const ReductionCounts& sums,
                 const JobAggregation& aggregation)
{
    const auto& [hosts, clients, programs] = aggregation;
    for (std::size_t i = 0; i < programs.size(); ++i)
    {
        const auto seen = programs[i] ? programs[i]->Counters() : AggregationCounters();
        if (seen.in != seen.combined + seen.forwarded + seen.answered + seen.Dropped())
        {
            throw InvariantError(fmt::format(
                "{}: {} packets in are not those combined ({}), forwarded ({}), answered ({}) and "
                "dropped ({})",
                cluster.plan.switches[i].name,
                seen.in,
                seen.combined,
                seen.forwarded,
                seen.answered,
                seen.Dropped()));
        }
    }
    for (Rank worker = 0; worker < clients.size(); ++worker)
    {
        const auto due = DueWords(sums, clients[worker]->Place()) * clients[worker]->ValueBytes();
        const auto got = clients[worker]->ReceivedBytes();
        if (got != due)
        {
            throw InvariantError(
                fmt::format("worker {} has got {} of {} bytes of sums", worker, got, due));
        }
    }
}

} // namespace

std::vector<std::string>
HostNames(const Plan& plan)
{
    std::vector<std::string> names(plan.Settings().topology.HostCount());
    for (const auto& planned : plan.jobs)
    {
        const auto ofJob = plan.jobs.size() > 1 ? planned.job->id.Text() + " " : "";
        for (Rank rank = 0; rank < planned.resolved->hosts.size(); ++rank)
        {
            names[planned.resolved->hosts[rank]] = ofJob + planned.job->NameOf(rank);
        }
    }
    return names;
}

std::vector<LinkEnds>
NamedLinks(const TopologyPlan& topology, const std::vector<std::string>& hosts)
{
    std::vector<LinkEnds> all;
    const auto add = [&all](const std::string& below,
                            bool belowIsHost,
                            const std::string& above,
                            const std::string& cable) {
        const auto up = belowIsHost ? LinkKind::FROM_HOST : LinkKind::TRUNK;
        const auto down = belowIsHost ? LinkKind::TO_HOST : LinkKind::TRUNK;
        all.push_back({below + " -> " + above + cable, below, above, up});
        all.push_back({above + " -> " + below + cable, above, below, down});
    };
    for (std::uint32_t host = 0; host < topology.HostCount(); ++host)
    {
        const bool isNamed = host < hosts.size() && !hosts[host].empty();
        const auto name = isNamed ? hosts[host] : fmt::format("host {}", host);
        add(name, true, topology.switches[topology.hostSwitch[host]].name, "");
    }
    const auto cables = CableNames(topology.trunks);
    for (std::size_t i = 0; i < cables.size(); ++i)
    {
        const auto& [lower, upper, floods] = topology.trunks[i];
        add(topology.switches[lower].name, false, topology.switches[upper].name, cables[i]);
    }
    return all;
}

std::vector<LinkRow>
LinksOf(const Cluster& cluster, const std::vector<std::string>& hosts)
{
    std::vector<LinkRow> all;
    for (std::uint32_t host = 0; host < cluster.nics.size(); ++host)
    {
        const auto& nic = cluster.nics[host];
        const auto port = cluster.PortTo(host);
        all.push_back(Counted(nic, nic->Counters(), *cluster.links[host], 0));
        all.push_back(Counted(port, port->Counters(), *cluster.links[host], 1));
    }
    for (std::size_t i = 0; i < cluster.trunks.size(); ++i)
    {
        const auto& planned = cluster.plan.trunks[i];
        const auto& trunk = cluster.trunks[i];
        const auto up = cluster.switches[planned.lower]->GetPort(trunk.lowerPort);
        const auto down = cluster.switches[planned.upper]->GetPort(trunk.upperPort);
        all.push_back(Counted(up, up->Counters(), *trunk.link, 0));
        all.push_back(Counted(down, down->Counters(), *trunk.link, 1));
    }
    auto names = NamedLinks(cluster.plan, hosts);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        all[i].ends = std::move(names[i]);
    }
    return all;
}

std::uint64_t
DroppedFrames(const std::vector<LinkRow>& links)
{
    std::uint64_t frames = 0;
    for (const auto& link : links)
    {
        frames += link.port.drops.Total();
    }
    return frames;
}

void
CheckConservation(const std::vector<LinkRow>& links)
{
    for (const auto& link : links)
    {
        const auto& port = link.port;
        const auto passed = [&port](std::uint64_t ByteCounts::*kind) {
            return port.in.*kind == port.out.*kind + port.held.*kind + port.dropped.*kind;
        };
        if (!passed(&ByteCounts::wireBytes) || !passed(&ByteCounts::plainBytes) ||
            port.held.wireBytes != 0)
        {
            throw InvariantError("the port of " + link.ends.name +
                                 ": bytes in are not bytes out and dropped");
        }
    }
}

std::vector<SwitchRow>
SwitchesOf(const Cluster& cluster, JobId job)
{
    std::vector<SwitchRow> rows;
    for (const auto& [number, part, program] : cluster.AddersOf(job))
    {
        rows.push_back(RowOf(cluster.plan.switches[number].name + part, *program));
    }
    return rows;
}

ClientsSeen
ClientsOf(const Cluster& cluster, JobId job)
{
    ClientsSeen seen;
    for (const auto* aggregation : cluster.AggregationsOf(job))
    {
        for (const auto& client : aggregation->clients)
        {
            seen.retransmittedFrames += client->RetransmittedFrames();
            seen.clampedValues += client->ClampedValues();
        }
    }
    return seen;
}

void
CheckSwitches(const Cluster& cluster, const TrainingJob& job)
{
    const auto all = cluster.AggregationsOf(job.id);
    const auto sums = all.empty() ? ReductionCounts{} : ReductionsOfRun(job);
    for (const auto* aggregation : all)
    {
        CheckAggregation(cluster, sums, *aggregation);
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
LongestSilencePs(const Cluster& cluster, double lossRate)
{
    if (DroppedFrames(LinksOf(cluster)) == 0)
    {
        return 0;
    }
    const auto inVain = TimeoutsInVain(cluster.plan, lossRate);
    double longestPs = 0;
    for (const auto& transport : cluster.transports)
    {
        longestPs = std::max(longestPs, transport->LongestSilencePs(inVain));
    }
    for (const auto& [job, aggregation] : cluster.aggregations)
    {
        for (const auto& client : aggregation.clients)
        {
            const auto timeoutPs = static_cast<double>(client->LongestTimeoutPs());
            longestPs = std::max(longestPs, inVain * timeoutPs);
        }
    }
    return std::llround(std::min(longestPs, static_cast<double>(MOST_SIMULATED_PS)));
}

std::string
DescribeState(const Cluster& cluster, const std::vector<RanksOfJob>& jobs)
{
    std::vector<std::string> ofRanks;
    std::vector<std::string> ofSwitches;
    for (const auto& [job, ranks] : jobs)
    {
        for (Rank rank = 0; rank < ranks.size(); ++rank)
        {
            if (!ranks[rank]->IsFinished())
            {
                ofRanks.push_back(job.NameOf(rank) + ": " + ranks[rank]->State());
            }
        }
        for (const auto* aggregation : cluster.AggregationsOf(job.id))
        {
            for (std::size_t i = 0; i < aggregation->programs.size(); ++i)
            {
                const auto& program = aggregation->programs[i];
                const auto state = program ? program->State() : "";
                if (!state.empty())
                {
                    ofSwitches.push_back(cluster.plan.switches[i].name + ": " + state);
                }
            }
        }
    }
    return fmt::format("  {} frames were dropped so far{}{}",
                       DroppedFrames(LinksOf(cluster)),
                       FirstOf(ofRanks),
                       FirstOf(ofSwitches));
}

std::vector<LinkRow>
WholeLinks(const Plan& plan, const std::vector<LinkRow>& simulated)
{
    const auto& choice = plan.Job().fold;
    if (!choice.IsFolded())
    {
        return simulated;
    }
    std::vector<LinkRow> links;
    links.reserve(2 * (choice.ranks + choice.fold.trunks.size()));
    const auto add = [&](std::size_t first) {
        links.push_back(simulated[first]);
        links.push_back(simulated[first + 1]);
    };
    for (Rank rank = 0; rank < choice.ranks; ++rank)
    {
        add(2 * std::size_t{choice.Representative(rank)});
    }
    for (const auto& standsIn : choice.fold.trunks)
    {
        if (standsIn)
        {
            add(2 * (choice.simulated + std::size_t{*standsIn}));
            continue;
        }
        LinkRow unused;
        unused.bitsPerSecond = plan.Settings().network.trunkBitsPerSecond;
        links.insert(links.end(), 2, unused);
    }
    auto names = NamedLinks(plan.Settings().topology, HostNames(plan));
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        links[i].ends = std::move(names[i]);
    }
    return links;
}

std::vector<SwitchRow>
WholeSwitches(const PlannedJob& planned, const std::vector<SwitchRow>& simulated)
{
    const auto& topology = planned.resolved->topology;
    const auto& fold = planned.fold;
    if (!fold.IsFolded() || simulated.empty())
    {
        return simulated;
    }
    const auto& sums = planned.resolved->sums;
    const auto inNodes = sums[1].adding != nullptr ? fold.fold.plan.nodes : 0; // come first
    std::map<std::uint32_t, std::uint32_t> adding; // by number: which stands for it
    const auto add = [&](std::uint32_t number) { adding[number] = fold.fold.switches[number]; };
    if (fold.fold.tree)
    {
        for (const auto& node : MakeAggregationTree(topology, fold.ranks).nodes)
        {
            add(node.switchNumber);
        }
    }
    for (std::uint32_t node = 0; inNodes > 0 && node < topology.nodes; ++node)
    {
        add(node);
    }
    std::vector<SwitchRow> rows;
    for (const auto& [number, standsIn] : adding)
    {
        rows.push_back(simulated[standsIn]);
        rows.back().name = topology.switches[number].name;
    }
    if (planned.resolved->sumScope == SumScope::RAILS)
    {
        const std::vector<SwitchRow> ofRails(simulated.begin() + inNodes, simulated.end());
        const auto all = AllRails(topology.nodeSize, ofRails, fold.simulated);
        rows.insert(rows.end(), all.begin(), all.end());
    }
    return rows;
}

} // namespace inca
