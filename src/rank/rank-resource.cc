/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/rank-resource.h"

#include <algorithm>
#include <utility>

namespace inca
{

void
RankResource::Run(Activity activity,
                  std::int64_t durationPs,
                  std::function<void()> done,
                  std::optional<std::uint32_t> layer)
{
    const auto beginPs = std::max(m_clock.NowPs(), m_freeAtPs);
    m_freeAtPs = beginPs + durationPs;
    m_timeline.Add(activity, {beginPs, m_freeAtPs});
    if (m_sink)
    {
        m_sink({activity, {beginPs, m_freeAtPs}, layer});
    }
    m_clock.At(m_freeAtPs, std::move(done));
}

std::int64_t
RankResource::BusyUntilPs() const
{
    return m_freeAtPs;
}

} // namespace inca
