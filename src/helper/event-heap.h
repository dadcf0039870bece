/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_EVENT_HEAP_H
#define INCA_HELPER_EVENT_HEAP_H

#include "ns3/scheduler.h"

#include <cstddef>
#include <vector>

namespace inca
{

/**
 * The events that are to come as a heap of four children per node, in one piece of memory: what a
 * simulation of many hosts spends on finding the next event is mostly waiting for memory, and a search
 * tree, as ns-3's default, has a piece of it for every event. The order is ns-3's: by time, then in the
 * order of scheduling, so results are the same to the picosecond.
 */
class EventHeap : public ns3::Scheduler
{
  public:
    static ns3::TypeId GetTypeId();

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;

    /** Takes as long as there are events. */
    void Remove(const Event& event) override;

  private:
    void MoveUp(std::size_t place, const Event& event, std::size_t top);
    void MoveDown(std::size_t place, const Event& event);

    std::vector<Event> m_events; ///< children of i: 4 i + 1 .. 4 i + 4, none before its parent
};

/** Has ns-3 use it, from now on in this process. */
void UseEventHeap();

} // namespace inca

#endif // INCA_HELPER_EVENT_HEAP_H
