/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/compute-times.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

namespace
{

std::int64_t
TracePs(const LayerRecord& layer, ComputePhase phase)
{
    switch (phase)
    {
    case ComputePhase::FORWARD:
        return layer.forwardPs;
    case ComputePhase::BACKWARD:
        return layer.backwardPs;
    case ComputePhase::UPDATE:
        break;
    }
    return layer.updatePs;
}

} // namespace

ComputeTimes::ComputeTimes(std::shared_ptr<const GradientTrace> trace, const Scenario& scenario)
    : m_trace(std::move(trace)),
      m_scales(scenario.cluster.workers, 1.0),
      m_normal(scenario.training.jitter == "normal"),
      m_lognormal(scenario.training.jitter == "lognormal"),
      m_relativeSd(scenario.training.jitterSd),
      m_seed(scenario.simulation.seed)
{
    for (const auto& worker : scenario.cluster.overrides)
    {
        m_scales[worker.index] = worker.computeScale;
    }
}

std::int64_t
ComputeTimes::Ps(const ComputeKey& key) const
{
    const auto meanPs = TracePs(m_trace->layers[key.layer], key.phase);
    const auto factor = m_scales[key.worker] * Factor(key);
    return factor == 1.0 ? meanPs : std::llround(static_cast<double>(meanPs) * factor);
}

double
ComputeTimes::Factor(const ComputeKey& key) const
{
    if (!m_normal && !m_lognormal)
    {
        return 1.0;
    }
    // One stream per worker; the rest of the key picks a place in it.
    const auto worker = RandomBits(m_seed, key.worker, 0, 0);
    const auto when = (static_cast<std::uint64_t>(key.iteration) << 32U) | key.microBatch;
    const auto what =
        (static_cast<std::uint64_t>(key.layer) << 8U) | static_cast<unsigned>(key.phase);
    RandomStream stream(worker, RandomBits(worker, when, what, 0));
    return m_lognormal ? stream.LogNormalFactor(m_relativeSd)
                       : std::max(0.0, 1.0 + m_relativeSd * stream.Normal());
}

double
FastestScale(const Scenario& scenario)
{
    double fastest = 1.0;
    for (const auto& worker : scenario.cluster.overrides)
    {
        fastest = std::min(fastest, worker.computeScale);
    }
    return fastest;
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
    const auto scaled = [scale](std::int64_t ps) -> std::int64_t {
        return std::llround(static_cast<double>(ps) * scale);
    };
    const auto update = [&](std::size_t layer) {
        const auto ownPs = scaled(trace.layers[layer].updatePs);
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
                gpuPs += scaled(trace.layers[layer].forwardPs);
            }
            for (auto layer = layers; layer-- > 0;)
            {
                gpuPs += scaled(trace.layers[layer].backwardPs);
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
