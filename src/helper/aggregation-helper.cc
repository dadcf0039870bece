/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/aggregation-helper.h"

#include "aggregation/aggregation-catalog.h"
#include "base/errors.h"
#include "topology/aggregation-tree.h"

#include <utility>

namespace inca
{

namespace
{

void
CheckWorkers(const Cluster& cluster, std::uint32_t workers)
{
    const auto hosts = cluster.hosts.GetN();
    if (workers < 1 || workers > hosts)
    {
        throw InputError("switches cannot add for " + std::to_string(workers) +
                         " workers: the cluster has " + std::to_string(hosts) + " hosts");
    }
    if (!cluster.clients.empty())
    {
        throw InputError("the cluster's switches have an aggregation program already");
    }
}

AggregationPeer
HostPeer(const Cluster& cluster, std::uint32_t host)
{
    return {cluster.hostPorts[host], cluster.Address(host), "worker " + std::to_string(host)};
}

/** The switch of @p node, as the one at the other end of a trunk sees it. */
AggregationPeer
SwitchPeer(const Cluster& cluster, const TreeNode& node, std::size_t port)
{
    return {port, SwitchAddress(node.switchNumber), cluster.plan.switches[node.switchNumber].name};
}

AggregationPlace
PlaceOf(const Cluster& cluster, const AggregationTree& tree, const TreeNode& node)
{
    AggregationPlace place;
    place.address = SwitchAddress(node.switchNumber);
    place.childNumber = node.childNumber;
    for (const auto& child : node.children)
    {
        place.children.push_back(child.isHost ? HostPeer(cluster, child.number)
                                              : SwitchPeer(cluster,
                                                           tree.nodes[child.number],
                                                           cluster.trunks[*child.trunk].upperPort));
    }
    if (node.parent)
    {
        const auto& parent = tree.nodes[*node.parent];
        const auto trunk = *parent.children[node.childNumber].trunk;
        place.parent = SwitchPeer(cluster, parent, cluster.trunks[trunk].lowerPort);
    }
    return place;
}

void
InstallProgram(Cluster& cluster,
               const AggregationEntry& entry,
               const AggregationTree& tree,
               const TreeNode& node)
{
    const auto owner = cluster.switches[node.switchNumber];
    const auto program = entry.makeProgram();
    program->Install(owner, PlaceOf(cluster, tree, node));
    cluster.programs[node.switchNumber] = program;
}

void
InstallClients(Cluster& cluster,
               const AggregationEntry& entry,
               const TreeNode& node,
               std::uint32_t workers)
{
    for (std::uint32_t child = 0; child < node.children.size(); ++child)
    {
        if (!node.children[child].isHost)
        {
            continue;
        }
        const auto host = node.children[child].number;
        const auto client = entry.makeClient();
        cluster.hosts.Get(host)->AggregateObject(client);
        client->Install(cluster.nics[host], {workers, child, SwitchAddress(node.switchNumber)});
        cluster.clients[host] = client;
    }
}

} // namespace

void
InstallAggregation(Cluster& cluster, const std::string& name, std::uint32_t workers)
{
    const auto& entry = FindAggregation(name);
    CheckWorkers(cluster, workers);
    const auto tree = MakeAggregationTree(cluster.plan, workers);
    cluster.programs.resize(cluster.switches.size());
    cluster.clients.resize(workers);
    for (const auto& node : tree.nodes)
    {
        InstallProgram(cluster, entry, tree, node);
        InstallClients(cluster, entry, node, workers);
    }
}

} // namespace inca
