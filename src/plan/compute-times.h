/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_COMPUTE_TIMES_H
#define INCA_PLAN_COMPUTE_TIMES_H

#include "job/training-job.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/**
 * How long a worker computes: the trace's time, times the worker's compute_scale, times a random
 * factor of mean 1 where the scenario has jitter. Every computation has a factor of its own that
 * depends on the seed and on its key alone, whatever else happens in the run. A normal factor that
 * comes out negative counts as 0.
 */
class ComputeTimes
{
  public:
    ComputeTimes(std::shared_ptr<const GradientTrace> trace, const Scenario& scenario);

    std::int64_t Ps(const ComputeKey& key) const;

  private:
    double Factor(const ComputeKey& key) const;

    std::shared_ptr<const GradientTrace> m_trace;
    std::vector<double> m_scales; ///< by worker
    bool m_normal{false};
    bool m_lognormal{false};
    double m_relativeSd{0};
    std::uint64_t m_seed{0};
};

/** The least compute_scale of all workers, at most 1: of the trace's own times. */
double FastestScale(const Scenario& scenario);

/**
 * What an iteration takes with one worker and nobody to exchange with: the mean after the warm-up, at @p scale
 * times the trace's own times. A layer's update begins when its gradient is there (at the end of backward without
 * overlap), beside the rest of backward; it is the faster of the worker's own and, where an aggregator updates, the
 * aggregator's. (ps)
 */
std::int64_t SingleWorkerPs(const GradientTrace& trace,
                            const TrainingJob& job,
                            std::uint32_t warmup,
                            double scale = 1);

} // namespace inca

#endif // INCA_PLAN_COMPUTE_TIMES_H
