/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_CRITICAL_PATH_H
#define INCA_EXPERIMENT_CRITICAL_PATH_H

#include "inca/base/path-log.h"
#include "inca/helper/cluster.h"
#include "inca/job/timeline.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/** A kind of piece, to people. */
struct PathKindText
{
    const char* name;
    const char* limit; ///< one of LIMIT_NAMES; empty: none
};

const PathKindText& TextOf(PathKind kind);

/** What a critical path spends on one thing in one place. */
struct PathShare
{
    PathKind kind{PathKind::START};
    PathKind awaited{
        PathKind::START}; ///< WINDOW or SLOTS: a sender waits for the answer that this is part of
    PathKind trip{
        PathKind::START};    ///< the same of a whole round trip: what was sent, and the answer
    std::uint32_t node{0};   ///< ns-3's number
    std::uint32_t detail{0}; ///< the node's port, the layer, or 1 of a codec between groups
    std::int64_t ps{0};
    std::uint64_t pieces{0};
    std::string place; ///< "worker 0", "worker 0 -> switch"
    std::optional<std::uint32_t>
        host; ///< of the cluster: the one that works, or at the end of the link
};

/** Round trips for whose answers senders wait, which are parts of a critical path. */
struct TripTimes
{
    std::uint64_t count{0};
    std::int64_t allPs{0};
    std::int64_t latencyPs{0};   ///< of links and switches
    std::int64_t busyPs{0};      ///< of what works longest in each
    std::uint64_t busyFrames{0}; ///< on which it works
};

/** By the kind, WINDOW or SLOTS, and the detail of the pieces with which they end. */
using TripTable = std::map<std::pair<PathKind, std::uint32_t>, TripTimes>;

/** When a critical path is where. */
struct PathSpan
{
    Span span;
    std::string name; ///< "link, worker 0 -> switch"
};

/** The chain of events that ends last, each of which the next one has waited for. */
struct CriticalPath
{
    std::vector<PathShare> shares; ///< which add up to the window's length
    TripTable trips;
    std::vector<PathSpan> spans; ///< in order of time, if they are asked for; none of what repeats
};

/**
 * @param end of the path, and of @p window, which is the part of it that is looked at
 * @param hosts names of the first hosts
 */
CriticalPath FindCriticalPath(const PathEnd& end,
                              Span window,
                              bool withSpans,
                              const Cluster& cluster,
                              const std::vector<std::string>& hosts);

} // namespace inca

#endif // INCA_EXPERIMENT_CRITICAL_PATH_H
