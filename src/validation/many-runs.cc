/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/many-runs.h"

#include "base/interrupt.h"
#include "validation/run-process.h"

#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace inca
{

namespace
{

/** How far all runs together are. */
class WholeWork
{
  public:
    WholeWork(const std::vector<PlannedRun>& planned, const ValidationProgress& onProgress)
        : m_onProgress(onProgress)
    {
        for (const auto& run : planned)
        {
            m_whole += run.work;
        }
    }

    void Add(double work)
    {
        m_done += work;
        Tell(0);
    }

    /** @param work of runs that have not ended */
    void Tell(double work) const
    {
        if (m_onProgress)
        {
            m_onProgress((m_done + work) / m_whole);
        }
    }

  private:
    const ValidationProgress& m_onProgress;
    double m_whole{0};
    double m_done{0};
};

std::vector<MeasuredRun>
MeasureHere(const std::vector<PlannedRun>& planned, const ValidationRequest& request)
{
    WholeWork whole(planned, request.onProgress);
    std::vector<MeasuredRun> measured;
    for (const auto& run : planned)
    {
        measured.push_back(Measure(
            run.scenario, request.run, [&](double share) { whole.Tell(share * run.work); }));
        whole.Add(run.work);
    }
    return measured;
}

/** Keeps some processes busy until every run has ended. */
class Processes
{
  public:
    Processes(const std::vector<PlannedRun>& planned, const ValidationRequest& request)
        : m_planned(planned),
          m_request(request),
          m_whole(planned, request.onProgress),
          m_measured(planned.size())
    {
    }

    std::vector<MeasuredRun> Take()
    {
        std::size_t next = 0;
        while (next < m_planned.size() || !m_running.empty())
        {
            for (; next < m_planned.size() && m_running.size() < m_request.jobs; ++next)
            {
                m_running[next] = StartRun(m_planned[next].scenario, m_request.run);
            }
            WaitForOne();
        }
        return std::move(m_measured);
    }

  private:
    void WaitForOne()
    {
        std::vector<RunProcess*> processes;
        for (const auto& [index, process] : m_running)
        {
            processes.push_back(process.get());
        }
        WaitForOutput(processes);
        ThrowIfInterrupted();
        for (auto running = m_running.begin(); running != m_running.end();)
        {
            const auto index = running->first;
            const bool ended = running->second->HasEnded();
            if (ended)
            {
                m_measured[index] = running->second->Result(m_planned[index].scenario);
                m_whole.Add(m_planned[index].work);
            }
            running = ended ? m_running.erase(running) : std::next(running);
        }
    }

    const std::vector<PlannedRun>& m_planned;
    const ValidationRequest& m_request;
    WholeWork m_whole;
    std::vector<MeasuredRun> m_measured;
    std::map<std::size_t, std::unique_ptr<RunProcess>> m_running; ///< by place in m_planned
};

} // namespace

std::vector<MeasuredRun>
MeasureAll(const std::vector<PlannedRun>& planned, const ValidationRequest& request)
{
    return request.jobs > 1 ? Processes(planned, request).Take() : MeasureHere(planned, request);
}

} // namespace inca
