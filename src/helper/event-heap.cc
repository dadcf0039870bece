/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/event-heap.h"

#include "ns3/assert.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(EventHeap);

namespace
{

constexpr std::size_t CHILDREN{4};

EventHeap* g_current{nullptr}; ///< as ns-3's own simulator, one in a process

/** Without a branch, as nobody can foretell which way it goes. */
bool
IsBefore(const ns3::Scheduler::Event& a, const ns3::Scheduler::Event& b)
{
    const bool earlier = a.key.m_ts < b.key.m_ts;
    const bool same = a.key.m_ts == b.key.m_ts;
    const bool before = a.key.m_uid < b.key.m_uid;
    return earlier | (same & before);
}

/** Which of the four from @p events on is to come first. */
std::size_t
LeastOf4(const ns3::Scheduler::Event* events)
{
    const std::size_t low = IsBefore(events[1], events[0]) ? 1 : 0;
    const std::size_t high = IsBefore(events[3], events[2]) ? 3 : 2;
    return IsBefore(events[high], events[low]) ? high : low;
}

} // namespace

ns3::TypeId
EventHeap::GetTypeId()
{
    static ns3::TypeId tid = ns3::TypeId("inca::EventHeap")
                                 .SetParent<ns3::Scheduler>()
                                 .SetGroupName("Inca")
                                 .AddConstructor<EventHeap>();
    return tid;
}

EventHeap::EventHeap()
{
    g_current = this;
}

EventHeap::~EventHeap()
{
    g_current = g_current == this ? nullptr : g_current;
}

EventHeap*
EventHeap::Current()
{
    return g_current;
}

std::vector<ns3::Scheduler::Event>
EventHeap::Pending() const
{
    auto pending = m_events;
    std::sort(pending.begin(), pending.end());
    return pending;
}

void
EventHeap::BringForward(const std::unordered_set<std::uint64_t>& uids, std::uint64_t byPs)
{
    auto events = std::exchange(m_events, {});
    for (auto& event : events)
    {
        event.key.m_ts -= uids.count(event.key.m_uid) > 0 ? byPs : 0;
        Insert(event);
    }
}

void
EventHeap::Insert(const Event& event)
{
    m_events.push_back(event);
    MoveUp(m_events.size() - 1, event, 0);
}

bool
EventHeap::IsEmpty() const
{
    return m_events.empty();
}

ns3::Scheduler::Event
EventHeap::PeekNext() const
{
    return m_events.front();
}

ns3::Scheduler::Event
EventHeap::RemoveNext()
{
    const auto next = m_events.front();
    const auto last = m_events.back();
    m_events.pop_back();
    if (!m_events.empty())
    {
        MoveDown(0, last);
    }
    return next;
}

void
EventHeap::Remove(const Event& event)
{
    const auto found = std::find_if(m_events.begin(), m_events.end(), [&event](const Event& one) {
        return one.key.m_uid == event.key.m_uid;
    });
    NS_ASSERT(found != m_events.end() && found->impl == event.impl);
    const auto place = static_cast<std::size_t>(found - m_events.begin());
    const auto last = m_events.back();
    m_events.pop_back();
    if (place < m_events.size())
    {
        MoveDown(place, last);
        MoveUp(place, m_events[place], 0);
    }
}

/** Puts @p event at @p place, or as far above as it comes before those there, at most at @p top. */
void
EventHeap::MoveUp(std::size_t place, const Event& event, std::size_t top)
{
    const auto moved = event;
    while (place > top)
    {
        const auto parent = (place - 1) / CHILDREN;
        if (!(moved < m_events[parent]))
        {
            break;
        }
        m_events[place] = m_events[parent];
        place = parent;
    }
    m_events[place] = moved;
}

/**
 * Puts @p event below @p place: the least of the children goes up all the way down, then the event
 * from there as far up as it belongs; what comes from the heap's end mostly belongs to its end.
 */
void
EventHeap::MoveDown(std::size_t place, const Event& event)
{
    const auto top = place;
    const auto moved = event;
    auto* events = m_events.data();
    const auto size = m_events.size();
    auto first = CHILDREN * place + 1;
    for (; first + CHILDREN <= size; first = CHILDREN * place + 1)
    {
        const auto least = LeastOf4(events + first);
        events[place] = events[first + least];
        place = first + least;
    }
    if (first < size)
    {
        const auto* least = std::min_element(events + first, events + size);
        events[place] = *least;
        place = static_cast<std::size_t>(least - events);
    }
    MoveUp(place, moved, top);
}

void
UseEventHeap()
{
    ns3::ObjectFactory factory;
    factory.SetTypeId(EventHeap::GetTypeId());
    ns3::Simulator::SetScheduler(factory);
}

} // namespace inca
