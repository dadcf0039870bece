/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/wait-log.h"

namespace inca
{

void
WaitLog::Note(std::optional<Rank> peer)
{
    if (peer == m_peer)
    {
        return;
    }
    const auto nowPs = m_clock.NowPs();
    if (m_peer)
    {
        m_timeline.AddWait({{m_sincePs, nowPs}, *m_peer});
    }
    m_peer = peer;
    m_sincePs = nowPs;
}

} // namespace inca
