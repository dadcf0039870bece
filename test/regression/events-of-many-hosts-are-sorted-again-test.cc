/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/event-heap.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace inca
{

/*
 * A tree of 16,384 workers spent a third of its time on sorting all that was to come, whenever something came between
 * many events that were near. 4,096 hosts, of which each does two things at once, 20 times, and then something
 * 1,000 to 1,006 later. An event moves to a nearer pile each time, and a time has 64 bits: at most 64 moves.
 */
TEST(EventsOfManyHostsAreSortedAgain, AnEventMovesAFewTimes)
{
    constexpr std::uint32_t hosts = 4096;
    constexpr std::uint32_t turns = 20;
    const auto heap = ns3::CreateObject<EventHeap>();
    std::uint32_t number = 0;
    const auto insert = [&](std::uint64_t time, std::uint32_t kind) {
        heap->Insert({nullptr, {time, ++number, kind}});
    };
    for (std::uint32_t host = 0; host < hosts; ++host)
    {
        insert(1 + host % 3, 0);
    }
    for (std::uint32_t begun = 0; begun < hosts * turns;)
    {
        const auto next = heap->RemoveNext().key;
        begun += next.m_context == 0 ? 1 : 0;
        if (next.m_context < 2)
        {
            insert(next.m_ts, next.m_context + 1);
        }
        else
        {
            insert(next.m_ts + 1000 + next.m_uid % 7, 0);
        }
    }
    EXPECT_LE(heap->Moves(), std::uint64_t{64} * number);
}

} // namespace inca
