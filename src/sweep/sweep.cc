/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/sweep.h"

#include "base/errors.h"
#include "plan/plan-maker.h"

#include <iterator>
#include <list>
#include <map>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** A point that is to run. */
struct Task
{
    std::size_t index;
    double work; ///< against the others; seconds of CPU time, as estimated
    double memoryBytes;
};

/** Its run says why, if it cannot be estimated. */
RunEstimate
EstimateIfPossible(const Scenario& scenario)
{
    try
    {
        return EstimateOf(scenario);
    }
    catch (const InputError&)
    {
        return {};
    }
}

Task
TaskOf(std::size_t index, const SweepPoint& point)
{
    constexpr double startSeconds = 0.01; // of a process, and of what is not simulated
    const auto estimate = EstimateIfPossible(point.scenario);
    return {index, startSeconds + estimate.cpuSeconds, estimate.memoryBytes};
}

class Sweep
{
  public:
    Sweep(const SweepPlan& plan, const RunLimits& limits, const SweepUser& user)
        : m_points(plan.points),
          m_slots(limits),
          m_user(user)
    {
        m_progress.points = m_points.size();
    }

    void Run()
    {
        for (std::size_t i = 0; i < m_points.size(); ++i)
        {
            Begin(i);
        }
        m_waiting.sort([](const Task& a, const Task& b) { return a.work > b.work; });
        HandOver();
        while (!m_waiting.empty() || !m_slots.IsIdle())
        {
            StartWhatFits();
            for (auto& [index, result] : m_slots.Wait())
            {
                m_doneWork += m_work[index];
                Take(index, std::move(result));
            }
            HandOver();
        }
    }

  private:
    void Begin(std::size_t index)
    {
        const auto& point = m_points[index];
        if (!point.refusal.empty())
        {
            Take(index, ResultWithout(PointStatus::REFUSED, point.refusal, point.scenario));
            return;
        }
        m_waiting.push_back(TaskOf(index, point));
        m_work[index] = m_waiting.back().work;
        m_wholeWork += m_waiting.back().work;
    }

    void StartWhatFits()
    {
        for (auto task = m_waiting.begin(); task != m_waiting.end() && !m_slots.IsFull();)
        {
            const bool fits = m_slots.HasRoomFor(task->memoryBytes);
            if (fits)
            {
                m_slots.Start(task->index, m_points[task->index].scenario, task->memoryBytes);
            }
            task = fits ? m_waiting.erase(task) : std::next(task);
        }
    }

    void Take(std::size_t index, PointResult result)
    {
        ++m_progress.done;
        m_progress.failed +=
            result.status == PointStatus::FAILED || result.status == PointStatus::TIMEOUT ? 1 : 0;
        m_ended[index] = std::move(result);
    }

    /** The results whose turn it is. */
    void HandOver()
    {
        while (!m_ended.empty() && m_ended.begin()->first == m_handedOver)
        {
            if (m_user.onResult)
            {
                m_user.onResult(m_points[m_handedOver], m_ended.begin()->second);
            }
            m_ended.erase(m_ended.begin());
            ++m_handedOver;
        }
        if (m_user.onProgress)
        {
            m_progress.share = m_wholeWork > 0 ? m_doneWork / m_wholeWork : 1;
            m_user.onProgress(m_progress);
        }
    }

    const std::vector<SweepPoint>& m_points;
    RunSlots m_slots;
    const SweepUser& m_user;
    std::list<Task> m_waiting; ///< longest first
    std::map<std::size_t, double> m_work;
    std::map<std::size_t, PointResult> m_ended; ///< that wait for one before them
    std::size_t m_handedOver{0};
    double m_wholeWork{0};
    double m_doneWork{0};
    SweepProgress m_progress;
};

} // namespace

void
RunSweep(const SweepPlan& plan, const RunLimits& limits, const SweepUser& user)
{
    Sweep(plan, limits, user).Run();
}

} // namespace inca
