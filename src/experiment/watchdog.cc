/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/watchdog.h"

#include "base/errors.h"
#include "base/units.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace inca
{

std::int64_t
WatchdogLookPs(const ExpectedRun& run)
{
    constexpr double looks = 200;
    constexpr double looksPerSecond = 5;
    constexpr std::int64_t shortestPs = 1'000'000;
    const auto longestPs = std::max(shortestPs, run.patiencePs);
    const auto lookPs = static_cast<double>(run.iterationPs) * run.iterations /
                        std::max(looks, looksPerSecond * run.cpuSeconds);
    return lookPs < static_cast<double>(longestPs)
               ? std::max(shortestPs, static_cast<std::int64_t>(lookPs))
               : longestPs;
}

Watchdog::Watchdog(WatchedRun run,
                   std::int64_t lookPs,
                   std::int64_t patiencePs,
                   std::function<void()> onLook)
    : m_run(std::move(run)),
      m_lookPs(lookPs),
      m_patiencePs(patiencePs),
      m_onLook(std::move(onLook))
{
}

Watchdog::~Watchdog()
{
    m_look.Cancel();
}

void
Watchdog::Start()
{
    m_lastProgressPs = m_run.nowPs();
    ScheduleLook(m_lookPs);
}

void
Watchdog::CheckFinished() const
{
    if (m_run.isFinished())
    {
        return;
    }
    if (m_outOfTime)
    {
        throw RunError(
            "the run is longer than can be counted: " + HumanPicoseconds(MOST_SIMULATED_PS) +
            " of simulated time are over\n" + m_run.state());
    }
    throw RunError("the run stands still: " + Since() + "\n" + m_run.state());
}

std::string
Watchdog::Since() const
{
    if (m_gaveUpAfterPs == 0)
    {
        return "nothing is left to happen at " + HumanPicoseconds(m_run.nowPs());
    }
    const auto timeouts = m_gaveUpAfterPs > m_patiencePs
                              ? ", and " + HumanPicoseconds(m_gaveUpAfterPs) + " for timeouts"
                              : "";
    return "no progress since " + HumanPicoseconds(m_lastProgressPs) +
           " (simulation.watchdog = " + FormatPicoseconds(m_patiencePs) + timeouts + ")";
}

void
Watchdog::ScheduleLook(std::int64_t delayPs)
{
    m_delayPs = delayPs;
    m_look = ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(delayPs)),
                                      [this] { Look(); });
}

void
Watchdog::Look()
{
    m_onLook();
    if (m_run.isFinished())
    {
        return; // what is still on its way arrives, then no event is left
    }
    if (m_run.nowPs() > MOST_SIMULATED_PS)
    {
        m_outOfTime = true;
        ns3::Simulator::Stop();
        return;
    }
    if (HasProgressed())
    {
        ScheduleLook(m_lookPs);
        return;
    }
    const auto leftPs = PatienceLeftPs();
    if (leftPs <= 0)
    {
        m_gaveUpAfterPs = m_run.nowPs() - m_lastProgressPs;
        ns3::Simulator::Stop();
        return;
    }
    ScheduleLook(std::min(2 * m_delayPs, leftPs)); // a long standstill takes few looks
}

std::int64_t
Watchdog::PatienceLeftPs() const
{
    const auto stillPs = m_run.nowPs() - m_lastProgressPs;
    return stillPs < m_patiencePs ? m_patiencePs - stillPs : m_run.silencePs() - stillPs;
}

bool
Watchdog::HasProgressed()
{
    const auto nowPs = m_run.nowPs();
    const auto progress = m_run.progress();
    const bool moves = progress != m_lastProgress;
    const auto busyUntilPs = moves ? nowPs : m_run.busyUntilPs(); // all ranks are asked
    if (busyUntilPs < nowPs)
    {
        m_lastProgressPs = std::max(m_lastProgressPs, busyUntilPs); // later than the look before
        return false;
    }
    m_lastProgress = progress;
    m_lastProgressPs = nowPs;
    return true;
}

} // namespace inca
