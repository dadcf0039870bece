/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_CLUSTER_H
#define INCA_HELPER_CLUSTER_H

#include "inca/aggregation/aggregation-client.h"
#include "inca/aggregation/aggregation-program.h"
#include "inca/base/job-id.h"
#include "inca/device/link.h"
#include "inca/device/nic.h"
#include "inca/device/switch.h"
#include "inca/topology/topology-plan.h"
#include "inca/transport/flow-network.h"
#include "inca/transport/host-path.h"
#include "inca/transport/message-transport.h"

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace inca
{

/** A cable between two switches, as it was built; by its number in the plan. */
struct Trunk
{
    ns3::Ptr<Link> link;      ///< the lower switch is on side 0
    std::size_t lowerPort{0}; ///< its number on the lower switch
    std::size_t upperPort{0}; ///< its number on the upper switch
};

/** What adds for one job (AggregationHelper). */
struct JobAggregation
{
    std::vector<std::uint32_t> hosts;                 ///< by worker
    std::vector<ns3::Ptr<AggregationClient>> clients; ///< by worker
    /** By switch of the plan; null: it does not add for this job. */
    std::vector<ns3::Ptr<AggregationProgram>> programs;
};

/** A switch that adds for a job. */
struct SwitchAdder
{
    std::size_t number{0};                ///< of the switch in the plan
    std::string part;                     ///< ", rail 2": which part of it, or nothing
    ns3::Ptr<AggregationProgram> program; ///< what it runs
};

/** What a topology helper has built. */
struct Cluster
{
    TopologyPlan plan; ///< what was built

    // -- entry i belongs to host i
    ns3::NodeContainer hosts;                           ///< the nodes
    std::vector<ns3::Ptr<Nic>> nics;                    ///< one on each host
    std::vector<ns3::Ptr<HostPath>> paths;              ///< aggregated to the host's node
    std::vector<ns3::Ptr<MessageTransport>> transports; ///< aggregated to the NIC
    std::vector<ns3::Ptr<Link>> links;                  ///< from host i; the host is on side 0
    std::vector<std::size_t> hostPorts;                 ///< of its switch

    // -- entry i belongs to switch i of the plan
    ns3::NodeContainer switchNodes;         ///< the nodes that the switches are aggregated to
    std::vector<ns3::Ptr<Switch>> switches; ///< with their ports

    // -- of clusters that were built before in this simulation: their addresses precede those here
    std::uint32_t hostsBefore{0};    ///< how many hosts those have
    std::uint32_t switchesBefore{0}; ///< how many switches those have

    std::vector<Trunk> trunks; ///< by their numbers in the plan

    ns3::Ptr<FlowNetwork> flows; ///< what carries messages; null: frames do

    /** Of the jobs, and groups of their workers, for which switches add. */
    std::map<JobId, JobAggregation> aggregations;

    /** What adds for the groups of @p job, or for all of it. */
    std::vector<const JobAggregation*> AggregationsOf(JobId job) const;

    /** The switches that add for @p job, but for those inside nodes that pass a rail's packets on. */
    std::vector<SwitchAdder> AddersOf(JobId job) const;

    /** What adds for @p job; without clients and programs if nothing does. */
    const JobAggregation& AggregationOf(JobId job = JobId()) const;

    /** Ends the program unless all @p numbers are those of hosts here, and different. */
    void RequireHosts(const std::vector<std::uint32_t>& numbers) const;

    /** The MAC address of host @p i. */
    ns3::Mac48Address Address(std::uint32_t i) const;

    /** The switch into which host @p i is plugged, and its port there. @{ */
    ns3::Ptr<Switch> SwitchOf(std::uint32_t i) const;
    ns3::Ptr<SwitchPort> PortTo(std::uint32_t i) const; ///< on the switch
    /** @} */

    /** All NICs, for ns-3's own helpers and for TrainingHelper; or those of some hosts, in this order. @{ */
    ns3::NetDeviceContainer Devices() const;
    ns3::NetDeviceContainer Devices(
        const std::vector<std::uint32_t>& ofHosts) const; ///< of these hosts, in this order
    /** @} */
};

/** @return 02:00:hh:hh:hh:hh (locally administered) after the host's number, counted through all clusters */
ns3::Mac48Address HostAddress(std::uint32_t host);

/** The inverse of HostAddress. */
std::uint32_t HostAt(ns3::Mac48Address address);

/** @return 02:01:ss:ss:ss:ss after the switch's number, counted through all clusters */
ns3::Mac48Address SwitchAddress(std::uint32_t number);

} // namespace inca

#endif // INCA_HELPER_CLUSTER_H
