/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/run-pool.h"

#include "base/interrupt.h"

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
    WholeWork(const std::vector<PooledRun>& runs, const RunProgress& onProgress)
        : m_onProgress(onProgress)
    {
        for (const auto& run : runs)
        {
            m_whole += run.work;
        }
    }

    /** @param running as of Tell */
    void Add(double work, double running = 0)
    {
        m_done += work;
        Tell(running);
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
    const RunProgress& m_onProgress;
    double m_whole{0};
    double m_done{0};
};

void
RunHere(const std::vector<PooledRun>& runs, const RecordUser& onRecord, WholeWork& whole)
{
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        const auto& [run, work] = runs[i];
        auto record = run([&, work = work](double share) { whole.Tell(share * work); });
        whole.Add(work);
        onRecord(i, std::move(record));
    }
}

/** Keeps some processes busy until every run has ended. */
class Processes
{
  public:
    Processes(const std::vector<PooledRun>& runs, const RecordUser& onRecord, WholeWork& whole)
        : m_runs(runs),
          m_onRecord(onRecord),
          m_whole(whole)
    {
    }

    void Run(std::uint32_t jobs)
    {
        std::size_t next = 0;
        while (next < m_runs.size() || !m_running.empty())
        {
            for (; next < m_runs.size() && m_running.size() < jobs; ++next)
            {
                m_running[next] = Start(m_runs[next]);
            }
            WaitForOne();
            HandOver();
        }
    }

  private:
    static std::unique_ptr<RunProcess> Start(const PooledRun& pooled)
    {
        return StartRun(pooled.run);
    }

    void WaitForOne()
    {
        std::vector<RunProcess*> processes;
        for (const auto& [index, process] : m_running)
        {
            processes.push_back(process.get());
        }
        constexpr int lookAgainMs = 200; // a signal may come just before the wait
        WaitForOutput(processes, lookAgainMs);
        ThrowIfInterrupted();
        for (auto running = m_running.begin(); running != m_running.end();)
        {
            const auto index = running->first;
            if (!running->second->HasEnded())
            {
                ++running;
                continue;
            }
            m_ended[index] = running->second->Result();
            running = m_running.erase(running);
            m_whole.Add(m_runs[index].work, RunningWork());
        }
        const auto running = RunningWork();
        if (std::exchange(m_runningWork, running) < running)
        {
            m_whole.Tell(running);
        }
    }

    /** That runs have done that have not ended. */
    double RunningWork() const
    {
        double work = 0;
        for (const auto& [index, process] : m_running)
        {
            work += process->Share() * m_runs[index].work;
        }
        return work;
    }

    /** The records whose turn it is. */
    void HandOver()
    {
        while (!m_ended.empty() && m_ended.begin()->first == m_handedOver)
        {
            m_onRecord(m_handedOver, std::move(m_ended.begin()->second));
            m_ended.erase(m_ended.begin());
            ++m_handedOver;
        }
    }

    const std::vector<PooledRun>& m_runs;
    const RecordUser& m_onRecord;
    WholeWork& m_whole;
    std::map<std::size_t, std::unique_ptr<RunProcess>> m_running; ///< by place in m_runs
    std::map<std::size_t, RunRecord> m_ended;                     ///< that wait for one before them
    std::size_t m_handedOver{0};
    double m_runningWork{0}; ///< as last looked at
};

} // namespace

void
RunAll(const std::vector<PooledRun>& runs,
       std::uint32_t jobs,
       const RecordUser& onRecord,
       const RunProgress& onProgress)
{
    WholeWork whole(runs, onProgress);
    if (jobs > 1)
    {
        Processes(runs, onRecord, whole).Run(jobs);
    }
    else
    {
        RunHere(runs, onRecord, whole);
    }
}

} // namespace inca
