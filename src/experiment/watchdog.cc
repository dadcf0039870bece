/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/watchdog.h"

#include "base/errors.h"
#include "base/units.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <utility>

namespace inca
{

Watchdog::Watchdog(WatchedRun run,
                   std::int64_t lookPs,
                   std::int64_t patiencePs,
                   std::function<void()> onLook)
    : m_run(std::move(run))
    , m_lookPs(lookPs)
    , m_patiencePs(patiencePs)
    , m_onLook(std::move(onLook))
{
}

Watchdog::~Watchdog()
{
    m_look.Cancel();
}

void
Watchdog::Start()
{
    ScheduleLook();
}

void
Watchdog::CheckFinished() const
{
    if (!m_run.isFinished())
    {
        throw RunError("the run stands still: nothing is left to happen at " +
                       HumanPicoseconds(ns3::Simulator::Now().GetPicoSeconds()) + "\n" +
                       m_run.state());
    }
}

void
Watchdog::ScheduleLook()
{
    m_look = ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(m_lookPs)),
                                      [this] { Look(); });
}

void
Watchdog::Look()
{
    m_onLook();
    const auto nowPs = ns3::Simulator::Now().GetPicoSeconds();
    const auto progress = m_run.progress();
    if (progress != m_lastProgress || m_run.isBusy())
    {
        m_lastProgress = progress;
        m_lastProgressPs = nowPs;
    }
    if (m_run.isFinished())
    {
        return; // what is still on its way arrives, then no event is left
    }
    if (nowPs - m_lastProgressPs >= m_patiencePs)
    {
        throw RunError("the run stands still: no progress since " +
                       HumanPicoseconds(m_lastProgressPs) + "\n" + m_run.state());
    }
    ScheduleLook();
}

} // namespace inca
