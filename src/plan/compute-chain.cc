/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/compute-chain.h"

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

    ComputeChain Make()
    {
        for (const auto& layer : m_trace.layers)
        {
            m_chain.forward += Compute(layer.forwardPs);
            m_chain.backward += Compute(layer.backwardPs);
        }
        m_chain.moreBatches = (m_chain.forward + m_chain.backward) * (m_job.accumulation - 1.0);
        AddUpdates();
        AddBuckets();
        return m_chain;
    }

  private:
    /** As a run rounds it. */
    BoundTime Compute(std::int64_t ps) const
    {
        const auto exact = static_cast<double>(ps) * m_scale;
        return {Limit::COMPUTE, m_scale == 1.0 ? exact : std::round(exact)};
    }

    /** Layers of the last exchange are updated, then used, from the input side on. */
    void AddUpdates()
    {
        const auto& last = m_job.chunks.back();
        const auto layers = m_trace.layers.size();
        const auto first = m_inOrder ? last.firstLayer : layers - 1;
        const bool updates = m_inOrder && !m_job.weightsReturn;
        BoundTime forward;
        for (auto layer = m_job.barrier ? 0 : first; layer < layers; ++layer)
        {
            const auto& times = m_trace.layers[layer];
            if (updates && layer >= first && layer <= last.lastLayer)
            {
                m_chain.updating += Compute(times.updatePs);
            }
            if (!m_job.barrier)
            {
                forward.Await(m_chain.updating);
            }
            forward += Compute(times.forwardPs);
        }
        m_chain.forwardUpdating = m_job.barrier ? m_chain.updating + forward : forward;
    }

    /** Gradients are added up over a worker's GPUs, sparsified and copied, each stage one bucket after the other. */
    void AddBuckets()
    {
        BoundTime gradients;
        BoundTime reduced;
        BoundTime sparse;
        BoundTime copied;
        auto layer = m_trace.layers.size();
        for (const auto& bucket : m_job.buckets)
        {
            while (layer > bucket.firstLayer)
            {
                gradients += Compute(m_trace.layers[--layer].backwardPs);
            }
            const auto copying = Copying(bucket);
            reduced.Await(m_job.overlap ? gradients : m_chain.backward);
            reduced += {Limit::HOST, static_cast<double>(bucket.reducePs)};
            sparse.Await(reduced) += {Limit::HOST, static_cast<double>(bucket.sparsifyPs)};
            m_chain.ready.push_back(copied.Await(sparse) += copying);
            const auto gathers =
                (bucket.forwardGathers.empty() ? 0 : 1) + (bucket.backwardGathers.empty() ? 0 : 1);
            m_chain.copies += copying * (1.0 + gathers);
        }
    }

    BoundTime Copying(const JobBucket& bucket) const
    {
        constexpr double psPerSecond = 1e12;
        std::uint64_t elements = 0;
        for (const auto chunk : bucket.chunks)
        {
            elements += m_job.chunks[chunk].range.count;
        }
        const auto bytes = static_cast<double>(elements * m_job.gradientType.bytes);
        const auto rate = static_cast<double>(m_copyBytesPerSecond);
        return {Limit::HOST, rate == 0 ? 0 : bytes * psPerSecond / rate};
    }

    std::uint64_t m_copyBytesPerSecond;
    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    double m_scale;
    bool m_inOrder;
    ComputeChain m_chain;
};

} // namespace

ComputeChain
MakeComputeChain(const Scenario& scenario,
                 const GradientTrace& trace,
                 const TrainingJob& job,
                 double scale,
                 bool inOrder)
{
    return ChainMaker(scenario, trace, job, scale, inOrder).Make();
}

} // namespace inca
