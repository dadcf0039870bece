/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/cluster-builder.h"

#include "device/random-loss.h"
#include "helper/aggregation-helper.h"
#include "helper/topology-helper.h"

#include "ns3/uinteger.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace inca
{

namespace
{

/** The rates that the bound goes by, of the first @p hosts. */
void
SetRates(const NetworkSpeed& network, const Fold& fold, TopologyHelper& topology)
{
    std::vector<bool> isSet(fold.plan.HostCount());
    for (std::uint32_t host = 0; host < fold.hosts.size(); ++host)
    {
        const auto standsIn = fold.hosts[host];
        if (!isSet[standsIn]) // those for whom it stands have equal ones
        {
            isSet[standsIn] = true;
            topology.SetHostRate(standsIn, ns3::DataRate(network.linkBitsPerSecond[host]));
        }
    }
    if (network.trunkBitsPerSecond > 0)
    {
        topology.SetTrunkRate(ns3::DataRate(network.trunkBitsPerSecond));
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
    std::vector<ns3::Ptr<Link>> links = cluster.links;
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
    const auto& fold = plan.fold.fold;
    const auto& job = *plan.Job().job;
    SetRates(resolved.network, fold, topology);
    topology.SetCodec(job.coding.IsInEngines() ? job.coding.codec : nullptr);
    topology.SetTransport(resolved.IsOverTcp() ? "inca::TcpTransport" : "inca::Transport");
    auto cluster = topology.Install(fold.plan);
    SetLosses(resolved.lossRate, resolved.simulation.seed, cluster);
    const auto& aggregation = resolved.exchange->aggregation;
    if (fold.tree)
    {
        std::vector<std::uint32_t> hosts(plan.fold.simulated);
        std::iota(hosts.begin(), hosts.end(), 0U);
        InstallAggregation(cluster,
                           aggregation,
                           job.id,
                           hosts,
                           *fold.tree,
                           job.workers);
    }
    else if (!aggregation.empty())
    {
        InstallAggregation(cluster, aggregation, job.workers);
    }
    return cluster;
}

} // namespace inca
