/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_KEPT_EVENT_H
#define INCA_DEVICE_KEPT_EVENT_H

#include "device/simulated-time.h"

#include "ns3/event-impl.h"
#include "ns3/make-event.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <utility>

namespace inca
{

/**
 * An event that happens again and again, at most once at a time: made once, as what devices do is
 * scheduled by the million. While it is pending, it is the same one for whoever compares two states
 * of a network (StateWalk).
 */
class KeptEvent
{
  public:
    template <typename Action>
    explicit KeptEvent(Action action)
        : m_event(ns3::MakeEvent(std::move(action)), false)
    {
    }

    /** @param timePs now or later */
    void ScheduleAt(std::int64_t timePs) const
    {
        ns3::Simulator::Schedule(Until(timePs), m_event);
    }

    /** In the context of @p node. */
    void ScheduleAt(std::int64_t timePs, std::uint32_t node) const
    {
        m_event->Ref(); // of the scheduler, which lets it go
        ns3::Simulator::ScheduleWithContext(node, Until(timePs), ns3::PeekPointer(m_event));
    }

  private:
    ns3::Ptr<ns3::EventImpl> m_event;
};

} // namespace inca

#endif // INCA_DEVICE_KEPT_EVENT_H
