/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_EVENT_HEAP_H
#define INCA_HELPER_EVENT_HEAP_H

#include "ns3/scheduler.h"

#include <cstddef>
#include <cstdint>
#include <unordered_set>
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

    EventHeap();
    ~EventHeap() override;

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;

    /** Takes as long as there are events. */
    void Remove(const Event& event) override;

    /** The one that simulates now, or null. */
    static EventHeap* Current();

    /** All events that are to come, in their order. */
    std::vector<Event> Pending() const;

    /**
     * Has events come earlier, in the order that they had among themselves.
     * @param uids ns-3's numbers of them @param byPs at most so much that none is in the past
     */
    void BringForward(const std::unordered_set<std::uint64_t>& uids, std::uint64_t byPs);

  private:
    void MoveUp(std::size_t place, const Event& event, std::size_t top);
    void MoveDown(std::size_t place, const Event& event);

    std::vector<Event> m_events; ///< children of i: 4 i + 1 .. 4 i + 4, none before its parent
};

/** Has ns-3 use it, from now on in this process. */
void UseEventHeap();

} // namespace inca

#endif // INCA_HELPER_EVENT_HEAP_H
