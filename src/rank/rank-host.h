/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_RANK_HOST_H
#define INCA_RANK_RANK_HOST_H

#include "aggregation/aggregation-client.h"
#include "job/timeline.h"
#include "job/training-job.h"
#include "rank/gather-order.h"
#include "rank/job-clock.h"
#include "rank/rank-addresses.h"
#include "rank/rank-resource.h"
#include "transport/host-path.h"
#include "transport/transport.h"

#include "ns3/ptr.h"

#include <cstdint>
#include <memory>

namespace inca
{

/** What a rank lends to its exchanges; it outlives them. */
struct RankHost
{
    Rank rank{0};
    std::shared_ptr<const TrainingJob> job;
    std::shared_ptr<const RankAddresses> addresses;
    ns3::Ptr<Transport> transport;
    ns3::Ptr<HostPath> path;
    ns3::Ptr<AggregationClient> aggregation; ///< null: no switch adds for this rank
    GatherOrder gathers;                     ///< of all-gathers that switches make
    WeightShards weights;                    ///< where each worker keeps a part, and values travel
    JobClock clock;
    Timeline timeline;
    ResourceWorkSink worked; ///< is told of all work; may be empty
    RankResource codec{timeline, clock, worked};
    RankResource sum{timeline, clock, worked};
    RankResource update{timeline, clock, worked};
    std::uint64_t sumBytesPerSecond{0}; ///< added plain bytes; 0: adding costs nothing
    std::uint64_t encodeBytesPerSecond{
        0}; ///< plain bytes, of a codec on the host; 0: costs nothing
    std::uint64_t decodeBytesPerSecond{0};
};

} // namespace inca

#endif // INCA_RANK_RANK_HOST_H
