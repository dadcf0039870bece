/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/trace-times.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace inca
{

namespace
{

/** One worker by itself, iteration after iteration. */
class SingleWorker
{
  public:
    SingleWorker(const GradientTrace& trace, const TrainingJob& job, double scale)
        : m_trace(trace),
          m_job(job),
          m_scale(scale),
          m_updatedPs(trace.layers.size(), 0)
    {
    }

    /** @return when the iteration's last update ends */
    std::int64_t Iterate()
    {
        for (std::uint32_t batch = 0; batch < m_job.accumulation; ++batch)
        {
            Forward(batch == 0);
            Backward(batch + 1 == m_job.accumulation);
        }
        return m_updaterPs;
    }

  private:
    void Forward(bool waits)
    {
        for (std::size_t layer = 0; layer < m_updatedPs.size(); ++layer)
        {
            if (waits)
            {
                m_gpuPs = std::max(m_gpuPs, m_job.barrier ? m_updaterPs : m_updatedPs[layer]);
            }
            m_gpuPs += Scaled(m_trace.layers[layer].forwardPs);
        }
    }

    void Backward(bool updates)
    {
        for (auto layer = m_updatedPs.size(); layer-- > 0;)
        {
            m_gpuPs += Scaled(m_trace.layers[layer].backwardPs);
            if (updates && m_job.overlap)
            {
                Update(layer);
            }
        }
        for (auto layer = m_updatedPs.size(); updates && !m_job.overlap && layer-- > 0;)
        {
            Update(layer);
        }
    }

    void Update(std::size_t layer)
    {
        m_updaterPs = std::max(m_updaterPs, m_gpuPs) + UpdatePs(layer);
        m_updatedPs[layer] = m_updaterPs;
    }

    std::int64_t UpdatePs(std::size_t layer) const
    {
        const auto ownPs = Scaled(m_trace.layers[layer].updatePs);
        return m_job.weightsReturn ? std::min(ownPs, m_job.layers[layer].aggregatorUpdatePs)
                                   : ownPs;
    }

    std::int64_t Scaled(std::int64_t ps) const
    {
        return std::llround(static_cast<double>(ps) * m_scale);
    }

    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    double m_scale; ///< of the trace's times
    std::int64_t m_gpuPs{0};
    std::int64_t m_updaterPs{0};
    std::vector<std::int64_t> m_updatedPs; ///< by layer
};

} // namespace

TraceTimes
SumTimes(const GradientTrace& trace)
{
    TraceTimes times;
    for (const auto& layer : trace.layers)
    {
        times.forwardPs += layer.forwardPs;
        times.backwardPs += layer.backwardPs;
        times.updatePs += layer.updatePs;
    }
    return times;
}

std::int64_t
ForwardAfterUpdatesPs(const GradientTrace& trace, bool updates, bool barrier)
{
    if (barrier)
    {
        const auto times = SumTimes(trace);
        return times.forwardPs + (updates ? times.updatePs : 0);
    }
    std::int64_t updatedPs = 0;
    std::int64_t forwardPs = 0;
    for (const auto& layer : trace.layers)
    {
        updatedPs += updates ? layer.updatePs : 0;
        forwardPs = std::max(forwardPs, updatedPs) + layer.forwardPs;
    }
    return forwardPs;
}

std::int64_t
SingleWorkerPs(const GradientTrace& trace,
               const TrainingJob& job,
               std::uint32_t warmup,
               double scale)
{
    SingleWorker worker(trace, job, scale);
    std::int64_t beginPs = 0;
    std::int64_t endPs = 0;
    for (std::uint32_t iteration = 0; iteration < job.iterations; ++iteration)
    {
        beginPs = iteration == warmup ? endPs : beginPs;
        endPs = worker.Iterate();
    }
    return (endPs - beginPs) / (job.iterations - warmup);
}

} // namespace inca
