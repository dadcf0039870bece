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
JobClock::At(std::int64_t timePs, std::function<void()> action)
{
    const auto place = m_awaited.insert(m_awaited.end(), {0, timePs});
    const auto event = ns3::Simulator::Schedule(Until(NetworkPs(timePs)),
                                                [this, place, action = std::move(action)] {
                                                    m_awaited.erase(place);
                                                    ++m_done;
                                                    action();
                                                });
    place->eventUid = event.GetUid();
}

} // namespace inca
