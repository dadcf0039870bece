/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_GATHER_WALK_H
#define INCA_PLAN_GATHER_WALK_H

#include "job/training-job.h"
#include "plan/exchange-times.h"
#include "plan/limited-time.h"
#include "plan/worker-chain.h"

#include <cstdint>
#include <vector>

namespace inca
{

/**
 * Takes workers through iterations of a job whose weights are gathered before they are used (as WorkerApplication
 * does): each exchange as soon as the one before it has ended and what it needs is there, each pass of a bucket as soon
 * as the one before it has ended and its weights are there.
 */
class GatherWalk
{
  public:
    /** @param chains by worker; the job and the exchanges must outlive the walk */
    GatherWalk(const TrainingJob& job,
               const ExchangeTimes& exchanges,
               std::vector<const WorkerChain*> chains);

    /**
     * @param computed by worker: the end of its last backward pass; changed to that of the next one
     * @param ends by rank: of its exchanges; changed likewise
     */
    void Iterate(std::vector<LimitedTime>& computed, std::vector<LimitedTime>& ends) const;

    /** The exchanges of an iteration alone, one after the other. */
    void Exchange(std::vector<LimitedTime>& ends) const;

  private:
    using Times = std::vector<LimitedTime>;
    using Chunks = std::vector<std::uint32_t>;

    void Forward(Times& computed, Times& ends) const;
    void Backward(Times& computed, Times& ends) const;
    void Add(LimitedTime BucketWork::*part, std::size_t bucket, Times& computed) const;
    void AwaitEnds(const Times& ends, Times& computed) const;
    void Pass(const Chunks& chunks, const Times& ready, Times& ends) const;
    void Gather(std::size_t bucket,
                const Chunks& chunks,
                const Times& asked,
                Times& computed,
                Times& ends) const;

    const TrainingJob& m_job;
    const ExchangeTimes& m_exchanges;
    std::vector<const WorkerChain*> m_chains;
};

} // namespace inca

#endif // INCA_PLAN_GATHER_WALK_H
