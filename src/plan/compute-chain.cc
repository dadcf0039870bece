/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/compute-chain.h"

#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace inca
{

namespace
{

/** As a run rounds it. */
std::int64_t
Scaled(std::int64_t ps, double scale)
{
    return std::llround(static_cast<double>(ps) * scale);
}

BoundTime
OnHost(double ps)
{
    return {Limit::HOST, ps};
}

class ChainMaker
{
  public:
    ChainMaker(const Scenario& scenario,
               const GradientTrace& trace,
               const TrainingJob& job,
               double scale,
               bool inOrder)
        : m_copyBytesPerSecond(static_cast<double>(CopyBytesPerSecond(scenario))),
          m_trace(trace),
          m_job(job),
          m_scale(scale),
          m_inOrder(inOrder)
    {
    }

    ComputeChain Make()
    {
        BoundTime forward;
        BoundTime backward;
        for (const auto& layer : m_trace.layers)
        {
            forward += Compute(layer.forwardPs);
            backward += Compute(layer.backwardPs);
        }
        const auto moreBatches = (forward + backward) * (m_job.accumulation - 1.0);
        m_chain.before = moreBatches + forward;
        m_chain.compute = m_chain.before + backward;
        m_chain.beforeAgain = moreBatches;
        AddUpdates();
        AddBuckets(backward);
        return m_chain;
    }

  private:
    BoundTime Compute(std::int64_t ps) const
    {
        return {Limit::COMPUTE, static_cast<double>(Scaled(ps, m_scale))};
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
        m_chain.beforeAgain += m_job.barrier ? m_chain.updating + forward : forward;
    }

    /** Gradients are added up over a worker's GPUs, sparsified and copied, each stage one bucket after the other. */
    void AddBuckets(const BoundTime& backward)
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
            const auto copying = OnHost(CopyPs(bucket));
            reduced.Await(m_job.overlap ? gradients : backward);
            reduced += OnHost(static_cast<double>(bucket.reducePs));
            sparse.Await(reduced) += OnHost(static_cast<double>(bucket.sparsifyPs));
            m_chain.ready.push_back(copied.Await(sparse) += copying);
            const auto gathers =
                (bucket.forwardGathers.empty() ? 0 : 1) + (bucket.backwardGathers.empty() ? 0 : 1);
            m_chain.copies += copying * (1.0 + gathers);
        }
    }

    double CopyPs(const JobBucket& bucket) const
    {
        constexpr double psPerSecond = 1e12;
        std::uint64_t elements = 0;
        for (const auto chunk : bucket.chunks)
        {
            elements += m_job.chunks[chunk].range.count;
        }
        const auto bytes = static_cast<double>(elements * m_job.gradientType.bytes);
        return m_copyBytesPerSecond == 0 ? 0 : bytes * psPerSecond / m_copyBytesPerSecond;
    }

    double m_copyBytesPerSecond;
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

std::int64_t
SingleWorkerPs(const GradientTrace& trace,
               const TrainingJob& job,
               std::uint32_t warmup,
               double scale)
{
    const auto layers = trace.layers.size();
    std::vector<std::int64_t> updatedPs(layers, 0); // by layer
    std::int64_t gpuPs = 0;                         // until then the GPU works
    std::int64_t updaterPs = 0;
    std::int64_t warmPs = 0;
    const auto update = [&](std::size_t layer) {
        const auto ownPs = Scaled(trace.layers[layer].updatePs, scale);
        updaterPs =
            std::max(updaterPs, gpuPs) +
            (job.weightsReturn ? std::min(ownPs, job.layers[layer].aggregatorUpdatePs) : ownPs);
        updatedPs[layer] = updaterPs;
    };
    for (std::uint32_t iteration = 0; iteration < job.iterations; ++iteration)
    {
        warmPs = iteration == warmup ? updaterPs : warmPs;
        for (std::uint32_t batch = 0; batch < job.accumulation; ++batch)
        {
            for (std::size_t layer = 0; layer < layers; ++layer)
            {
                const auto readyPs = job.barrier ? updaterPs : updatedPs[layer];
                gpuPs = batch == 0 ? std::max(gpuPs, readyPs) : gpuPs;
                gpuPs += Scaled(trace.layers[layer].forwardPs, scale);
            }
            for (auto layer = layers; layer-- > 0;)
            {
                gpuPs += Scaled(trace.layers[layer].backwardPs, scale);
                if (job.overlap && batch + 1 == job.accumulation)
                {
                    update(layer);
                }
            }
        }
        for (auto layer = layers; !job.overlap && layer-- > 0;)
        {
            update(layer);
        }
    }
    return (updaterPs - warmPs) / (job.iterations - warmup);
}

} // namespace inca
