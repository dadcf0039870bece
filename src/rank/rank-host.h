/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_RANK_HOST_H
#define INCA_RANK_RANK_HOST_H

#include "inca/aggregation/aggregation-client.h"
#include "inca/job/timeline.h"
#include "inca/job/training-job.h"
#include "inca/rank/job-clock.h"
#include "inca/rank/rank-addresses.h"
#include "inca/rank/rank-resource.h"
#include "inca/rank/reduction-order.h"
#include "inca/transport/host-path.h"
#include "inca/transport/message-transport.h"

#include "ns3/ptr.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace inca
{

/** A rank makes weights of sums that it has got in an exchange. */
struct ShardUpdate
{
    std::uint32_t exchange{0}; ///< its number, over all batches
    /** How many parts of the exchange, such as channels, say so before it goes on; 0: more sums of this part follow. */
    std::uint32_t parts{1};
    std::int64_t durationPs{0}; ///< how long the update takes
    std::function<void()> done; ///< called when the update is made, or may be counted as made
};

/** A rank begins a step. */
struct StepBegin
{
    Rank rank{0};             ///< which does
    std::uint32_t round{0};   ///< over all rounds of all exchanges
    std::uint32_t channel{0}; ///< of the round
    std::uint32_t alike{0};   ///< so many steps from this one on are alike
};

/** What some switches add for a rank. */
struct NetworkSums
{
    ns3::Ptr<AggregationClient> client; ///< null: they do not
    ReductionOrder sums;                ///< of what they add
    ReductionOrder gathers; ///< of what they hand on, which may wait for updates after other sums
};

/** What a rank lends to its exchanges; it outlives them. */
struct RankHost
{
    Rank rank{0};                                   ///< its number in the job
    std::shared_ptr<const TrainingJob> job;         ///< which all its ranks share
    std::shared_ptr<const RankAddresses> addresses; ///< of all ranks
    ns3::Ptr<MessageTransport> transport;           ///< carries its messages
    ns3::Ptr<HostPath> path;                        ///< of the node that it is on
    std::array<NetworkSums, 2> networkSums; ///< of switches between nodes; and inside its own
    WeightShards weights;                   ///< where each worker keeps a part, and values travel
    JobClock clock;                         ///< of all that it does
    Timeline timeline;                      ///< what it has done, and whom it has waited for
    ResourceWorkSink worked;                ///< is told of all work; may be empty
    std::function<void(const StepBegin&)> stepBegun;     ///< is told of all steps; may be empty
    RankResource codec{timeline, clock, worked};         ///< encodes and decodes
    RankResource sum{timeline, clock, worked};           ///< adds what was received
    RankResource gpu{timeline, clock, worked};           ///< computes
    RankResource processor{timeline, clock, worked};     ///< of the host: what it updates
    std::function<void(const ShardUpdate&)> updateShard; ///< perhaps with all others at the end

    /** @return those of the switches that add @p step */
    NetworkSums& SumsOf(const Step& step)
    {
        return networkSums[step.addsInNodes ? 1 : 0];
    }

    /** What updates weights: a worker's GPUs, or a host. */
    RankResource& Updater()
    {
        return job->IsWorker(rank) && !job->updatesOnHost ? gpu : processor;
    }

    std::uint64_t sumBytesPerSecond{0}; ///< added plain bytes; 0: adding costs nothing
    CodingRates codingRates;            ///< of a host's codec
};

} // namespace inca

#endif // INCA_RANK_RANK_HOST_H
