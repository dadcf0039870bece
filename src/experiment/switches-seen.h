/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SWITCHES_SEEN_H
#define INCA_EXPERIMENT_SWITCHES_SEEN_H

#include "helper/cluster.h"
#include "job/training-job.h"
#include "record/run-record.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** The switches that add for @p job, as they stand now; empty where none does. */
std::vector<SwitchRow> SwitchesOf(const Cluster& cluster, JobId job);

/** What the workers' sides of them have done, together. */
struct ClientsSeen
{
    std::uint64_t retransmittedFrames{0};
    std::uint64_t clampedValues{0}; ///< did not fit their block's scale, or were no numbers
};

ClientsSeen ClientsOf(const Cluster& cluster, JobId job);

/**
 * At a run's end: every packet that a switch took became something that has a name, and every worker
 * has got all its sums.
 * @throws InvariantError naming the switch, or the worker
 */
void CheckSwitches(const Cluster& cluster, const TrainingJob& job);

} // namespace inca

#endif // INCA_EXPERIMENT_SWITCHES_SEEN_H
