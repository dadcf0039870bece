/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/fusion-cycles.h"

#include <utility>

namespace inca
{

void
FusionCycles::AwaitStart(std::uint32_t exchange, std::int64_t nowPs, Starter starter)
{
    auto& waiting = m_waiting[exchange];
    waiting.readyPs = nowPs;
    waiting.starters.push_back(std::move(starter));
    StartNext(nowPs);
}

void
FusionCycles::End(std::int64_t nowPs)
{
    ++m_ends;
    m_nextPs = std::max(m_nextPs, nowPs);
    StartNext(nowPs);
}

/** The first bucket that waits, if all is there for it. */
void
FusionCycles::StartNext(std::int64_t nowPs)
{
    const auto next = m_waiting.begin();
    if (next == m_waiting.end() || next->second.starters.size() < m_workers ||
        m_ends < std::uint64_t{m_workers} * next->first)
    {
        return;
    }
    const auto waiting = std::move(next->second);
    m_waiting.erase(next);
    auto startPs = nowPs; // in the cycle that goes on
    if (waiting.readyPs > m_beginPs)
    {
        const auto latePs = std::max<std::int64_t>(0, waiting.readyPs - m_nextPs);
        m_beginPs = m_nextPs + (latePs + m_cyclePs - 1) / m_cyclePs * m_cyclePs;
        m_nextPs = m_beginPs + m_cyclePs;
        startPs = m_beginPs + m_roundPs;
    }
    for (const auto& starter : waiting.starters)
    {
        starter(startPs);
    }
}

} // namespace inca
