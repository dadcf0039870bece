/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_AGGREGATION_HELPER_H
#define INCA_HELPER_AGGREGATION_HELPER_H

#include "inca/base/job-id.h"
#include "inca/helper/cluster.h"
#include "inca/topology/aggregation-tree.h"

#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/**
 * @ingroup inca
 *
 * Has switches add for jobs: puts an aggregation program on every switch of the tree that a job's workers need, and its
 * client on each worker's NIC. Every job has slots of its own on a switch. What cannot run ends the program with a text
 * that says why.
 */
class AggregationHelper
{
  public:
    /** @param program of the catalogue of aggregation programs */
    explicit AggregationHelper(std::string program = "slots");

    /** Sets an attribute of all programs and clients, at both ends where both have it: "Slots", "Adder", "Timeout". */
    void SetAttribute(const std::string& name, const ns3::AttributeValue& value);

    /** Adds for job 0, whose @p workers are on the first hosts. */
    void Install(Cluster& cluster, std::uint32_t workers) const;

    /** Adds for the workers of @p job, which are on @p hosts, by worker. */
    void Install(Cluster& cluster, JobId job, const std::vector<std::uint32_t>& hosts) const;

    /**
     * The same by a tree of one's own, each of whose hosts may stand for several
     * (TreeChild::times).
     * @param cluster gets the programs and clients
     * @param job for which they add
     * @param hosts of the cluster, by worker: those of the tree
     * @param tree the switches that add, and the hosts and switches below each
     * @param workers whose values are added, all together
     */
    void Install(Cluster& cluster,
                 JobId job,
                 const std::vector<std::uint32_t>& hosts,
                 const AggregationTree& tree,
                 std::uint32_t workers) const;

    /**
     * Adds inside nodes: the switch of each node for its own hosts, whose paths to NICs have no part in it.
     * @param cluster gets the programs and clients
     * @param job for which they add
     * @param hosts of the cluster, by worker: whole nodes
     */
    void InstallInNodes(Cluster& cluster, JobId job, const std::vector<std::uint32_t>& hosts) const;

  private:
    std::string m_program; ///< of the catalogue
    std::vector<std::pair<std::string, ns3::Ptr<ns3::AttributeValue>>>
        m_attributes; ///< of programs and clients
};

} // namespace inca

#endif // INCA_HELPER_AGGREGATION_HELPER_H
