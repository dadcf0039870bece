/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_TOPOLOGY_HELPER_H
#define INCA_HELPER_TOPOLOGY_HELPER_H

#include "inca/helper/cluster.h"
#include "inca/topology/topology-plan.h"

#include "ns3/attribute.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace inca
{

/**
 * @ingroup inca
 *
 * Builds the hosts, switches and cables of a plan. Host i has a NIC, a host path and a transport, and
 * a link to its switch, whose port sends as fast as the NIC, unless SetPortAttribute says how fast. Both ends of a
 * trunk send at the trunk rate. Switches know the ways to all hosts from the start. A switch's first ports lead to its hosts,
 * in order. A NIC has engines once it is given a codec (TrainingHelper, Nic::SetCodec).
 *
 * What is not set here has the attribute's default, so ns3::Config::SetDefault reaches every object.
 */
class TopologyHelper
{
  public:
    TopologyHelper();

    /** Sets an attribute of all objects of a kind; trunks are links too. @{ */
    void SetNicAttribute(const std::string& name, const ns3::AttributeValue& value);
    /** Sets an attribute of all links, also of those between switches. */
    void SetLinkAttribute(const std::string& name, const ns3::AttributeValue& value);
    /** Sets an attribute of all switches. */
    void SetSwitchAttribute(const std::string& name, const ns3::AttributeValue& value);
    /** Sets an attribute of all ports of switches. */
    void SetPortAttribute(const std::string& name, const ns3::AttributeValue& value);
    /** Sets an attribute of the host paths of all nodes that had none before. */
    void SetHostPathAttribute(const std::string& name, const ns3::AttributeValue& value);
    /** Sets an attribute of all transports. */
    void SetTransportAttribute(const std::string& name, const ns3::AttributeValue& value);
    /** @} */

    /** Which kind of MessageTransport hosts have: "inca::Transport", the default, or "inca::TcpTransport". */
    void SetTransport(const std::string& typeId);

    /** Sets an attribute of the links between switches; it wins over SetLinkAttribute. */
    void SetTrunkAttribute(const std::string& name, const ns3::AttributeValue& value);

    /** The rate of one host's NIC and of the switch's port to it. */
    void SetHostRate(std::uint32_t host, ns3::DataRate rate);

    /** The rate of trunks, each way; at first, that of ports' attributes, or of a NIC without a rate of its own. */
    void SetTrunkRate(ns3::DataRate rate);

    /** The same of one trunk of the plan. */
    void SetTrunkRate(std::uint32_t trunk, ns3::DataRate rate);

    /**
     * The delay of the links inside nodes, where a plan has such (TopologyPlan::nodeSize); 0 at first. The switch inside a node
     * has no latency of its own, holds whatever comes, and sends by the rail of the destination.
     */
    void SetNodeDelay(ns3::Time delay);

    /**
     * Builds @p plan with nodes of its own.
     * Ends the program if the plan does not let every host reach every other, or ns-3 does not count
     *         picoseconds
     */
    Cluster Install(const TopologyPlan& plan) const;

    /**
     * The same with @p nodes as hosts, one each, which may have anything else already: a node may be in
     * several clusters, over a NIC each, which share its HostPath, made by the first of them.
     */
    Cluster Install(const TopologyPlan& plan, const ns3::NodeContainer& nodes) const;

    /**
     * Gives the error models on @p cluster's links streams of their own, from @p stream on: those of
     * RandomLoss and of ns-3 that draw. @return how many
     */
    static std::int64_t AssignStreams(const Cluster& cluster, std::int64_t stream);

  private:
    void AddSwitches(Cluster& cluster) const; ///< of the plan
    void AddHost(Cluster& cluster,
                 std::uint32_t host) const; ///< with NIC, link, port, path and transport
    void AddTrunks(Cluster& cluster) const; ///< with their ports

    ns3::Ptr<Nic> MakeNic(const ns3::Ptr<ns3::Node>& node) const; ///< on a node
    ns3::Ptr<HostPath> MakePath(
        const ns3::Ptr<ns3::Node>& node) const; ///< or the one that the node has
    ns3::Ptr<MessageTransport> MakeTransport(const ns3::Ptr<Nic>& nic) const; ///< on a NIC
    ns3::Ptr<Link> MakeTrunkLink() const; ///< with its own attributes
    ns3::Ptr<SwitchPort> MakePort(const Cluster& cluster,
                                  std::uint32_t number) const; ///< of a switch
    ns3::DataRate TrunkRate() const; ///< as set, or as ports or NICs have it

    ns3::ObjectFactory m_nics;       ///< of hosts
    ns3::ObjectFactory m_links;      ///< of hosts and trunks
    ns3::ObjectFactory m_switches;   ///< of the plan
    ns3::ObjectFactory m_ports;      ///< of switches
    ns3::ObjectFactory m_paths;      ///< of hosts
    ns3::ObjectFactory m_transports; ///< of hosts
    std::map<std::string, ns3::Ptr<ns3::AttributeValue>>
        m_trunkAttributes;                               ///< that win over those of links
    std::map<std::uint32_t, ns3::DataRate> m_hostRates;  ///< by host
    std::map<std::uint32_t, ns3::DataRate> m_trunkRates; ///< by trunk, where it has its own
    std::optional<ns3::DataRate> m_trunkRate;            ///< empty: as ports or NICs have it
    ns3::Time m_nodeDelay{0};                            ///< of links inside nodes
};

/** The simplest topology: hosts around one switch, whose port i leads to host i. */
class StarHelper : public TopologyHelper
{
  public:
    using TopologyHelper::Install;

    /**
     * Builds @p hosts nodes and a switch.
     * Ends the program for less than 2 hosts, or if ns-3 does not count picoseconds.
     */
    Cluster Install(std::uint32_t hosts) const;

    /** The same around @p nodes, which may have anything else already. */
    Cluster Install(const ns3::NodeContainer& nodes) const;
};

} // namespace inca

#endif // INCA_HELPER_TOPOLOGY_HELPER_H
