/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_JOB_HELPER_H
#define INCA_HELPER_JOB_HELPER_H

#include "exchange/exchange-spec.h"
#include "helper/cluster.h"
#include "job/training-job.h"
#include "rank/rank-application.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/** @return the hosts that an exchange needs: its workers, and its aggregator or servers, if any */
std::uint32_t HostsNeeded(const ExchangeSpec& exchange);

/**
 * Puts @p job on a cluster, rank i on host @p hosts[i]: workers first, then aggregators or servers.
 * The applications start when the simulation does. Several jobs may share a cluster, and a host, each
 * with an id of its own. If the network adds for the job (switch-slots, switch-tree), InstallAggregation
 * comes first, for the same job and its workers' hosts.
 * @return the applications, by rank
 * @throws InputError if the job has no chunks; if it has not as many ranks as @p hosts, one of them is
 *         not there, is named twice, or has a rank of a job with the same id; or if the network is
 *         to add and the cluster's switches do not
 */
std::vector<ns3::Ptr<RankApplication>> InstallJob(const Cluster& cluster,
                                                  const std::shared_ptr<const TrainingJob>& job,
                                                  const std::vector<std::uint32_t>& hosts);

/**
 * Puts the first @p simulated ranks of @p job on as many hosts, to stand for all: rank r does what rank
 * r mod simulated does (ShiftSymmetry, @p bitwise or not), and the one switch turns what they send to others into what
 * the others send to them. If the network adds for the job, InstallAggregation with a tree in which
 * host 0 stands for all comes first.
 * @return the applications, by rank
 * @throws InputError as InstallJob
 */
std::vector<ns3::Ptr<RankApplication>> InstallFoldedJob(
    const Cluster& cluster,
    const std::shared_ptr<const TrainingJob>& job,
    Rank simulated,
    bool bitwise);

/** InstallJob with rank i on host i. */
std::vector<ns3::Ptr<RankApplication>> InstallJob(const Cluster& cluster,
                                                  const std::shared_ptr<const TrainingJob>& job);

} // namespace inca

#endif // INCA_HELPER_JOB_HELPER_H
