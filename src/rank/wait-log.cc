/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/wait-log.h"

#include <algorithm>

namespace inca
{

void
WaitLog::Note(const std::optional<Awaited>& awaited)
{
    if (awaited == m_awaited)
    {
        return;
    }
    const auto nowPs = m_clock.NowPs();
    if (m_awaited)
    {
        m_open.emplace_back(*m_awaited, Span{m_sincePs, nowPs});
    }
    m_awaited = awaited;
    m_sincePs = nowPs;
}

void
WaitLog::Came(const Awaited& what, std::int64_t sentPs)
{
    if (m_awaited == what)
    {
        Note(std::nullopt);
    }
    const auto others = std::stable_partition(
        m_open.begin(), m_open.end(), [&what](const auto& wait) { return wait.first == what; });
    for (auto wait = m_open.begin(); wait != others; ++wait)
    {
        const auto [beginPs, endPs] = wait->second;
        if (beginPs < sentPs)
        {
            m_timeline.AddWait({{beginPs, std::min(endPs, sentPs)}, what.key.first});
        }
    }
    m_open.erase(m_open.begin(), others);
}

} // namespace inca
