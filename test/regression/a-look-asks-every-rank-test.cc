/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/watchdog.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gtest/gtest.h>

namespace inca
{

/*
 * A tenth of a run of 65,536 workers went on asking each of them, 500 times, how long it is busy, though bytes arrived all
 * the time. Here something happens between any two of 10 looks: nobody is asked.
 */
TEST(ALookAsksEveryRank, OnlyWhereNothingElseHappens)
{
    constexpr std::int64_t lookPs = 1000;
    constexpr std::uint64_t looks = 10;
    std::uint64_t looked = 0;
    std::uint64_t asked = 0;
    WatchedRun run;
    run.nowPs = [] { return ns3::Simulator::Now().GetPicoSeconds(); };
    run.isFinished = [&looked] { return looked > looks; };
    run.busyUntilPs = [&asked] {
        ++asked;
        return std::int64_t{0};
    };
    run.progress = [&looked] { return looked; };
    run.silencePs = [] { return std::int64_t{0}; };
    run.state = [] { return std::string(); };
    Watchdog watchdog(run, lookPs, 100 * lookPs, [&looked] { ++looked; });
    watchdog.Start();
    ns3::Simulator::Run();
    ns3::Simulator::Destroy();
    EXPECT_EQ(looked, looks + 1);
    EXPECT_EQ(asked, 0U);
}

} // namespace inca
