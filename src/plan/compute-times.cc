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
OwnComputePs(const GradientTrace& trace, const TrainingJob& job, double scale)
{
    const auto scaled = [scale](std::int64_t ps) -> std::int64_t {
        return std::llround(static_cast<double>(ps) * scale);
    };
    std::int64_t passesPs = 0;
    std::int64_t updatePs = 0;
    for (const auto& layer : trace.layers)
    {
        passesPs += scaled(layer.forwardPs) + scaled(layer.backwardPs);
        updatePs += scaled(layer.updatePs);
    }
    const auto shards = std::int64_t{job.workers} * job.updatingGpus;
    const bool isShard = job.UpdatesShards();
    const auto ownPs = isShard ? updatePs / shards : job.weightsReturn ? 0 : updatePs;
    return passesPs * job.accumulation + (job.updatesOnHost ? 0 : ownPs);
}

} // namespace inca
