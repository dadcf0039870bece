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
 * Puts one rank of @p job on each host of @p cluster: workers on the first, aggregators or servers
 * behind them. The applications start when the simulation does. If the network
 * adds for the job (switch-slots, switch-tree), InstallAggregation comes first.
 * @return the applications, by rank
 * @throws InputError if the job has no chunks, or the cluster not exactly as many hosts as the job
 *         has ranks, or the network is to add and the cluster's switches do not
 */
std::vector<ns3::Ptr<RankApplication>> InstallJob(const std::shared_ptr<const TrainingJob>& job,
                                                  const Cluster& cluster);

} // namespace inca

#endif // INCA_HELPER_JOB_HELPER_H
