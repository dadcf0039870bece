/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/cluster-builder.h"

#include "device/random-loss.h"
#include "helper/aggregation-helper.h"
#include "helper/topology-helper.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace inca
{

namespace
{

/** The rates that the bound goes by. Hosts that stand for others have what these have. */
void
SetHosts(const PlannedJob& planned, TopologyHelper& topology)
{
    const auto& resolved = *planned.resolved;
    std::vector<bool> isSet(planned.fold.fold.plan.HostCount());
    for (Rank rank = 0; rank < resolved.hosts.size(); ++rank)
    {
        const auto standsIn = planned.fold.fold.hosts[resolved.hosts[rank]];
        if (!isSet[standsIn])
        {
            isSet[standsIn] = true;
            topology.SetHostRate(standsIn, ns3::DataRate(resolved.network.linkBitsPerSecond[rank]));
        }
    }
    if (resolved.network.trunkBitsPerSecond > 0)
    {
        topology.SetTrunkRate(ns3::DataRate(resolved.network.trunkBitsPerSecond));
    }
    const auto& whole = resolved.topology;
    topology.SetNodeDelay(ns3::PicoSeconds(resolved.network.gpuLinkLatencyPs));
    for (std::uint32_t nic = 0; nic < whole.NicCount(); ++nic)
    {
        if (const auto standsIn = planned.fold.fold.trunks[nic])
        {
            const auto rate = resolved.network.nicBitsPerSecond[whole.trunks[nic].lower];
            topology.SetTrunkRate(*standsIn, ns3::DataRate(rate));
        }
    }
}

/** Has switches add for the GPUs at each place in their nodes, as many as are simulated. */
void
InstallRails(const PlannedJob& planned, const AggregationHelper& helper, Cluster& cluster)
{
    const auto& resolved = *planned.resolved;
    const auto& fold = planned.fold;
    const auto size = resolved.topology.nodeSize;
    for (Rank rail = 0; rail < std::min(size, fold.simulated); ++rail)
    {
        std::vector<std::uint32_t> members;
        std::vector<std::uint32_t> hosts;
        for (auto rank = rail; rank < planned.job->workers; rank += size)
        {
            members.push_back(resolved.hosts[rank]);
            if (rank < fold.simulated)
            {
                hosts.push_back(fold.fold.hosts[resolved.hosts[rank]]);
            }
        }
        const auto tree = MakeAggregationTree(resolved.topology, members, rail);
        helper.Install(cluster,
                       planned.job->id.Group(rail + 1),
                       hosts,
                       fold.IsFolded() ? Folded(tree, fold.fold) : tree,
                       resolved.sums[0].together);
    }
}

/** Has switches add for a job whose exchange asks them to. */
void
InstallSums(const PlannedJob& planned, Cluster& cluster)
{
    const auto& resolved = *planned.resolved;
    const auto& job = *planned.job;
    const auto& tree = planned.fold.fold.tree;
    std::vector<std::uint32_t> hosts(resolved.hosts.begin(), resolved.hosts.begin() + job.workers);
    if (planned.fold.IsFolded())
    {
        hosts.resize(planned.fold.simulated);
        std::iota(hosts.begin(), hosts.end(), 0U);
    }
    if (const auto* const inside = resolved.sums[1].adding)
    {
        AggregationHelper(inside->aggregation).InstallInNodes(cluster, job.id, hosts);
    }
    if (resolved.sums[0].adding == nullptr)
    {
        return;
    }
    const AggregationHelper helper(resolved.sums[0].adding->aggregation);
    if (resolved.sumScope == SumScope::RAILS)
    {
        InstallRails(planned, helper, cluster);
    }
    else if (tree)
    {
        helper.Install(cluster, job.id, hosts, *tree, job.workers);
    }
    else
    {
        helper.Install(cluster, job.id, hosts);
    }
}

/** Every direction of every link loses its own frames. */
void
SetLosses(double lossRate, std::uint64_t seed, const Cluster& cluster)
{
    if (lossRate == 0)
    {
        return;
    }
    std::vector<ns3::Ptr<Link>> links;
    if (cluster.plan.nodeSize == 1) // what is inside nodes loses nothing
    {
        links = cluster.links;
    }
    for (const auto& trunk : cluster.trunks)
    {
        links.push_back(trunk.link);
    }
    std::uint64_t stream = 0;
    for (const auto& link : links)
    {
        for (const unsigned side : {0U, 1U})
        {
            link->SetErrorModel(side, ns3::CreateObject<RandomLoss>(lossRate, seed, stream++));
        }
    }
}

} // namespace

Cluster
BuildCluster(const Plan& plan)
{
    const auto& resolved = plan.Settings();
    TopologyHelper topology;
    for (const auto& planned : plan.jobs)
    {
        SetHosts(planned, topology);
    }
    topology.SetTransport(resolved.TransportType());
    auto cluster = topology.Install(plan.Job().fold.fold.plan);
    SetLosses(resolved.lossRate, resolved.simulation.seed, cluster);
    for (const auto& planned : plan.jobs)
    {
        InstallSums(planned, cluster);
    }
    return cluster;
}

} // namespace inca
