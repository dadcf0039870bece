/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/event-heap.h"

#include "ns3/assert.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(EventHeap);

namespace
{

constexpr std::size_t CHILDREN{4};

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

void
EventHeap::Insert(const Event& event)
{
    m_events.push_back(event);
    MoveUp(m_events.size() - 1, event);
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
        MoveUp(place, m_events[place]);
    }
}

/** Puts @p event at @p place, or as far above as it comes before those there. */
void
EventHeap::MoveUp(std::size_t place, const Event& event)
{
    const auto moved = event;
    while (place > 0)
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

/** Puts @p event at @p place, or as far below as others come before it. */
void
EventHeap::MoveDown(std::size_t place, const Event& event)
{
    const auto size = m_events.size();
    for (;;)
    {
        const auto first = CHILDREN * place + 1;
        if (first >= size)
        {
            break;
        }
        const auto least = std::min_element(
            m_events.begin() + static_cast<std::ptrdiff_t>(first),
            m_events.begin() + static_cast<std::ptrdiff_t>(std::min(first + CHILDREN, size)));
        if (!(*least < event))
        {
            break;
        }
        m_events[place] = *least;
        place = static_cast<std::size_t>(least - m_events.begin());
    }
    m_events[place] = event;
}

void
UseEventHeap()
{
    ns3::ObjectFactory factory;
    factory.SetTypeId(EventHeap::GetTypeId());
    ns3::Simulator::SetScheduler(factory);
}

} // namespace inca
