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
        AddReady(chain);
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

    void AddReady(WorkerChain& chain) const
    {
        LimitedTime gradients;
        LimitedTime reduced;
        LimitedTime sparse;
        LimitedTime copied;
        auto layer = m_trace.layers.size();
        for (const auto& bucket : m_job.buckets)
        {
            while (layer > bucket.firstLayer)
            {
                gradients += Compute(m_trace.layers[--layer].backwardPs);
            }
            const LimitedTime reducing{Limit::HOST, static_cast<double>(bucket.reducePs)};
            const LimitedTime sparsifying{Limit::HOST, static_cast<double>(bucket.sparsifyPs)};
            const auto copying = OnHost(BytesOf(bucket), m_copyBytesPerSecond);
            reduced.Await(m_job.overlap ? gradients : chain.backward) += reducing;
            sparse.Await(reduced) += sparsifying;
            copied.Await(sparse) += copying;
            chain.ready.push_back(copied);
            chain.copies += copying;
        }
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
