/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/event-heap.h"

#include "support/draw.h"

#include "ns3/make-event.h"
#include "ns3/map-scheduler.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace inca
{

namespace
{

ns3::Scheduler::Event
At(std::uint64_t time, std::uint32_t number, std::uint32_t node = 0)
{
    static const ns3::Ptr<ns3::EventImpl> impl(ns3::MakeEvent([] {}), false);
    return {ns3::PeekPointer(impl), {time, number, node}};
}

} // namespace

/* ns-3's own search tree beside it: the same events in, the same out, at any time. */
TEST(EventHeap, GivesEventsInNs3sOrder)
{
    const auto heap = ns3::CreateObject<EventHeap>();
    const auto map = ns3::CreateObject<ns3::MapScheduler>();
    Draw draw(7);
    std::uint32_t number = 0;
    std::vector<ns3::Scheduler::Event> waiting;
    for (std::uint32_t turn = 0; turn < 20'000; ++turn)
    {
        const auto what = draw.Of({0U, 0U, 0U, 1U, 1U, 2U});
        if (what == 0 || map->IsEmpty())
        {
            const auto event = At(turn + draw.Of({0U, 0U, 5U, 70U, 900U}), ++number);
            heap->Insert(event);
            map->Insert(event);
            waiting.push_back(event);
            continue;
        }
        ASSERT_EQ(heap->PeekNext().key.m_uid, map->PeekNext().key.m_uid);
        if (what == 1)
        {
            const auto gone = map->RemoveNext().key.m_uid;
            ASSERT_EQ(heap->RemoveNext().key.m_uid, gone);
            waiting.erase(std::find_if(waiting.begin(), waiting.end(), [gone](const auto& event) {
                return event.key.m_uid == gone;
            }));
            continue;
        }
        const auto removed = waiting.begin() + turn % static_cast<std::uint32_t>(waiting.size());
        heap->Remove(*removed);
        map->Remove(*removed);
        waiting.erase(removed);
    }
    for (; !map->IsEmpty(); map->RemoveNext())
    {
        ASSERT_FALSE(heap->IsEmpty());
        ASSERT_EQ(heap->RemoveNext().key.m_uid, map->PeekNext().key.m_uid);
    }
    EXPECT_TRUE(heap->IsEmpty());
}

/* More than 256 near ones, between which others are inserted; 1,000 at one time; few bits in common. */
TEST(EventHeap, GivesManyEventsOfOneTimeInTheirOrder)
{
    const auto heap = ns3::CreateObject<EventHeap>();
    const auto map = ns3::CreateObject<ns3::MapScheduler>();
    std::uint32_t number = 0;
    const auto insert = [&](std::uint64_t time) {
        const auto event = At(time, ++number);
        heap->Insert(event);
        map->Insert(event);
    };
    insert(1);
    insert(std::uint64_t{1} << 62U);
    heap->RemoveNext(); // so that all that follow are near
    map->RemoveNext();
    for (std::uint64_t i = 0; i < 1000; ++i)
    {
        insert(1'000'000);
        insert(500'000 + (i * 7919) % 1000 * 100);
        insert(1'000'000 + i);
    }
    while (!map->IsEmpty())
    {
        ASSERT_EQ(heap->RemoveNext().key.m_uid, map->RemoveNext().key.m_uid);
    }
    EXPECT_TRUE(heap->IsEmpty());
}

/* 400 events at one time, more than are kept near: event i is of node i mod 4, so each node's come in steps of 4. */
TEST(EventHeap, GivesEventsOfOneTimeNodeByNode)
{
    const auto heap = ns3::CreateObject<EventHeap>();
    heap->SetOrder({true});
    for (std::uint32_t i = 0; i < 400; ++i)
    {
        heap->Insert(At(7, i, i % 4));
    }
    for (std::uint32_t i = 0; i < 400; ++i)
    {
        ASSERT_EQ(heap->PeekNext().key.m_uid, i % 100 * 4 + i / 100);
        ASSERT_EQ(heap->RemoveNext().key.m_uid, i % 100 * 4 + i / 100);
    }
}

/* Three times as many events, all at one time, of one node or each before all others: it is told twice at least, as what is near
 * is counted when it is over. */
TEST(EventHeap, TellsOfManyEvents)
{
    constexpr std::uint32_t events = 3 * EventHeap::MANY_EVENTS;
    for (const std::uint32_t nodes : {1U, events})
    {
        const auto heap = ns3::CreateObject<EventHeap>();
        heap->SetOrder({true});
        std::uint32_t told = 0;
        heap->onManyEvents = [&told] { ++told; };
        for (std::uint32_t i = 0; i < events; ++i)
        {
            heap->Insert(At(5, i, (events - i) % nodes));
        }
        std::uint32_t last = 0;
        while (!heap->IsEmpty())
        {
            const auto node = heap->RemoveNext().key.m_context;
            ASSERT_GE(node, last);
            last = node;
        }
        EXPECT_GE(told, 2U);
        EXPECT_LE(told, 3U);
    }
}

/*
 * A timer of 1 s that is set 100,000 times, 1 ns later each time, and cancelled before: at most 2^14 events are held, of which one lives.
 * ns-3 ends as with its own search tree: when the last timer would have ended, 1 s after 99,999 ns.
 */
TEST(EventHeap, LetsCancelledEventsGo)
{
    UseEventHeap();
    constexpr std::uint32_t timers{100'000};
    std::uint32_t set = 0;
    std::uint32_t fired = 0;
    std::size_t mostPending = 0;
    ns3::EventId timer;
    std::function<void()> next = [&] {
        timer.Cancel();
        timer = ns3::Simulator::Schedule(ns3::Seconds(1), [&fired] { ++fired; });
        mostPending =
            std::max(mostPending, set % 1'000 == 0 ? EventHeap::Current()->Pending().size() : 0);
        if (++set < timers)
        {
            ns3::Simulator::Schedule(ns3::NanoSeconds(1), next);
        }
    };
    ns3::Simulator::Schedule(ns3::Time(0), next);
    ns3::Simulator::Run();
    EXPECT_EQ(ns3::Simulator::Now(), ns3::Seconds(1) + ns3::NanoSeconds(timers - 1));
    ns3::Simulator::Destroy();
    EXPECT_EQ(fired, 1U);
    EXPECT_LE(mostPending, std::size_t{1} << 14U);
}

/* The same, but the timer that lives is set first, at 0.5 s: what ns-3 waits for behind it are events that were cancelled. */
TEST(EventHeap, EndsWhenTheLastCancelledEventWould)
{
    UseEventHeap();
    constexpr std::uint32_t timers{100'000};
    std::uint64_t firedAtPs = 0;
    ns3::Simulator::Schedule(ns3::MilliSeconds(500),
                             [&firedAtPs] { firedAtPs = ns3::Simulator::Now().GetTimeStep(); });
    for (std::uint32_t i = 0; i < timers; ++i)
    {
        ns3::Simulator::Schedule(ns3::Seconds(1) + ns3::NanoSeconds(i), [] { FAIL(); }).Cancel();
    }
    EXPECT_LE(EventHeap::Current()->Pending().size(), std::size_t{1} << 14U);
    ns3::Simulator::Run();
    EXPECT_EQ(ns3::Simulator::Now(), ns3::Seconds(1) + ns3::NanoSeconds(timers - 1));
    ns3::Simulator::Destroy();
    EXPECT_EQ(firedAtPs, static_cast<std::uint64_t>(ns3::MilliSeconds(500).GetTimeStep()));
}

/* At 10 come 1 and 3, at 30 comes 2; 2 and 3 are brought forward by 5. */
TEST(EventHeap, BringsForward)
{
    UseEventHeap();
    std::vector<int> order;
    const auto note = [&order](int number) {
        return [&order, number] { order.push_back(number); };
    };
    ns3::Simulator::Schedule(ns3::Time(10), note(1));
    const auto second = ns3::Simulator::Schedule(ns3::Time(30), note(2)).GetUid();
    const auto third = ns3::Simulator::Schedule(ns3::Time(10), note(3)).GetUid();
    EventHeap::Current()->BringForward({second, third}, 5);
    const auto pending = EventHeap::Current()->Pending();
    ASSERT_EQ(pending.size(), 3U);
    EXPECT_EQ(pending[0].key.m_ts, 5U);
    EXPECT_EQ(pending[1].key.m_ts, 10U);
    EXPECT_EQ(pending[2].key.m_ts, 25U);
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
    EXPECT_EQ(order, (std::vector<int>{3, 1, 2}));
}

} // namespace inca
