/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/wait-log.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace inca
{

namespace
{

class WaitLogTest : public testing::Test
{
  protected:
    WaitLogTest()
    {
        if (ns3::Time::GetResolution() != ns3::Time::PS)
        {
            ns3::Time::SetResolution(ns3::Time::PS);
        }
    }

    void At(std::int64_t ps, const std::function<void()>& action)
    {
        ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(ps)), action);
    }

    void NoteAt(std::int64_t ps, std::optional<Awaited> awaited)
    {
        At(ps, [this, awaited] { log.Note(awaited); });
    }

    void ComeAt(std::int64_t ps, Awaited what, std::int64_t sentPs)
    {
        At(ps, [this, what, sentPs] { log.Came(what, sentPs); });
    }

    /** Peer, begin and end of each wait. */
    std::vector<std::array<std::int64_t, 3>> Waits()
    {
        ns3::Simulator::Run();
        ns3::Simulator::Destroy();
        std::vector<std::array<std::int64_t, 3>> waits;
        for (const auto& wait : timeline.Waits())
        {
            waits.push_back({wait.peer, wait.span.beginPs, wait.span.endPs});
        }
        return waits;
    }

    Timeline timeline;
    JobClock clock;
    WaitLog log{timeline, clock};
};

} // namespace

/* Waits for a message of rank 2 from 10 ps on, said twice, which comes at 30 and was sent at 25; then for
 * one of rank 5, which comes at 40 and was sent at 28, before it was awaited; then for a grant of rank 5,
 * sent at 50 and there at 60. */
TEST_F(WaitLogTest, AWaitEndsWhenWhatIsAwaitedWasSent)
{
    const Awaited first{{2, 0}, false};
    const Awaited second{{5, 0}, false};
    const Awaited grant{{5, 0}, true};
    NoteAt(10, first);
    NoteAt(20, first);
    ComeAt(30, first, 25);
    NoteAt(30, second);
    ComeAt(40, second, 28);
    NoteAt(40, grant);
    ComeAt(60, grant, 50);
    EXPECT_EQ(Waits(), (std::vector<std::array<std::int64_t, 3>>{{2, 10, 25}, {5, 40, 50}}));
}

/* Waits for a message of rank 2 from 10 to 20 ps, for a grant of rank 3 until 40, for the message again
 * until 70, when it comes; it was sent at 60. The grant was sent at 35. */
TEST_F(WaitLogTest, AWaitMayBeInterrupted)
{
    const Awaited message{{2, 7}, false};
    const Awaited grant{{3, 0}, true};
    NoteAt(10, message);
    NoteAt(20, grant);
    ComeAt(40, grant, 35);
    NoteAt(40, message);
    ComeAt(70, message, 60);
    EXPECT_EQ(Waits(),
              (std::vector<std::array<std::int64_t, 3>>{{3, 20, 35}, {2, 10, 20}, {2, 40, 60}}));
}

/* What nobody waits for comes; a wait of no length is none. */
TEST_F(WaitLogTest, WhatCameEarlyWasNotWaitedFor)
{
    const Awaited message{{2, 0}, false};
    ComeAt(10, message, 5);
    NoteAt(20, Awaited{{2, 1}, false});
    NoteAt(20, std::nullopt);
    ComeAt(30, {{2, 1}, false}, 30);
    EXPECT_TRUE(Waits().empty());
}

} // namespace inca
