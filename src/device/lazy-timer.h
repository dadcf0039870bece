/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_LAZY_TIMER_H
#define INCA_DEVICE_LAZY_TIMER_H

#include "inca/device/simulated-time.h"

#include "ns3/event-id.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

namespace inca
{

/**
 * Wakes its owner no later than at any time that it was told since it last did. A time that is put off leaves it as
 * it is, as most timeouts are: the owner looks what is due, and says when the next is. At most one event is pending.
 */
class LazyTimer
{
  public:
    /** What TimePs says while nothing is due. */
    static constexpr std::int64_t NEVER_PS{std::numeric_limits<std::int64_t>::max()};

    /**
     * @param wake what onWake is at first
     * @param isOnPath whether it wakes for the reason for which it was told of the time; else its owner says for which
     */
    explicit LazyTimer(std::function<void()> wake = {}, bool isOnPath = true)
        : onWake(std::move(wake)),
          m_isOnPath(isOnPath)
    {
    }

    /** Only a timer that is not pending may move, as its event knows where it is. */
    LazyTimer(LazyTimer&&) = default;
    /** Only a timer that is not pending may move here. */
    LazyTimer& operator=(LazyTimer&&) = default;

    ~LazyTimer()
    {
        m_event.Cancel(); // which the simulator may not have any more
    }

    /** @param timePs now or later */
    void WakeBy(std::int64_t timePs)
    {
        if (timePs < m_timePs)
        {
            Stop();
            m_timePs = timePs;
            const auto wake = [this] {
                m_timePs = NEVER_PS;
                onWake();
            };
            m_event = m_isOnPath ? ns3::Simulator::Schedule(Until(timePs), wake)
                                 : ScheduleOffPath(timePs, wake);
        }
    }

    /** Nothing is due any more: a simulation in which nothing else happens is over. */
    void Stop()
    {
        if (std::exchange(m_timePs, NEVER_PS) != NEVER_PS)
        {
            ns3::Simulator::Remove(m_event);
        }
    }

    /** When it wakes, if at all. (ps) */
    std::int64_t TimePs() const
    {
        return m_timePs;
    }

    /** ns-3's number of its event. */
    std::uint64_t EventUid() const
    {
        return m_event.GetUid();
    }

    /** Called when it wakes. Nothing is due by then, so that it may be told of the next time. */
    std::function<void()> onWake;

  private:
    bool m_isOnPath;                 ///< see the constructor
    ns3::EventId m_event;            ///< pending while m_timePs is not NEVER_PS
    std::int64_t m_timePs{NEVER_PS}; ///< when it wakes
};

} // namespace inca

#endif // INCA_DEVICE_LAZY_TIMER_H
