/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/compute-times.h"

#include "base/random.h"
#include "job/trace-job.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

ComputeTimes::ComputeTimes(std::shared_ptr<const GradientTrace> trace, const Scenario& scenario)
    : m_trace(std::move(trace)),
      m_scales(scenario.cluster.workers, 1.0),
      m_nodeSize(NodeSize(scenario)),
      m_jitter(scenario.training.jitter),
      m_relativeSd(scenario.training.jitterSd),
      m_bySteps(scenario.training.jitterBySteps),
      m_gpus(HasJitter(scenario) ? AddedGpus(scenario) : 1),
      m_updatesFromLast(scenario.training.update != UpdateMode::END),
      m_seed(scenario.simulation.seed),
      m_progress(m_gpus > 1 ? scenario.cluster.workers : 0)
{
    for (const auto& worker : scenario.cluster.overrides)
    {
        m_scales[worker.index] = worker.computeScale;
    }
}

std::int64_t
ComputeTimes::Ps(const ComputeKey& key) const
{
    if (m_gpus == 1)
    {
        return GpuPs(key, key.worker / m_nodeSize, key.worker % m_nodeSize);
    }
    auto& progress = m_progress[key.worker];
    const auto round = key.iteration + (key.phase == ComputePhase::UPDATE ? 1 : 0);
    const auto place = PlaceOf(key);
    if (progress.endPs.empty() || progress.round != round || progress.next > place)
    {
        progress = {
            round, round == 0 ? m_trace->layers.size() : 0, std::vector<std::int64_t>(m_gpus)};
    }
    std::int64_t beforePs = 0;
    auto& endPs = progress.endPs;
    for (; progress.next <= place; ++progress.next)
    {
        beforePs = *std::max_element(endPs.begin(), endPs.end());
        for (std::uint32_t gpu = 0; gpu < m_gpus; ++gpu)
        {
            endPs[gpu] += GpuPs(KeyAt(key.worker, round, progress.next), key.worker, gpu);
        }
    }
    return *std::max_element(endPs.begin(), endPs.end()) - beforePs;
}

/** In its round: updates of the iteration before, forward passes from the first layer on, backward ones from the last one. */
std::uint64_t
ComputeTimes::PlaceOf(const ComputeKey& key) const
{
    const std::uint64_t layers = m_trace->layers.size();
    const auto fromLast = layers - 1 - key.layer;
    switch (key.phase)
    {
    case ComputePhase::UPDATE:
        return m_updatesFromLast ? fromLast : key.layer;
    case ComputePhase::FORWARD:
        return layers * (1 + 2 * std::uint64_t{key.microBatch}) + key.layer;
    case ComputePhase::BACKWARD:
        break;
    }
    return layers * (2 + 2 * std::uint64_t{key.microBatch}) + fromLast;
}

/** The inverse of PlaceOf. */
ComputeKey
ComputeTimes::KeyAt(Rank worker, std::uint32_t round, std::uint64_t place) const
{
    const std::uint64_t layers = m_trace->layers.size();
    const auto turn = place / layers;
    const auto layer = static_cast<std::uint32_t>(place % layers);
    const auto fromLast = static_cast<std::uint32_t>(layers - 1 - layer);
    if (turn == 0)
    {
        return {worker, round - 1, 0, m_updatesFromLast ? fromLast : layer, ComputePhase::UPDATE};
    }
    const auto microBatch = static_cast<std::uint32_t>((turn - 1) / 2);
    return turn % 2 == 1 ? ComputeKey{worker, round, microBatch, layer, ComputePhase::FORWARD}
                         : ComputeKey{worker, round, microBatch, fromLast, ComputePhase::BACKWARD};
}

std::int64_t
ComputeTimes::GpuPs(const ComputeKey& key, std::uint32_t node, std::uint32_t gpu) const
{
    const auto meanPs = PhasePs(m_trace->layers[key.layer], key.phase);
    const auto factor = m_scales[node] * Factor(key, node, gpu);
    return factor == 1.0 ? meanPs : std::llround(static_cast<double>(meanPs) * factor);
}

double
ComputeTimes::Factor(const ComputeKey& key, std::uint32_t node, std::uint32_t gpu) const
{
    if (m_jitter == Jitter::NONE)
    {
        return 1.0;
    }
    // One stream per GPU; the rest of the key picks a place in it.
    const auto source = RandomBits(m_seed, node, gpu, 0);
    const auto iteration = static_cast<std::uint64_t>(key.iteration) << 32U;
    const auto when = m_bySteps ? iteration : iteration | key.microBatch;
    const auto layer = static_cast<std::uint64_t>(key.layer) << 8U;
    const auto what = m_bySteps ? 0 : layer | static_cast<unsigned>(key.phase);
    RandomStream stream(source, RandomBits(source, when, what, 0));
    return m_jitter == Jitter::LOGNORMAL ? stream.LogNormalFactor(m_relativeSd)
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
