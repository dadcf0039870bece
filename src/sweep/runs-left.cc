/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/runs-left.h"

#include <algorithm>

namespace inca
{

namespace
{

constexpr double LEAST_SHARE{0.02}; ///< of a run, before it can be told how long it takes

double
SecondsLeftOf(const RunUnderWay& run, double secondsPerWork)
{
    const auto took =
        run.share >= LEAST_SHARE ? run.seconds / run.share : run.work * secondsPerWork;
    return std::max(0.0, took - run.seconds);
}

} // namespace

void
RunsLeft::Ended(double work, double seconds)
{
    m_work += work;
    m_seconds += seconds;
}

std::optional<double>
RunsLeft::Seconds(const std::vector<RunUnderWay>& running,
                  const WaitingRuns& waiting,
                  std::uint32_t jobs) const
{
    auto work = m_work;
    auto seconds = m_seconds;
    for (const auto& run : running)
    {
        const bool isKnown = run.share >= LEAST_SHARE;
        work += isKnown ? run.share * run.work : 0;
        seconds += isKnown ? run.seconds : 0;
    }
    if (work <= 0)
    {
        return std::nullopt;
    }
    const auto perWork = seconds / work;
    auto all = waiting.work * perWork;
    auto longest = waiting.longest * perWork;
    for (const auto& run : running)
    {
        const auto left = SecondsLeftOf(run, perWork);
        all += left;
        longest = std::max(longest, left);
    }
    return std::max(all / std::max(jobs, 1U), longest);
}

} // namespace inca
