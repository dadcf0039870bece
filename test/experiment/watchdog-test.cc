/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/watchdog.h"

#include "base/errors.h"
#include "helper/time-resolution.h"
#include "support/why-not.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::HasSubstr;

/** A run of which the test says whether it moves, and a watchdog with a patience of 10 ms, which looks every 2.5 ms. */
class WatchdogTest : public testing::Test
{
  protected:
    static constexpr std::int64_t MS{1'000'000'000};

    WatchdogTest()
    {
        SetPicosecondResolution();
    }

    ~WatchdogTest() override
    {
        ns3::Simulator::Destroy();
    }

    static std::int64_t NowPs()
    {
        return ns3::Simulator::Now().GetPicoSeconds();
    }

    WatchedRun Watched()
    {
        return {[] { return NowPs(); },
                [this] { return isFinished; },
                [this] {
                    ++asked;
                    return busyUntilPs;
                },
                [this] { return progress; },
                [this] { return silencePs; },
                [] { return std::string("everyone waits"); }};
    }

    /** @return what the watchdog says in the end */
    std::string Watch()
    {
        const Watchdog watchdog(Watched(), 10 * MS);
        ns3::Simulator::Run();
        return WhyNot<RunError>([&watchdog] { watchdog.CheckFinished(); });
    }

    bool isFinished{false};
    std::int64_t busyUntilPs{0};
    std::uint64_t progress{0};
    std::int64_t silencePs{0}; ///< that timeouts explain
    std::uint64_t asked{0};    ///< how long ranks are busy
};

TEST_F(WatchdogTest, LosesItsPatience)
{
    struct Row
    {
        std::int64_t progressPs;
        std::int64_t busyUntilPs;
        std::int64_t silencePs;
        std::int64_t endPs;
        const char* since;
    };

    const Row rows[] = {
        {0, 0, 0, 10 * MS, "no progress since 0 ps (simulation.watchdog = 10ms)"},
        // Seen at 5 ms.
        {4 * MS, 0, 0, 15 * MS, "no progress since 5.000 ms"},
        // Senders may wait for 25 ms, more than its patience.
        {0, 0, 25 * MS, 25 * MS, "(simulation.watchdog = 10ms, and 25.00 ms for timeouts)"},
        // 30 ms of computing, three times its patience, is no standstill; a host codec at 1 B/s was given up
        // so. Where work ends between two looks, its patience begins there, and ends at a look.
        {0, 30 * MS, 0, 40 * MS, "no progress since 30.00 ms"},
        {0, 29 * MS, 0, 40 * MS, "no progress since 29.00 ms"},
    };
    for (const auto& row : rows)
    {
        progress = 0;
        busyUntilPs = row.busyUntilPs;
        silencePs = row.silencePs;
        ns3::Simulator::Schedule(ns3::PicoSeconds(static_cast<std::uint64_t>(row.progressPs)),
                                 [&] { progress += row.progressPs > 0 ? 1 : 0; });
        const auto complaint = Watch();
        EXPECT_THAT(complaint, HasSubstr(row.since));
        EXPECT_THAT(complaint, HasSubstr("everyone waits"));
        EXPECT_EQ(NowPs(), row.endPs) << row.since;
        ns3::Simulator::Destroy();
    }
}

/* It leaves a finished run alone, and says so where nothing is left to happen in one that is not. */
TEST_F(WatchdogTest, AnEmptyAgendaIsAStandstill)
{
    isFinished = true;
    EXPECT_EQ(Watch(), "");
    isFinished = false;
    {
        const Watchdog watchdog(Watched(), 10 * MS);
        EXPECT_THAT(WhyNot<RunError>([&watchdog] { watchdog.CheckFinished(); }),
                    HasSubstr("nothing is left to happen at 2.500 ms"));
    }
}

/*
 * A tenth of a run of 65,536 workers went on asking each of them, 500 times, how long it is busy, though bytes arrived all
 * the time. Here something happens between any two looks: nobody is asked.
 */
TEST_F(WatchdogTest, AsksEveryRankOnlyWhereNothingElseHappens)
{
    for (std::uint64_t ms = 1; ms <= 100; ++ms)
    {
        ns3::Simulator::Schedule(ns3::MilliSeconds(ms), [this] { ++progress; });
    }
    ns3::Simulator::Schedule(ns3::MilliSeconds(100), [this] { isFinished = true; });
    EXPECT_EQ(Watch(), "");
    EXPECT_EQ(asked, 0U);
}

} // namespace inca
