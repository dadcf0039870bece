/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/wait-log.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace inca
{

/* Waits for rank 2 from 10 to 30 ps, said twice, then for rank 5 until 40 ps, then for nobody; a wait that
 * ends when it begins is none. */
TEST(WaitLog, WritesWhomARankWaitedFor)
{
    if (ns3::Time::GetResolution() != ns3::Time::PS)
    {
        ns3::Time::SetResolution(ns3::Time::PS);
    }
    Timeline timeline;
    const JobClock clock;
    WaitLog log(timeline, clock);
    const auto noteAt = [&log](std::int64_t ps, std::optional<Rank> peer) {
        ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(ps)),
                                 [&log, peer] { log.Note(peer); });
    };
    noteAt(10, 2);
    noteAt(20, 2);
    noteAt(30, 5);
    noteAt(40, 7);
    noteAt(40, std::nullopt);
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
    ASSERT_EQ(timeline.Waits().size(), 2U);
    EXPECT_EQ(timeline.Waits()[0].peer, 2U);
    EXPECT_EQ(timeline.Waits()[0].span.beginPs, 10);
    EXPECT_EQ(timeline.Waits()[0].span.endPs, 30);
    EXPECT_EQ(timeline.Waits()[1].peer, 5U);
    EXPECT_EQ(timeline.Waits()[1].span.endPs, 40);
}

} // namespace inca
