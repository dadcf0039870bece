/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/watchdog.h"

#include "base/errors.h"
#include "base/units.h"
#include "experiment/network-seen.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace inca
{

Watchdog::Watchdog(const Cluster& cluster,
                   const std::vector<std::unique_ptr<JobRun>>& jobs,
                   const Resolved& resolved)
    : m_cluster(cluster),
      m_jobs(jobs),
      m_patiencePs(resolved.simulation.watchdogPs),
      m_lossRate(resolved.lossRate)
{
    ScheduleLook();
}

bool
Watchdog::IsFinished() const
{
    return std::all_of(
        m_jobs.begin(), m_jobs.end(), [](const auto& job) { return job->IsFinished(); });
}

std::int64_t
Watchdog::NowPs() const
{
    return m_jobs.front()->Ranks().front()->GetClock().NowPs();
}

void
Watchdog::CheckFinished() const
{
    if (IsFinished())
    {
        return;
    }
    std::vector<RanksOfJob> jobs;
    for (const auto& job : m_jobs)
    {
        jobs.push_back({*job->Planned().job, job->Ranks()});
    }
    const auto state = "\n" + DescribeState(m_cluster, jobs);
    if (NowPs() > MOST_SIMULATED_PS)
    {
        throw RunError("the run is longer than can be counted: " +
                       HumanPicoseconds(MOST_SIMULATED_PS) + " of simulated time are over" + state);
    }
    throw RunError("the run stands still: " + Since() + state);
}

std::string
Watchdog::Since() const
{
    if (m_gaveUpAfterPs == 0)
    {
        return "nothing is left to happen at " + HumanPicoseconds(NowPs());
    }
    const auto timeouts = LongestSilencePs(m_cluster, m_lossRate) > m_patiencePs
                              ? ", and " + HumanPicoseconds(m_gaveUpAfterPs) + " for timeouts"
                              : "";
    return "no progress since " + HumanPicoseconds(m_lastProgressPs) +
           " (simulation.watchdog = " + FormatPicoseconds(m_patiencePs) + timeouts + ")";
}

void
Watchdog::ScheduleLook()
{
    constexpr std::int64_t looks = 4;         // in its patience
    constexpr std::int64_t mostLooks = 1'000; // in the time so far, however short its patience is
    const auto nowPs = NowPs();
    const auto delayPs = std::max(std::min(nowPs, m_patiencePs / looks) + 1, nowPs / mostLooks);
    ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(delayPs)),
                             [this] { OnLook(); });
}

void
Watchdog::OnLook()
{
    if (IsFinished())
    {
        return; // what is still on its way arrives, then no event is left
    }
    NoteProgress();
    const auto nowPs = NowPs();
    const auto stillPs = nowPs - m_lastProgressPs;
    const bool standsStill =
        stillPs >= m_patiencePs && stillPs >= LongestSilencePs(m_cluster, m_lossRate);
    if (standsStill || nowPs > MOST_SIMULATED_PS)
    {
        m_gaveUpAfterPs = stillPs;
        ns3::Simulator::Stop();
        return;
    }
    ScheduleLook();
}

void
Watchdog::NoteProgress()
{
    const auto nowPs = NowPs();
    auto progress = DeliveredBytes(m_cluster);
    for (const auto& job : m_jobs)
    {
        progress += job->Seen().progress;
    }
    if (std::exchange(m_lastProgress, progress) != progress)
    {
        m_lastProgressPs = nowPs;
        return; // or all of many ranks would be asked at every look
    }
    for (const auto& job : m_jobs)
    {
        for (const auto& rank : job->Ranks())
        {
            m_lastProgressPs = std::max(m_lastProgressPs, std::min(nowPs, rank->BusyUntilPs()));
        }
    }
}

} // namespace inca
