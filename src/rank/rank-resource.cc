/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/rank-resource.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace inca
{

void
RankResource::Run(Activity activity, std::int64_t durationPs, std::function<void()> done)
{
    const auto nowPs = ns3::Simulator::Now().GetPicoSeconds();
    const auto beginPs = std::max(nowPs, m_freeAtPs);
    m_freeAtPs = beginPs + durationPs;
    m_timeline.Add(activity, {beginPs, m_freeAtPs});
    ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(m_freeAtPs - nowPs)),
                             std::move(done));
}

std::int64_t
RankResource::BusyUntilPs() const
{
    return m_freeAtPs;
}

} // namespace inca
