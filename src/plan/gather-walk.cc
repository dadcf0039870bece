/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/gather-walk.h"

#include <cstddef>
#include <numeric>
#include <utility>

namespace inca
{

GatherWalk::GatherWalk(const TrainingJob& job,
                       const ExchangeTimes& exchanges,
                       std::vector<const WorkerChain*> chains)
    : m_job(job),
      m_exchanges(exchanges),
      m_chains(std::move(chains))
{
}

void
GatherWalk::Iterate(Times& computed, Times& ends) const
{
    for (std::uint32_t batch = 0; batch < m_job.exchangedBatches; ++batch)
    {
        Forward(computed, ends);
        Backward(computed, ends);
    }
}

void
GatherWalk::Forward(Times& computed, Times& ends) const
{
    auto asked = computed;
    for (std::size_t worker = 0; worker < computed.size(); ++worker)
    {
        computed[worker] += m_chains[worker]->head;
    }
    for (auto bucket = m_job.buckets.size(); bucket-- > 0;)
    {
        const auto& begun = m_job.overlap ? asked : computed;
        Gather(bucket, m_job.buckets[bucket].forwardGathers, begun, computed, ends);
        asked = computed;
        Add(&BucketWork::forward, bucket, computed);
    }
}

void
GatherWalk::Backward(Times& computed, Times& ends) const
{
    for (std::size_t worker = 0; worker < computed.size(); ++worker)
    {
        computed[worker] += m_chains[worker]->tail;
    }
    std::vector<Handover> handovers(computed.size());
    for (std::size_t bucket = 0; bucket < m_job.buckets.size(); ++bucket)
    {
        const auto begun = computed;
        Times ready;
        for (std::size_t worker = 0; worker < computed.size(); ++worker)
        {
            const auto& work = m_chains[worker]->buckets[bucket];
            ready.push_back(handovers[worker].Pass(computed[worker] + work.gradients, work));
        }
        Add(&BucketWork::backward, bucket, computed);
        const bool hasNext = bucket + 1 < m_job.buckets.size();
        if (hasNext && m_job.overlap)
        {
            const auto& next = m_job.buckets[bucket + 1];
            Gather(bucket + 1, next.backwardGathers, begun, computed, ends);
        }
        Pass(m_job.buckets[bucket].chunks, ready, ends);
        if (hasNext && !m_job.overlap)
        {
            const auto& next = m_job.buckets[bucket + 1];
            AwaitEnds(ends, computed);
            Gather(bucket + 1, next.backwardGathers, computed, computed, ends);
        }
    }
}

/** Workers do nothing before their exchanges have ended. */
void
GatherWalk::AwaitEnds(const Times& ends, Times& computed) const
{
    for (std::size_t worker = 0; worker < computed.size(); ++worker)
    {
        computed[worker].Await(ends[worker]);
    }
}

void
GatherWalk::Add(LimitedTime BucketWork::*part, std::size_t bucket, Times& computed) const
{
    for (std::size_t worker = 0; worker < computed.size(); ++worker)
    {
        computed[worker] += m_chains[worker]->buckets[bucket].*part;
    }
}

/** @param ready by worker: when it may begin */
void
GatherWalk::Pass(const Chunks& chunks, const Times& ready, Times& ends) const
{
    LimitedTime all;
    for (std::size_t worker = 0; worker < ready.size(); ++worker)
    {
        ends[worker].Await(ready[worker]);
        all.Await(ready[worker]);
    }
    for (std::size_t worker = 0; m_job.startTogether && worker < ready.size(); ++worker)
    {
        ends[worker].Await(all);
    }
    m_exchanges.PassAll(chunks, ends);
}

/** @param computed until then workers have something else to do; then they wait for what comes last */
void
GatherWalk::Gather(std::size_t bucket,
                   const Chunks& chunks,
                   const Times& asked,
                   Times& computed,
                   Times& ends) const
{
    Pass(chunks, asked, ends);
    std::uint64_t elements = 0;
    for (const auto chunk : chunks)
    {
        elements += m_job.chunks[chunk].range.count;
    }
    const auto& last = m_job.chunks[chunks.back()];
    const auto share = static_cast<double>(last.range.count) / static_cast<double>(elements);
    const LimitedTime sharing{Limit::HOST, static_cast<double>(last.gatherPs)};
    for (std::size_t worker = 0; worker < computed.size(); ++worker)
    {
        const auto copying = m_chains[worker]->buckets[bucket].copying * share;
        computed[worker].Await(ends[worker] + copying + sharing);
    }
}

void
GatherWalk::Exchange(Times& ends) const
{
    Chunks all(m_job.chunks.size());
    std::iota(all.begin(), all.end(), 0U);
    m_exchanges.PassAll(all, ends);
}

} // namespace inca
