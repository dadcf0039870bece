/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_RUN_STATE_H
#define INCA_EXPERIMENT_RUN_STATE_H

#include "helper/cluster.h"
#include "job/training-job.h"
#include "rank/rank-application.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** Payload that hosts have got so far, each byte once: grows while a run goes on. */
std::uint64_t DeliveredBytes(const Cluster& cluster);

/**
 * How long all senders may wait for what was lost though their paths let packets through; 0 if nothing
 * was. (ps)
 */
std::int64_t LongestSilencePs(const Cluster& cluster, const TrainingJob& job);

/**
 * For people, when a run stands still: what was dropped, then the ranks that are not finished and
 * what they wait for, then the switches, which of their slots wait for whom, and what they dropped.
 * Indented lines; of many, the first.
 */
std::string DescribeState(const Cluster& cluster,
                          const TrainingJob& job,
                          const std::vector<ns3::Ptr<RankApplication>>& ranks);

} // namespace inca

#endif // INCA_EXPERIMENT_RUN_STATE_H
