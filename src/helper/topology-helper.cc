/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/topology-helper.h"

#include "base/interrupt.h"
#include "device/random-loss.h"
#include "device/set-up-error.h"
#include "helper/time-resolution.h"
#include "topology/plan-checks.h"
#include "topology/topology-catalog.h"
#include "transport/flow-transport.h"

#include "ns3/error-model.h"
#include "ns3/log.h"
#include "ns3/node-list.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

NS_LOG_COMPONENT_DEFINE("IncaTopologyHelper");

namespace
{

/** Tells every switch which ports lead up, and which way every host is. */
void
TeachRoutes(const Cluster& cluster)
{
    std::vector<std::vector<std::size_t>> uplinks(cluster.switches.size());
    for (std::size_t i = 0; i < cluster.trunks.size(); ++i)
    {
        const auto& planned = cluster.plan.trunks[i];
        const auto& trunk = cluster.trunks[i];
        uplinks[planned.lower].push_back(trunk.lowerPort);
    }
    const auto routes = DownRoutes(cluster.plan);
    const auto waysUp = WaysUp(cluster.plan);
    for (std::size_t number = 0; number < cluster.switches.size(); ++number)
    {
        cluster.switches[number]->SetNumber(static_cast<std::uint32_t>(number), waysUp[number]);
        cluster.switches[number]->SetUplinks(std::move(uplinks[number]));
        for (const auto& route : routes[number])
        {
            std::vector<std::size_t> ports;
            for (const auto trunk : route.trunks)
            {
                ports.push_back(cluster.trunks[trunk].upperPort);
            }
            if (cluster.plan.trunks[route.trunks.front()].lower < cluster.plan.nodes)
            {
                ports = {ports[route.host % ports.size()]}; // the rail on which it came
            }
            cluster.switches[number]->Learn(cluster.Address(route.host), std::move(ports));
        }
    }
}

/** Where hosts stand in for others, as TrainingHelper::InstallFolded has it, it is in turn. */
void
IntroducePeers(const Cluster& cluster)
{
    const auto all = std::make_shared<std::vector<MessageTransport*>>();
    for (const auto& transport : cluster.transports)
    {
        all->push_back(ns3::PeekPointer(transport));
        transport->SetPeers([all, before = cluster.hostsBefore](ns3::Mac48Address address) {
            return (*all)[(HostAt(address) - before) % all->size()];
        });
    }
}

/** Where a port of a switch leads. */
struct FlowStep
{
    std::uint32_t link{0};               ///< of the FlowNetwork
    std::optional<std::uint32_t> next{}; ///< a switch; empty: the host
    std::size_t from{0};                 ///< the port where it comes in there
};

/** The way of a flow is that of its frames, as switches choose it. */
class FlowRouter
{
  public:
    explicit FlowRouter(const Cluster& cluster)
        : m_hostSwitch(cluster.plan.hostSwitch),
          m_hostPorts(cluster.hostPorts),
          m_switches(cluster.switches),
          m_steps(cluster.switches.size()),
          m_hostsBefore(cluster.hostsBefore)
    {
        const auto hosts = cluster.plan.HostCount();
        for (std::uint32_t host = 0; host < hosts; ++host)
        {
            StepAt(m_hostSwitch[host], m_hostPorts[host]) = {2 * host + 1};
        }
        for (std::uint32_t i = 0; i < cluster.trunks.size(); ++i)
        {
            const auto& [lower, upper, floods] = cluster.plan.trunks[i];
            const auto& trunk = cluster.trunks[i];
            StepAt(lower, trunk.lowerPort) = {2 * (hosts + i), upper, trunk.upperPort};
            StepAt(upper, trunk.upperPort) = {2 * (hosts + i) + 1, lower, trunk.lowerPort};
        }
    }

    void operator()(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& links) const
    {
        const auto source = HostAddress(m_hostsBefore + from);
        const auto destination = HostAddress(m_hostsBefore + to);
        links.push_back(2 * from);
        std::optional<std::uint32_t> at = m_hostSwitch[from];
        for (auto port = m_hostPorts[from]; at;)
        {
            const auto& step =
                m_steps[*at][m_switches[*at]->PortTowards(destination, source, port).value()];
            links.push_back(step.link);
            at = step.next;
            port = step.from;
        }
    }

  private:
    FlowStep& StepAt(std::uint32_t number, std::size_t port)
    {
        auto& steps = m_steps[number];
        steps.resize(std::max(steps.size(), port + 1));
        return steps[port];
    }

    std::vector<std::uint32_t> m_hostSwitch;
    std::vector<std::size_t> m_hostPorts;
    std::vector<ns3::Ptr<Switch>> m_switches;
    std::vector<std::vector<FlowStep>> m_steps; ///< by switch and port
    std::uint32_t m_hostsBefore;
};

/** Gives transports that carry flows the network that all of them share. */
void
JoinFlows(Cluster& cluster)
{
    std::vector<FlowLink> links;
    const auto add = [&links](ns3::Ptr<LinkPort> port,
                              const ns3::Ptr<Link>& link,
                              const ns3::Ptr<Switch>& behind) {
        const auto switchPs = behind ? behind->LatencyPs() : 0;
        links.push_back({std::move(port), link->DelayPs() + switchPs, switchPs});
    };
    for (std::uint32_t host = 0; host < cluster.plan.HostCount(); ++host)
    {
        add(cluster.nics[host], cluster.links[host], cluster.SwitchOf(host));
        add(cluster.PortTo(host), cluster.links[host], nullptr);
    }
    for (std::size_t i = 0; i < cluster.trunks.size(); ++i)
    {
        const auto& trunk = cluster.trunks[i];
        const auto& lower = cluster.switches[cluster.plan.trunks[i].lower];
        const auto& upper = cluster.switches[cluster.plan.trunks[i].upper];
        add(lower->GetPort(trunk.lowerPort), trunk.link, upper);
        add(upper->GetPort(trunk.upperPort), trunk.link, lower);
    }
    cluster.flows =
        ns3::Create<FlowNetwork>(std::move(links), cluster.plan.HostCount(), FlowRouter(cluster));
    for (std::uint32_t host = 0; host < cluster.transports.size(); ++host)
    {
        ns3::DynamicCast<FlowTransport>(cluster.transports[host])->SetNetwork(cluster.flows, host);
    }
}

/** Their hosts and switches have addresses already. */
void
CountEarlierClusters(Cluster& cluster)
{
    for (auto node = ns3::NodeList::Begin(); node != ns3::NodeList::End(); ++node)
    {
        cluster.switchesBefore += (*node)->GetObject<Switch>() ? 1 : 0;
        for (std::uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            cluster.hostsBefore += ns3::DynamicCast<Nic>((*node)->GetDevice(i)) ? 1 : 0;
        }
    }
}

TopologyPlan
StarPlan(std::uint32_t hosts)
{
    TopologySpec spec;
    spec.name = "star";
    spec.hosts = hosts;
    return AsSetUp([&] { return MakeTopology(spec); });
}

} // namespace

TopologyHelper::TopologyHelper()
    : m_nics("inca::Nic"),
      m_links("inca::Link"),
      m_switches("inca::Switch"),
      m_ports("inca::SwitchPort"),
      m_paths("inca::HostPath"),
      m_transports("inca::Transport")
{
}

void
TopologyHelper::SetNicAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_nics.Set(name, value);
}

void
TopologyHelper::SetLinkAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_links.Set(name, value);
}

void
TopologyHelper::SetSwitchAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_switches.Set(name, value);
}

void
TopologyHelper::SetPortAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_ports.Set(name, value);
}

void
TopologyHelper::SetHostPathAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_paths.Set(name, value);
}

void
TopologyHelper::SetTransportAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_transports.Set(name, value);
}

void
TopologyHelper::SetTransport(const std::string& typeId)
{
    m_transports.SetTypeId(typeId);
}

void
TopologyHelper::SetTrunkAttribute(const std::string& name, const ns3::AttributeValue& value)
{
    m_trunkAttributes[name] = value.Copy();
}

void
TopologyHelper::SetHostRate(std::uint32_t host, ns3::DataRate rate)
{
    m_hostRates[host] = rate;
}

void
TopologyHelper::SetTrunkRate(ns3::DataRate rate)
{
    m_trunkRate = rate;
}

void
TopologyHelper::SetTrunkRate(std::uint32_t trunk, ns3::DataRate rate)
{
    m_trunkRates[trunk] = rate;
}

void
TopologyHelper::SetNodeDelay(ns3::Time delay)
{
    m_nodeDelay = delay;
}

std::int64_t
TopologyHelper::AssignStreams(const Cluster& cluster, std::int64_t stream)
{
    auto links = cluster.links;
    for (const auto& trunk : cluster.trunks)
    {
        links.push_back(trunk.link);
    }
    auto next = stream;
    for (std::size_t i = 0; i < 2 * links.size(); ++i)
    {
        const auto model = links[i / 2]->GetErrorModel(i % 2);
        if (const auto loss = ns3::DynamicCast<RandomLoss>(model))
        {
            next += loss->AssignStreams(next);
        }
        else if (const auto rate = ns3::DynamicCast<ns3::RateErrorModel>(model))
        {
            next += rate->AssignStreams(next);
        }
        else if (const auto burst = ns3::DynamicCast<ns3::BurstErrorModel>(model))
        {
            next += burst->AssignStreams(next);
        }
    }
    return next - stream;
}

Cluster
TopologyHelper::Install(const TopologyPlan& plan) const
{
    RequirePicosecondResolution();
    RequireSequentialSimulator(); // before a node asks for the simulator
    ns3::NodeContainer nodes;
    nodes.Create(plan.HostCount());
    return Install(plan, nodes);
}

Cluster
TopologyHelper::Install(const TopologyPlan& plan, const ns3::NodeContainer& nodes) const
{
    NS_LOG_FUNCTION(this << plan.name);
    RequirePicosecondResolution();
    AsSetUp([&] { CheckPlan(plan); });
    INCA_ABORT_MSG_IF(nodes.GetN() != plan.HostCount(),
                      "a " + plan.name + " of " + std::to_string(plan.HostCount()) +
                          " hosts needs as many nodes, got " + std::to_string(nodes.GetN()));
    Cluster cluster;
    cluster.plan = plan;
    cluster.hosts = nodes;
    CountEarlierClusters(cluster);
    AddSwitches(cluster);
    for (std::uint32_t host = 0; host < plan.HostCount(); ++host)
    {
        ThrowIfInterrupted();
        AddHost(cluster, host);
    }
    AddTrunks(cluster);
    TeachRoutes(cluster);
    IntroducePeers(cluster);
    if (ns3::DynamicCast<FlowTransport>(cluster.transports.front()))
    {
        JoinFlows(cluster);
    }
    return cluster;
}

void
TopologyHelper::AddSwitches(Cluster& cluster) const
{
    cluster.switchNodes.Create(static_cast<std::uint32_t>(cluster.plan.switches.size()));
    for (std::uint32_t number = 0; number < cluster.switchNodes.GetN(); ++number)
    {
        const auto made = m_switches.Create<Switch>();
        if (number < cluster.plan.nodes)
        {
            made->SetAttribute("Latency", ns3::TimeValue(ns3::Time(0)));
            made->SetAttribute("Routing", ns3::StringValue("d-mod-k"));
        }
        cluster.switchNodes.Get(number)->AggregateObject(made);
        cluster.switches.push_back(made);
    }
}

void
TopologyHelper::AddHost(Cluster& cluster, std::uint32_t host) const
{
    const auto node = cluster.hosts.Get(host);
    const auto nic = MakeNic(node);
    nic->SetAddress(HostAddress(cluster.hostsBefore + host));
    const auto link = m_links.Create<Link>();
    const auto home = cluster.SwitchOf(host);
    if (cluster.plan.nodeSize > 1)
    {
        link->SetAttribute("Delay", ns3::TimeValue(m_nodeDelay));
    }
    const auto before = MakePort(cluster, cluster.plan.hostSwitch[host]);
    if (const auto rate = m_hostRates.find(host); rate != m_hostRates.end())
    {
        nic->SetAttribute("DataRate", ns3::DataRateValue(rate->second));
        before->SetAttribute("DataRate", ns3::DataRateValue(rate->second));
    }
    nic->Attach(link);
    const auto port = home->AddPort(before, link);
    cluster.nics.push_back(nic);
    home->Learn(cluster.Address(host), port);
    cluster.links.push_back(link);
    cluster.hostPorts.push_back(port);
    cluster.paths.push_back(MakePath(node));
    cluster.transports.push_back(MakeTransport(nic));
    cluster.transports.back()->SetRoom(before->BufferBytes());
}

void
TopologyHelper::AddTrunks(Cluster& cluster) const
{
    if (cluster.plan.trunks.empty())
    {
        return;
    }
    const auto usual = TrunkRate();
    for (std::uint32_t i = 0; i < cluster.plan.trunks.size(); ++i)
    {
        const auto& planned = cluster.plan.trunks[i];
        const auto own = m_trunkRates.find(i);
        const auto rate = own != m_trunkRates.end() ? own->second : usual;
        Trunk trunk;
        trunk.link = MakeTrunkLink();
        const auto plug = [&](std::uint32_t number) {
            const auto port = MakePort(cluster, number);
            port->SetAttribute("DataRate", ns3::DataRateValue(rate));
            return cluster.switches[number]->AddPort(port, trunk.link, planned.floods);
        };
        trunk.lowerPort = plug(planned.lower);
        trunk.upperPort = plug(planned.upper);
        cluster.trunks.push_back(trunk);
    }
}

ns3::Ptr<SwitchPort>
TopologyHelper::MakePort(const Cluster& cluster, std::uint32_t number) const
{
    auto port = m_ports.Create<SwitchPort>();
    if (number < cluster.plan.nodes)
    {
        port->SetAttribute("Buffer",
                           ns3::UintegerValue(std::numeric_limits<std::uint64_t>::max() / 2));
    }
    return port;
}

ns3::Ptr<Nic>
TopologyHelper::MakeNic(const ns3::Ptr<ns3::Node>& node) const
{
    auto nic = m_nics.Create<Nic>();
    nic->AggregateObject(ns3::CreateObject<ns3::NetDeviceQueueInterface>());
    node->AddDevice(nic);
    return nic;
}

ns3::Ptr<HostPath>
TopologyHelper::MakePath(const ns3::Ptr<ns3::Node>& node) const
{
    auto path = node->GetObject<HostPath>();
    if (!path)
    {
        path = m_paths.Create<HostPath>();
        node->AggregateObject(path);
    }
    return path;
}

ns3::Ptr<MessageTransport>
TopologyHelper::MakeTransport(const ns3::Ptr<Nic>& nic) const
{
    auto transport = m_transports.Create<MessageTransport>();
    transport->SetNic(nic);
    nic->AggregateObject(transport);
    return transport;
}

ns3::Ptr<Link>
TopologyHelper::MakeTrunkLink() const
{
    auto link = m_links.Create<Link>();
    for (const auto& [name, value] : m_trunkAttributes)
    {
        link->SetAttribute(name, *value);
    }
    return link;
}

ns3::DataRate
TopologyHelper::TrunkRate() const
{
    const auto ofPorts = m_ports.Create<SwitchPort>()->BitsPerSecond();
    const auto rate = ofPorts > 0 ? ofPorts : m_nics.Create<Nic>()->BitsPerSecond();
    return m_trunkRate.value_or(ns3::DataRate(rate));
}

Cluster
StarHelper::Install(std::uint32_t hosts) const
{
    return Install(StarPlan(hosts));
}

Cluster
StarHelper::Install(const ns3::NodeContainer& nodes) const
{
    return Install(StarPlan(nodes.GetN()), nodes);
}

} // namespace inca
