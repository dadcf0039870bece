/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_COMPUTE_TIMES_H
#define INCA_PLAN_COMPUTE_TIMES_H

#include "inca/job/training-job.h"
#include "inca/scenario/scenario.h"
#include "inca/trace/gradient-trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/**
 * How long a worker computes: the trace's time, times the worker's compute_scale, times a random
 * factor of mean 1 where the scenario has jitter. Every computation of a GPU, or every iteration, has a factor of its own that
 * depends on the seed and on its key alone, whatever else happens in the run. A normal factor that
 * comes out negative counts as 0.
 *
 * The GPUs of a worker update and go through the next passes side by side, and wait for each other where gradients are added up.
 * So the worker has ended a pass when the last of them has: Ps is by how much later than the pass before.
 */
class ComputeTimes
{
  public:
    ComputeTimes(std::shared_ptr<const GradientTrace> trace, const Scenario& scenario);

    std::int64_t Ps(const ComputeKey& key) const;

  private:
    /** How far GPUs are in the updates of an iteration and the passes of the next one, their round. */
    struct Progress
    {
        std::uint32_t round{0};
        std::uint64_t next{0};           ///< place of the first that is not in it
        std::vector<std::int64_t> endPs; ///< by GPU, since the round's begin
    };

    std::int64_t GpuPs(const ComputeKey& key, std::uint32_t node, std::uint32_t gpu) const;
    double Factor(const ComputeKey& key, std::uint32_t node, std::uint32_t gpu) const;
    std::uint64_t PlaceOf(const ComputeKey& key) const;
    ComputeKey KeyAt(Rank worker, std::uint32_t round, std::uint64_t place) const;

    std::shared_ptr<const GradientTrace> m_trace;
    std::vector<double> m_scales; ///< by node
    std::uint32_t m_nodeSize;     ///< workers of a node
    Jitter m_jitter{Jitter::NONE};
    double m_relativeSd{0};
    bool m_bySteps{false};
    std::uint32_t m_gpus{1}; ///< of a worker, which differ
    bool m_updatesFromLast{false};
    std::uint64_t m_seed{0};
    mutable std::vector<Progress>
        m_progress; ///< by worker; what is kept saves time and changes no result
};

/** The least compute_scale of all workers, at most 1: of the trace's own times. */
double FastestScale(const Scenario& scenario);

/**
 * What a worker itself computes in an iteration, at @p scale times the trace's own times: forward and backward passes of all
 * micro-batches, and its GPUs' update, of all weights, of its shard, or none where a host updates. A GPU does one thing
 * at a time, so no iteration is shorter. (ps)
 */
std::int64_t OwnComputePs(const GradientTrace& trace, const TrainingJob& job, double scale = 1);

} // namespace inca

#endif // INCA_PLAN_COMPUTE_TIMES_H
