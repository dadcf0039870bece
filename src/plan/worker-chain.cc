/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/worker-chain.h"

#include "plan/resource-times.h"
#include "scenario/specs.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace inca
{

namespace
{

class ChainMaker
{
  public:
    ChainMaker(const Scenario& scenario,
               const GradientTrace& trace,
               const TrainingJob& job,
               double scale,
               bool inOrder)
        : m_copyBytesPerSecond(CopyBytesPerSecond(scenario)),
          m_trace(trace),
          m_job(job),
          m_scale(scale),
          m_inOrder(inOrder)
    {
    }

    WorkerChain Make()
    {
        WorkerChain chain;
        for (const auto& layer : m_trace.layers)
        {
            chain.forward += Compute(layer.forwardPs);
            chain.backward += Compute(layer.backwardPs);
        }
        chain.moreBatches = (chain.forward + chain.backward) * (m_job.accumulation - 1.0);
        AddUpdates(chain);
        AddBuckets(chain);
        return chain;
    }

  private:
    /** As a run rounds it. */
    LimitedTime Compute(std::int64_t ps) const
    {
        return {Limit::COMPUTE,
                m_scale == 1.0
                    ? static_cast<double>(ps)
                    : static_cast<double>(std::llround(static_cast<double>(ps) * m_scale))};
    }

    /** Layers of the last exchange are updated, then used, from the input side on. */
    void AddUpdates(WorkerChain& chain) const
    {
        const auto& last = m_job.chunks.back();
        const auto layers = m_trace.layers.size();
        const auto first = m_inOrder ? last.firstLayer : layers - 1;
        const bool updates = m_inOrder && !m_job.weightsReturn;
        LimitedTime forward;
        for (auto layer = m_job.barrier ? 0 : first; layer < layers; ++layer)
        {
            const auto& times = m_trace.layers[layer];
            if (updates && layer >= first && layer <= last.lastLayer)
            {
                chain.updating += Compute(times.updatePs);
            }
            if (!m_job.barrier)
            {
                forward.Await(chain.updating);
            }
            forward += Compute(times.forwardPs);
        }
        chain.forwardUpdating = m_job.barrier ? chain.updating + forward : forward;
    }

    /** Both ends count from the input side. */
    LimitedTime Forward(std::size_t begin, std::size_t end) const
    {
        LimitedTime sum;
        for (auto layer = begin; layer < end; ++layer)
        {
            sum += Compute(m_trace.layers[layer].forwardPs);
        }
        return sum;
    }

    LimitedTime Backward(std::size_t begin, std::size_t end) const
    {
        LimitedTime sum;
        for (auto layer = end; layer > begin; --layer)
        {
            sum += Compute(m_trace.layers[layer - 1].backwardPs);
        }
        return sum;
    }

    BucketWork WorkOf(std::size_t index) const
    {
        const auto& bucket = m_job.buckets[index];
        const auto layers = m_trace.layers.size();
        const auto above = index == 0 ? layers : m_job.buckets[index - 1].firstLayer;
        const auto below =
            index + 1 == m_job.buckets.size() ? 0 : m_job.buckets[index + 1].lastLayer + 1;
        BucketWork work;
        work.forward = Forward(bucket.firstLayer, above);
        work.gradients = Backward(bucket.firstLayer, bucket.lastLayer + 1);
        work.backward = Backward(below, bucket.lastLayer + 1);
        work.reducing = {Limit::HOST, static_cast<double>(bucket.reducePs)};
        work.sparsifying = {Limit::HOST, static_cast<double>(bucket.sparsifyPs)};
        work.copying = OnHost(BytesOf(bucket), m_copyBytesPerSecond);
        return work;
    }

    void AddBuckets(WorkerChain& chain) const
    {
        Handover handover;
        LimitedTime gradients;
        auto layer = m_trace.layers.size();
        for (std::size_t index = 0; index < m_job.buckets.size(); ++index)
        {
            const auto& bucket = m_job.buckets[index];
            while (layer > bucket.firstLayer)
            {
                gradients += Compute(m_trace.layers[--layer].backwardPs);
            }
            const auto work = WorkOf(index);
            chain.ready.push_back(handover.Pass(m_job.overlap ? gradients : chain.backward, work));
            const double gathers =
                (bucket.forwardGathers.empty() ? 0 : 1) + (bucket.backwardGathers.empty() ? 0 : 1);
            chain.copies += work.copying * (1 + gathers);
            chain.buckets.push_back(work);
        }
        chain.head = Forward(0, m_job.buckets.back().firstLayer);
        chain.tail = Backward(m_job.buckets.front().lastLayer + 1, m_trace.layers.size());
    }

    std::uint64_t BytesOf(const JobBucket& bucket) const
    {
        std::uint64_t elements = 0;
        for (const auto chunk : bucket.chunks)
        {
            elements += m_job.chunks[chunk].range.count;
        }
        return elements * m_job.gradientType.bytes;
    }

    std::uint64_t m_copyBytesPerSecond;
    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    double m_scale;
    bool m_inOrder;
};

} // namespace

const LimitedTime&
Handover::Pass(const LimitedTime& gradients, const BucketWork& bucket)
{
    m_reduced.Await(gradients) += bucket.reducing;
    m_sparse.Await(m_reduced) += bucket.sparsifying;
    return m_copied.Await(m_sparse) += bucket.copying;
}

WorkerChain
MakeWorkerChain(const Scenario& scenario,
                const GradientTrace& trace,
                const TrainingJob& job,
                double scale,
                bool inOrder)
{
    return ChainMaker(scenario, trace, job, scale, inOrder).Make();
}

} // namespace inca
