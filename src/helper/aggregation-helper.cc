/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/aggregation-helper.h"

#include "aggregation/aggregation-catalog.h"
#include "aggregation/aggregation-client.h"
#include "aggregation/aggregation-program.h"
#include "aggregation/flow-sums.h"
#include "aggregation/slot-client.h"
#include "device/set-up-error.h"
#include "topology/aggregation-tree.h"

#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaAggregationHelper");

namespace
{

void
CheckWorkers(const Cluster& cluster, JobId job, const std::vector<std::uint32_t>& hosts)
{
    INCA_ABORT_MSG_IF(hosts.empty(), "switches cannot add for 0 workers");
    cluster.RequireHosts(hosts);
    INCA_ABORT_MSG_IF(cluster.aggregations.count(job) > 0,
                      "the cluster's switches add for " + job.Text() + " already");
}

const AggregationEntry&
EntryOf(const std::string& program)
{
    return *AsSetUp([&] { return &AggregationCatalog().Find(program); });
}

using Attributes = std::vector<std::pair<std::string, ns3::Ptr<ns3::AttributeValue>>>;

/** What is installed for one job. */
class AggregationInstaller
{
  public:
    /** @param first of its workers, for people */
    AggregationInstaller(const Cluster& cluster,
                         const AggregationEntry& entry,
                         const Attributes& attributes,
                         JobId job,
                         const std::vector<std::uint32_t>& hosts,
                         const AggregationTree& tree,
                         std::uint32_t workers,
                         bool sparesHosts = false,
                         std::uint32_t first = 0)
        : m_cluster(cluster),
          m_entry(entry),
          m_attributes(attributes),
          m_job(job),
          m_tree(tree),
          m_workers(workers),
          m_sparesHosts(sparesHosts),
          m_first(first)
    {
        m_made.hosts = hosts;
        m_made.clients.resize(hosts.size());
        m_made.programs.resize(cluster.switches.size());
        for (std::uint32_t worker = 0; worker < hosts.size(); ++worker)
        {
            m_workerOf[hosts[worker]] = worker;
        }
    }

    JobAggregation Install()
    {
        for (const auto& node : m_tree.nodes)
        {
            InstallProgram(node);
            InstallClients(node);
        }
        if (m_cluster.flows)
        {
            JoinFlows();
        }
        return std::move(m_made);
    }

  private:
    AggregationPeer HostPeer(std::uint32_t host) const
    {
        return {m_cluster.hostPorts[host],
                m_cluster.Address(host),
                "worker " + std::to_string(m_first + m_workerOf.at(host))};
    }

    ns3::Mac48Address AddressOf(const TreeNode& node) const
    {
        return SwitchAddress(m_cluster.switchesBefore + node.switchNumber);
    }

    /** The switch of @p node, as the one at the other end of a trunk sees it. */
    AggregationPeer SwitchPeer(const TreeNode& node, std::size_t port) const
    {
        return {port, AddressOf(node), m_cluster.plan.switches[node.switchNumber].name};
    }

    AggregationPeer ChildPeer(const TreeChild& child) const
    {
        auto peer = child.isHost ? HostPeer(child.number)
                                 : SwitchPeer(m_tree.nodes[child.number],
                                              m_cluster.trunks[*child.trunk].upperPort);
        peer.multiplicity = child.times;
        return peer;
    }

    AggregationPlace PlaceOf(const TreeNode& node) const
    {
        AggregationPlace place;
        place.job = m_job;
        place.address = AddressOf(node);
        place.childNumber = node.childNumber;
        for (const auto& child : node.children)
        {
            place.children.push_back(ChildPeer(child));
        }
        if (node.parent)
        {
            const auto& parent = m_tree.nodes[*node.parent];
            const auto trunk = *parent.children[node.childNumber].trunk;
            place.parent = SwitchPeer(parent, m_cluster.trunks[trunk].lowerPort);
        }
        return place;
    }

    /** @return @p made, with those attributes that it has */
    template <class Made>
    ns3::Ptr<Made> WithAttributes(ns3::Ptr<Made> made) const
    {
        for (const auto& [name, value] : m_attributes)
        {
            ns3::TypeId::AttributeInformation information;
            if (made->GetInstanceTypeId().LookupAttributeByName(name, &information))
            {
                made->SetAttribute(name, *value);
            }
        }
        return made;
    }

    void InstallProgram(const TreeNode& node)
    {
        const auto program = WithAttributes(m_entry.makeProgram());
        if (node.parent && node.switchNumber < m_cluster.plan.nodes)
        {
            program->SetAttributeFailSafe("AdderRate", ns3::UintegerValue(0)); // it passes on
        }
        const auto owner = m_cluster.switches[node.switchNumber];
        const auto place = PlaceOf(node);
        program->Install(owner, place);
        SwitchPrograms::Of(owner)->Add(place.job, program);
        m_made.programs[node.switchNumber] = program;
    }

    void InstallClients(const TreeNode& node)
    {
        for (std::uint32_t child = 0; child < node.children.size(); ++child)
        {
            if (!node.children[child].isHost)
            {
                continue;
            }
            const auto host = node.children[child].number;
            const auto client = WithAttributes(m_entry.makeClient());
            client->Install(
                m_cluster.nics[host],
                {m_workers, child, AddressOf(node), m_job, m_workerOf.at(host), m_sparesHosts});
            HostClients::Of(m_cluster.nics[host])->Add(m_job, client);
            m_made.clients[m_workerOf.at(host)] = client;
        }
    }

    /** Has all clients' sums be flows. */
    void JoinFlows() const
    {
        std::vector<FlowSums::Worker> workers;
        for (Rank worker = 0; worker < m_made.hosts.size(); ++worker)
        {
            const auto client = ns3::DynamicCast<SlotClient>(m_made.clients[worker]);
            INCA_ABORT_MSG_IF(!client, "messages are flows, and " + m_entry.name + " adds packets");
            const auto host = m_made.hosts[worker];
            const auto onSum =
                [client](std::uint64_t stream, std::uint64_t packets, std::uint64_t bytes) {
                    client->EndFlow(stream, packets, bytes);
                };
            workers.push_back(
                {onSum, m_cluster.paths[host], host, m_cluster.hosts.Get(host)->GetId()});
        }
        std::vector<FlowSums::Adder> adders(
            m_tree.nodes.size()); // children come after their parents
        for (auto i = m_tree.nodes.size(); i-- > 0;)
        {
            const auto& node = m_tree.nodes[i];
            auto& adder = adders[m_tree.nodes.size() - 1 - i];
            adder.program = m_made.programs[node.switchNumber];
            adder.node = m_cluster.switchNodes.Get(node.switchNumber)->GetId();
            for (const auto& child : node.children)
            {
                if (child.isHost)
                {
                    adder.below.push_back(m_workerOf.at(child.number));
                    continue;
                }
                auto& below = adders[m_tree.nodes.size() - 1 - child.number];
                below.up = FlowNetwork::LinkOf(m_cluster.plan.HostCount() + *child.trunk);
                below.down = *below.up + 1;
                adder.below.insert(adder.below.end(), below.below.begin(), below.below.end());
            }
        }
        const auto sums = ns3::Create<FlowSums>(m_cluster.flows,
                                                m_made.clients.front()->Format(),
                                                std::move(workers),
                                                std::move(adders),
                                                m_sparesHosts);
        for (Rank worker = 0; worker < m_made.clients.size(); ++worker)
        {
            ns3::DynamicCast<SlotClient>(m_made.clients[worker])->SetFlows(sums, worker);
        }
    }

    const Cluster& m_cluster;
    const AggregationEntry& m_entry;
    const Attributes& m_attributes;
    JobId m_job;
    const AggregationTree& m_tree;
    std::uint32_t m_workers;
    bool m_sparesHosts;
    std::uint32_t m_first;                             ///< worker
    std::map<std::uint32_t, std::uint32_t> m_workerOf; ///< by host
    JobAggregation m_made;
};

} // namespace

AggregationHelper::AggregationHelper(std::string program)
    : m_program(std::move(program))
{
}

void
AggregationHelper::SetAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    const auto& entry = EntryOf(m_program);
    ns3::TypeId::AttributeInformation information;
    INCA_ABORT_MSG_IF(
        !entry.makeProgram()->GetInstanceTypeId().LookupAttributeByName(name, &information) &&
            !entry.makeClient()->GetInstanceTypeId().LookupAttributeByName(name, &information),
        "neither programs nor clients of " + m_program + " have an attribute " + name);
    m_attributes.emplace_back(name, value.Copy());
}

void
AggregationHelper::Install(Cluster& cluster, std::uint32_t workers) const
{
    INCA_ABORT_MSG_IF(workers > cluster.hosts.GetN(),
                      "switches cannot add for " + std::to_string(workers) +
                          " workers: the cluster has " + std::to_string(cluster.hosts.GetN()) +
                          " hosts");
    std::vector<std::uint32_t> hosts(workers);
    std::iota(hosts.begin(), hosts.end(), 0U);
    Install(cluster, JobId(), hosts);
}

void
AggregationHelper::Install(Cluster& cluster,
                           JobId job,
                           const std::vector<std::uint32_t>& hosts) const
{
    CheckWorkers(cluster, job, hosts);
    Install(cluster,
            job,
            hosts,
            MakeAggregationTree(cluster.plan, hosts),
            static_cast<std::uint32_t>(hosts.size()));
}

void
AggregationHelper::Install(Cluster& cluster,
                           JobId job,
                           const std::vector<std::uint32_t>& hosts,
                           const AggregationTree& tree,
                           std::uint32_t workers) const
{
    NS_LOG_FUNCTION(this << m_program << workers);
    CheckWorkers(cluster, job, hosts);
    const auto& entry = EntryOf(m_program);
    cluster.aggregations[job] =
        AggregationInstaller(cluster, entry, m_attributes, job, hosts, tree, workers).Install();
}

void
AggregationHelper::InstallInNodes(Cluster& cluster,
                                  JobId job,
                                  const std::vector<std::uint32_t>& hosts) const
{
    NS_LOG_FUNCTION(this << m_program << hosts.size());
    CheckWorkers(cluster, job, hosts);
    const auto& entry = EntryOf(m_program);
    const auto size = cluster.plan.nodeSize;
    INCA_ABORT_MSG_IF(hosts.size() % size != 0,
                      "switches inside nodes of " + std::to_string(size) +
                          " hosts cannot add for " + std::to_string(hosts.size()) +
                          " workers: give whole nodes");
    Attributes attributes{{"Sequences", ns3::Create<ns3::UintegerValue>(2)}}; // sums, and gathers
    attributes.insert(attributes.end(), m_attributes.begin(), m_attributes.end());
    JobAggregation all;
    all.programs.resize(cluster.switches.size());
    for (std::size_t first = 0; first < hosts.size(); first += size)
    {
        const auto begin = hosts.begin() + static_cast<std::ptrdiff_t>(first);
        const std::vector<std::uint32_t> ofNode(begin, begin + size);
        const auto tree = MakeAggregationTree(cluster.plan, ofNode);
        auto made = AggregationInstaller(cluster,
                                         entry,
                                         attributes,
                                         job,
                                         ofNode,
                                         tree,
                                         size,
                                         true,
                                         static_cast<std::uint32_t>(first))
                        .Install();
        const auto node = tree.nodes.front().switchNumber;
        all.programs[node] = made.programs[node];
        all.hosts.insert(all.hosts.end(), made.hosts.begin(), made.hosts.end());
        all.clients.insert(all.clients.end(), made.clients.begin(), made.clients.end());
    }
    cluster.aggregations[job] = std::move(all);
}

} // namespace inca
