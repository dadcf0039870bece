/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_LINKS_SEEN_H
#define INCA_EXPERIMENT_LINKS_SEEN_H

#include "device/drop-reason.h"
#include "helper/cluster.h"
#include "job/training-job.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/** What one direction of one link has seen during the whole run. */
struct LinkSeen
{
    std::string name; ///< "worker 0 -> switch", "leaf 0 -> spine 1"
    std::string from;
    std::string to;
    bool leavesSwitch{false}; ///< else it leaves a host
    std::uint64_t bitsPerSecond{0};
    std::uint64_t frames{0};
    std::uint64_t plainBytes{0}; ///< payload of what left the port, as hosts see it
    std::uint64_t wireBytes{0};
    std::uint64_t wireBytesByEnd{0}; ///< of them, of frames that had left when the run ended
    std::uint64_t largestQueueBytes{0};
    std::uint64_t markedFrames{0}; ///< by ECN
    DropCounts drops;              ///< of the port before the link, and on the link
};

/** Both directions of every link as they stand now: host by host, then between switches. */
std::vector<LinkSeen> LinksOf(const Cluster& cluster, const TrainingJob& job);

/** What those of the whole of @p topology are called, in that order; all else is nothing. */
std::vector<LinkSeen> NamedLinks(const TopologyPlan& topology, const TrainingJob& job);

std::uint64_t DroppedFrames(const std::vector<LinkSeen>& links);

/**
 * At a run's end: what went into a port came out or was dropped, and nothing is held.
 * @throws InvariantError naming the port
 */
void CheckConservation(const Cluster& cluster, const TrainingJob& job);

} // namespace inca

#endif // INCA_EXPERIMENT_LINKS_SEEN_H
