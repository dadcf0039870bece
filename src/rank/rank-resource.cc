/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/rank-resource.h"

#include "device/simulated-time.h"

#include <algorithm>
#include <utility>

namespace inca
{

Activity
ActivityOf(PathKind kind)
{
    switch (kind)
    {
    case PathKind::FORWARD:
        return Activity::FORWARD;
    case PathKind::BACKWARD:
        return Activity::BACKWARD;
    case PathKind::SPARSIFY:
    case PathKind::ENCODE:
    case PathKind::DECODE:
        return Activity::CODEC;
    case PathKind::SUM:
        return Activity::SUM;
    case PathKind::UPDATE:
        return Activity::UPDATE;
    default:
        return Activity::COPY;
    }
}

void
RankResource::Run(PathKind kind,
                  std::int64_t durationPs,
                  std::function<void()> done,
                  std::optional<std::uint32_t> layer,
                  std::uint64_t ofStep,
                  std::uint32_t detail)
{
    const auto beginPs = std::max(m_clock.NowPs(), m_freeAtPs);
    m_freeAtPs = beginPs + durationPs;
    const auto activity = ActivityOf(kind);
    m_timeline.Add(activity, {beginPs, m_freeAtPs});
    if (m_sink)
    {
        m_sink({activity, {beginPs, m_freeAtPs}, layer});
    }
    const PathLog::Scope scope;
    PathLog::Await(m_freePath);
    ExtendPath(kind, m_clock.NetworkPs(m_freeAtPs), layer.value_or(detail));
    m_freePath = PathLog::Now();
    m_clock.At(m_freeAtPs, std::move(done), ofStep);
}

/** What ends at the same time in both states was queued before them, and nothing since. */
void
RankResource::VisitState(StateVisitor& visitor, Activity activity)
{
    visitor.Path(m_freePath);
    const auto nowPs = m_clock.NowPs();
    const auto busyUntilPs = std::max(m_freeAtPs, nowPs);
    auto movedToPs = busyUntilPs;
    if (visitor.PastTime(movedToPs) > 0)
    {
        m_timeline.Repeat(
            activity, {nowPs - visitor.PeriodPs(), nowPs}, busyUntilPs, visitor.Times());
        m_freeAtPs = movedToPs;
    }
}

std::int64_t
RankResource::BusyUntilPs() const
{
    return m_freeAtPs;
}

} // namespace inca
