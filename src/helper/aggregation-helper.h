/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_AGGREGATION_HELPER_H
#define INCA_HELPER_AGGREGATION_HELPER_H

#include "base/job-id.h"
#include "helper/cluster.h"
#include "topology/aggregation-tree.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/**
 * Has switches add for @p job: puts the aggregation program @p name on every switch of the tree
 * that the job's workers need, and its client on each of @p hosts, the workers' own, by worker. Their
 * attributes have their defaults. Every job has slots of its own on a switch.
 * @throws InputError if there is no such program, a switch's memory is too small for it, a host is not
 *         there or named twice, or switches add for the job already
 */
void InstallAggregation(Cluster& cluster,
                        const std::string& name,
                        JobId job,
                        const std::vector<std::uint32_t>& hosts);

/**
 * The same with @p tree, of hosts @p hosts of the cluster, of which each may stand for several
 * (TreeChild::times).
 * @param workers whose values are added, all together
 */
void InstallAggregation(Cluster& cluster,
                        const std::string& name,
                        JobId job,
                        const std::vector<std::uint32_t>& hosts,
                        const AggregationTree& tree,
                        std::uint32_t workers);

/** The same for job 0, whose @p workers are on the first hosts. */
void InstallAggregation(Cluster& cluster, const std::string& name, std::uint32_t workers);

} // namespace inca

#endif // INCA_HELPER_AGGREGATION_HELPER_H
