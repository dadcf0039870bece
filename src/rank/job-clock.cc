/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/job-clock.h"

#include "device/simulated-time.h"

#include <utility>

namespace inca
{

std::int64_t
JobClock::NowPs() const
{
    return inca::NowPs() + m_skippedPs;
}

void
JobClock::At(std::int64_t timePs, std::function<void()> action, std::uint64_t ofStep)
{
    const auto place = m_awaited.insert(m_awaited.end(), {0, timePs, ofStep, PathLog::Now()});
    place->eventUid = ScheduleOffPath(NetworkPs(timePs), [this, place, action = std::move(action)] {
                          ResumePath(std::move(place->path));
                          ++(place->ofStep > 0 ? m_doneOfSteps : m_done);
                          m_awaited.erase(place);
                          action();
                      }).GetUid();
}

void
JobClock::VisitState(StateVisitor& visitor)
{
    visitor.State(m_done);
    for (auto& pending : m_awaited)
    {
        if (pending.ofStep > 0)
        {
            visitor.State(pending.ofStep); // which is first says whose path is
            visitor.StepEvent(pending.eventUid, StepEventKind::ACT, pending.ofStep);
            visitor.Path(pending.path);
            pending.timePs += static_cast<std::int64_t>(visitor.Times()) * visitor.PeriodPs();
        }
    }
}

} // namespace inca
