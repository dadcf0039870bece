/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_CLUSTER_BUILDER_H
#define INCA_EXPERIMENT_CLUSTER_BUILDER_H

#include "inca/helper/cluster.h"
#include "inca/plan/plan.h"

namespace inca
{

/**
 * Hosts, links and switches of a plan, after SetAttributeDefaults; and on the switches, where these add, their aggregation
 * programs.
 * @throws InputError for an attribute that only its object refuses, or a switch's memory that is too
 *         small
 */
Cluster BuildCluster(const Plan& plan);

} // namespace inca

#endif // INCA_EXPERIMENT_CLUSTER_BUILDER_H
