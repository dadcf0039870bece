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

Watchdog::Watchdog(WatchedRun run, std::int64_t patiencePs)
    : m_run(std::move(run)),
      m_patiencePs(patiencePs),
      m_lastProgressPs(m_run.nowPs())
{
    ScheduleLook();
}

Watchdog::~Watchdog()
{
    m_look.Cancel();
}

void
Watchdog::CheckFinished() const
{
    if (m_run.isFinished())
    {
        return;
    }
    if (m_run.nowPs() > MOST_SIMULATED_PS)
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
    const auto timeouts = m_run.silencePs() > m_patiencePs
                              ? ", and " + HumanPicoseconds(m_gaveUpAfterPs) + " for timeouts"
                              : "";
    return "no progress since " + HumanPicoseconds(m_lastProgressPs) +
           " (simulation.watchdog = " + FormatPicoseconds(m_patiencePs) + timeouts + ")";
}

void
Watchdog::ScheduleLook()
{
    constexpr std::int64_t looks = 4;
    const auto delayPs = static_cast<std::uint64_t>((m_patiencePs + looks - 1) / looks);
    m_look = ns3::Simulator::Schedule(ns3::PicoSeconds(delayPs), [this] { Look(); });
}

void
Watchdog::Look()
{
    if (m_run.isFinished())
    {
        return; // what is still on its way arrives, then no event is left
    }
    NoteProgress();
    const auto nowPs = m_run.nowPs();
    const auto stillPs = nowPs - m_lastProgressPs;
    const bool standsStill = stillPs >= m_patiencePs && stillPs >= m_run.silencePs();
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
    const auto nowPs = m_run.nowPs();
    const auto progress = m_run.progress();
    if (std::exchange(m_lastProgress, progress) != progress)
    {
        m_lastProgressPs = nowPs;
        return; // or all ranks would be asked
    }
    m_lastProgressPs = std::max(m_lastProgressPs, std::min(nowPs, m_run.busyUntilPs()));
}

} // namespace inca
