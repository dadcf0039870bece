/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/event-heap.h"

#include "ns3/assert.h"
#include "ns3/make-event.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace inca
{

NS_OBJECT_ENSURE_REGISTERED(EventHeap);

namespace
{

constexpr std::size_t SORTED_AT_ONCE{64}; ///< a pile of more is split
constexpr std::size_t MOST_NEAR{256};     ///< among more, nothing is inserted
constexpr std::size_t KEPT_NEAR{64};      ///< of those, at least
constexpr std::size_t EVENTS_AHEAD{2};    ///< of the next one: it is fetched from memory

EventHeap* g_current{nullptr}; ///< as ns-3's own simulator, one in a process

/** For heaps, whose first is the earliest. */
struct Later
{
    EventOrder isEarlier;

    bool operator()(const ns3::Scheduler::Event& a, const ns3::Scheduler::Event& b) const
    {
        return isEarlier(b, a);
    }
};

} // namespace

bool
EventOrder::operator()(const ns3::Scheduler::Event& a, const ns3::Scheduler::Event& b) const
{
    const auto& [aTime, aNumber, aNode] = a.key;
    const auto& [bTime, bNumber, bNode] = b.key;
    if (aTime != bTime)
    {
        return aTime < bTime;
    }
    return byNode && aNode != bNode ? aNode < bNode : aNumber < bNumber;
}

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
    : m_ghost(ns3::MakeEvent([] {}), false)
{
    m_ghost->Cancel();
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
    std::vector<Event> pending(m_near.begin() + static_cast<std::ptrdiff_t>(m_next), m_near.end());
    pending.insert(pending.end(), m_crowd.begin(), m_crowd.end());
    for (const auto& pile : m_piles)
    {
        pending.insert(pending.end(), pile.begin(), pile.end());
    }
    const auto isRemoved = [this](const Event& event) {
        return m_removed.count(event.key.m_uid) > 0;
    };
    pending.erase(std::remove_if(pending.begin(), pending.end(), isRemoved), pending.end());
    std::sort(pending.begin(), pending.end(), m_isEarlier);
    return pending;
}

void
EventHeap::BringForward(const std::unordered_set<std::uint64_t>& uids, std::uint64_t byPs)
{
    const auto events = Pending();
    m_near.clear();
    m_next = 0;
    m_nearUntil = 0;
    m_crowd.clear();
    for (auto& pile : m_piles)
    {
        pile.clear();
    }
    m_filled = 0;
    m_removed.clear();
    for (auto event : events)
    {
        event.key.m_ts -= uids.count(event.key.m_uid) > 0 ? byPs : 0;
        Put(event);
    }
}

void
EventHeap::SetOrder(EventOrder order)
{
    m_isEarlier = order;
    BringForward({}, 0);
}

void
EventHeap::Insert(const Event& event)
{
    ++m_size;
    Put(event);
    if (PathLog::IsOn())
    {
        KeepPath(event);
    }
    if (m_size >= m_tidyAt)
    {
        Tidy();
    }
}

/**
 * Lets cancelled events of the piles go before their time: TCP sets a timer with each acknowledgement, and cancels it with the
 * next. It is called once there are twice as many events as it left, so that each is looked at a few times at most.
 */
void
EventHeap::Tidy()
{
    const auto isGone = [this](const Event& event) {
        if (m_removed.erase(event.key.m_uid) > 0)
        {
            return true; // ns-3 holds it no more
        }
        if (!event.impl->IsCancelled())
        {
            return false;
        }
        event.impl->Unref();
        ForgetPath(event.key.m_uid);
        ++m_ghosts;
        m_ghostsUntil = std::max(m_ghostsUntil, event.key.m_ts);
        return true;
    };
    for (std::size_t number = 0; number < BITS; ++number)
    {
        auto& pile = m_piles[number];
        pile.erase(std::remove_if(pile.begin(), pile.end(), isGone), pile.end());
        m_filled &= ~(std::uint64_t{pile.empty() ? 1U : 0U} << number);
    }
    m_tidyAt = m_ghosts + std::max(FEW, 2 * (m_size - m_ghosts));
}

/** One of the events that Tidy let go, as ns-3 waits for as many as it scheduled. It comes behind all others. */
ns3::Scheduler::Event
EventHeap::Ghost() const
{
    const auto nowPs = static_cast<std::uint64_t>(ns3::Simulator::Now().GetTimeStep());
    return {ns3::PeekPointer(m_ghost),
            {std::max(m_ghostsUntil, nowPs), 0, ns3::Simulator::NO_CONTEXT}};
}

void
EventHeap::Put(const Event& event)
{
    event.key.m_ts <= m_nearUntil ? InsertNear(event) : Pile(event);
}

std::size_t
EventHeap::PileOf(std::uint64_t time) const
{
    return BITS - 1 - static_cast<std::size_t>(__builtin_clzll(time ^ m_nearUntil));
}

/** There is one. */
std::size_t
EventHeap::NearestPile() const
{
    return static_cast<std::size_t>(__builtin_ctzll(m_filled));
}

void
EventHeap::Pile(const Event& event)
{
    const auto number = PileOf(event.key.m_ts);
    m_piles[number].push_back(event);
    m_filled |= std::uint64_t{1} << number;
}

void
EventHeap::InsertNear(const Event& event)
{
    const auto begin = m_near.begin() + static_cast<std::ptrdiff_t>(m_next);
    if (begin == m_near.end() || !m_isEarlier(event, m_near.back()))
    {
        m_near.push_back(event);
        return;
    }
    if (m_near.size() - m_next > MOST_NEAR)
    {
        const auto enoughUntil = m_near[m_next + KEPT_NEAR].key.m_ts;
        const auto lastPs = m_near.back().key.m_ts;
        const auto nearUntil = enoughUntil < lastPs ? enoughUntil : event.key.m_ts;
        if (nearUntil < lastPs)
        {
            KeepNear(nearUntil);
            Put(event);
            return;
        }
        m_crowd.push_back(event);
        std::push_heap(m_crowd.begin(), m_crowd.end(), Later{m_isEarlier});
        return;
    }
    const auto place = std::upper_bound(begin, m_near.end(), event, m_isEarlier);
    if (m_next > 0 && place - begin < m_near.end() - place)
    {
        *std::move(begin, place, begin - 1) = event; // where the last one was that is gone
        --m_next;
        return;
    }
    m_near.insert(place, event);
}

/**
 * What is near, and later, is piled again. Of the piles, only those below the highest bit in which the new time
 * differs from the old one change: that bit is what all in them differ in now.
 */
void
EventHeap::KeepNear(std::uint64_t nearUntil)
{
    const auto number = PileOf(nearUntil);
    auto& pile = m_piles[number]; // empty: where its times have a one, so had the old one
    for (std::size_t nearer = 0; nearer < number; ++nearer)
    {
        pile.insert(pile.end(), m_piles[nearer].begin(), m_piles[nearer].end());
        m_piles[nearer].clear();
    }
    m_filled &= ~std::uint64_t{0} << number;
    m_filled |= std::uint64_t{pile.empty() ? 0U : 1U} << number;
    m_nearUntil = nearUntil;
    const auto isLater = [nearUntil](const Event& event) { return event.key.m_ts > nearUntil; };
    const auto begin = m_near.begin() + static_cast<std::ptrdiff_t>(m_next);
    const auto firstLater = std::find_if(begin, m_near.end(), isLater);
    std::for_each(firstLater, m_near.end(), [this](const Event& event) { Pile(event); });
    m_near.erase(firstLater, m_near.end());
}

bool
EventHeap::IsEmpty() const
{
    return m_size == 0;
}

ns3::Scheduler::Event
EventHeap::PeekNext() const
{
    const auto pending = Pending();
    return pending.empty() ? Ghost() : pending.front();
}

ns3::Scheduler::Event
EventHeap::RemoveNext()
{
    Event next;
    do
    {
        const bool mayForget = m_next >= MOST_NEAR && m_next >= m_near.size() / 2;
        if (m_next == m_near.size() || mayForget || m_gone >= MANY_EVENTS)
        {
            if (m_size == m_ghosts)
            {
                --m_size;
                --m_ghosts;
                m_ghost->Ref();
                return Ghost();
            }
            TellOfMany();
            Refill();
        }
        next = TakeNext();
    } while (!m_removed.empty() && m_removed.erase(next.key.m_uid) > 0);
    --m_size;
    if (PathLog::IsOn())
    {
        ResumePath(next);
    }
    return next;
}

ns3::Scheduler::Event
EventHeap::TakeNext()
{
    ++m_gone;
    if (m_crowd.empty() || (m_next < m_near.size() && m_isEarlier(m_near[m_next], m_crowd.front())))
    {
        if (m_next + EVENTS_AHEAD < m_near.size())
        {
            __builtin_prefetch(m_near[m_next + EVENTS_AHEAD].impl); // memory is what it waits for
        }
        return m_near[m_next++];
    }
    std::pop_heap(m_crowd.begin(), m_crowd.end(), Later{m_isEarlier});
    const auto next = m_crowd.back();
    m_crowd.pop_back();
    return next;
}

void
EventHeap::TellOfMany()
{
    if (m_gone >= MANY_EVENTS)
    {
        m_gone = 0;
        if (onManyEvents)
        {
            onManyEvents();
        }
    }
}

/** Has more of them near, where that is cheap, and at least one. */
void
EventHeap::Refill()
{
    m_near.erase(m_near.begin(), m_near.begin() + static_cast<std::ptrdiff_t>(m_next));
    m_next = 0;
    if (m_filled == 0)
    {
        return;
    }
    const auto nearest = NearestPile();
    if (m_piles[nearest].size() <= SORTED_AT_ONCE)
    {
        TakePile(nearest);
    }
    else if (m_near.empty())
    {
        SplitPile(nearest);
    }
}

/** All that can be in the pile is near from now on. */
void
EventHeap::TakePile(std::size_t number)
{
    auto& pile = m_piles[number];
    std::sort(pile.begin(), pile.end(), m_isEarlier);
    m_near.insert(m_near.end(), pile.begin(), pile.end());
    pile.clear();
    m_filled &= m_filled - 1;
    m_nearUntil |= ~std::uint64_t{0} >> (BITS - 1 - number);
}

/** The earliest of the pile are near from now on, the others in piles that are nearer. */
void
EventHeap::SplitPile(std::size_t number)
{
    auto& pile = m_piles[number];
    m_nearUntil = std::min_element(pile.begin(), pile.end(), m_isEarlier)->key.m_ts;
    m_filled &= m_filled - 1;
    for (const auto& event : pile)
    {
        event.key.m_ts == m_nearUntil ? m_near.push_back(event) : Pile(event);
    }
    pile.clear();
    if (!std::is_sorted(m_near.begin(), m_near.end(), m_isEarlier))
    {
        std::sort(m_near.begin(), m_near.end(), m_isEarlier);
    }
}

/** An event is scheduled on the path of whoever does it; one that its owner keeps (KeptEvent) knows its own. */
void
EventHeap::KeepPath(const Event& event)
{
    if (event.impl->GetReferenceCount() == 1)
    {
        m_pathCounts.resize(PATH_COUNTS);
        ++m_pathCounts[event.key.m_uid % PATH_COUNTS];
        m_paths.emplace(event.key.m_uid, PathLog::Now());
    }
}

void
EventHeap::ResumePath(const Event& event)
{
    if (m_paths.empty() || m_pathCounts[event.key.m_uid % PATH_COUNTS] == 0)
    {
        return;
    }
    const auto found = m_paths.find(event.key.m_uid);
    if (found != m_paths.end())
    {
        PathLog::Resume(std::move(found->second),
                        static_cast<std::int64_t>(event.key.m_ts),
                        event.key.m_context);
        ForgetPath(event.key.m_uid);
    }
}

void
EventHeap::ForgetPath(std::uint32_t uid)
{
    if (m_paths.erase(uid) > 0)
    {
        --m_pathCounts[uid % PATH_COUNTS];
    }
}

void
EventHeap::Remove(const Event& event)
{
    --m_size;
    m_removed.insert(event.key.m_uid);
    ForgetPath(event.key.m_uid);
}

void
UseEventHeap(EventOrder order)
{
    ns3::ObjectFactory factory;
    factory.SetTypeId(EventHeap::GetTypeId());
    ns3::Simulator::SetScheduler(factory);
    EventHeap::Current()->SetOrder(order);
}

} // namespace inca
