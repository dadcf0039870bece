/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_SUPPORT_INSTALL_H
#define INCA_TEST_SUPPORT_INSTALL_H

#include "device/set-up-error.h"
#include "helper/aggregation-helper.h"
#include "helper/training-helper.h"

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

namespace inca
{

/** Wherever this is included, set-ups that cannot run throw, so that tests can go on. */
inline const bool g_testsCatch = [] {
    ThrowSetUpErrors();
    return true;
}();

using Ranks = std::vector<ns3::Ptr<RankApplication>>;

/** Puts rank i of @p job on host @p hosts[i]. */
inline Ranks
InstallJob(const Cluster& cluster,
           const std::shared_ptr<const TrainingJob>& job,
           const std::vector<std::uint32_t>& hosts)
{
    return RanksOf(TrainingHelper(job).Install(cluster.Devices(hosts)));
}

/** The same with rank i on host i. */
inline Ranks
InstallJob(const Cluster& cluster, const std::shared_ptr<const TrainingJob>& job)
{
    std::vector<std::uint32_t> hosts(job->chunks.empty() ? 0 : job->RankCount());
    std::iota(hosts.begin(), hosts.end(), 0U);
    return InstallJob(cluster, job, hosts);
}

} // namespace inca

#endif // INCA_TEST_SUPPORT_INSTALL_H
