/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/watchdog.h"

#include "base/errors.h"
#include "device/simulated-time.h"
#include "helper/job-fixture.h"
#include "ns3/boolean.h"
#include "ns3/error-model.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

constexpr std::int64_t g_lookPs = 1'000'000;
constexpr std::int64_t g_patiencePs = 10'000'000'000;

} // namespace

class WatchdogTest : public JobFixture
{
  protected:
    /** A run that never finishes, and of which the test says whether it moves. */
    WatchedRun Endless()
    {
        return {[] { return NowPs(); },
                [] { return false; },
                [this] { return busyUntilPs; },
                [this] { return progress; },
                [this] { return silencePs; },
                [] { return std::string("everyone waits"); }};
    }

    /** Watches a job until the simulator returns. @return what the watchdog says then */
    std::string Watch(const std::shared_ptr<TrainingJob>& job, const Cluster& cluster)
    {
        const auto ranks = InstallJob(job, cluster);
        const auto delivered = [&cluster] {
            std::uint64_t bytes = 0;
            for (const auto& transport : cluster.transports)
            {
                bytes += transport->DeliveredBytes();
            }
            return bytes;
        };
        const auto finished = [&ranks] { return ranks[0]->IsFinished(); };
        const auto state = [&ranks] { return ranks[0]->State() + "\n" + ranks[1]->State(); };
        Watchdog watchdog({[] { return NowPs(); },
                           finished,
                           [] { return std::int64_t{0}; },
                           delivered,
                           [] { return 0; },
                           state},
                          g_lookPs,
                          g_patiencePs,
                          [] {});
        watchdog.Start();
        ns3::Simulator::Run();
        return Complaint(watchdog);
    }

    static std::string Complaint(const Watchdog& watchdog)
    {
        return WhyNot<RunError>([&watchdog] { watchdog.CheckFinished(); });
    }

    /** @return when an endless run was given up (ps) */
    std::int64_t GivenUpPs(std::int64_t lookPs = g_lookPs)
    {
        Watchdog watchdog(Endless(), lookPs, g_patiencePs, [this] { ++looks; });
        watchdog.Start();
        ns3::Simulator::Run();
        complaint = Complaint(watchdog);
        return NowPs();
    }

    /** Every frame that host @p host sends is lost. */
    static void LoseAllOf(const Cluster& cluster, std::size_t host)
    {
        const auto losses = ns3::CreateObject<ns3::RateErrorModel>();
        losses->SetUnit(ns3::RateErrorModel::ERROR_UNIT_PACKET);
        losses->SetRate(1.0);
        cluster.links[host]->SetErrorModel(0, losses);
    }

    static std::int64_t NowPs()
    {
        return ns3::Simulator::Now().GetPicoSeconds();
    }

    std::int64_t busyUntilPs{0};
    std::uint64_t progress{0};
    std::int64_t silencePs{0}; ///< that timeouts explain
    std::uint64_t looks{0};
    std::string complaint;
};

/* Nothing ever happens: the run ends when its patience does, to the picosecond. */
TEST_F(WatchdogTest, LosesItsPatienceInTime)
{
    EXPECT_EQ(GivenUpPs(), g_patiencePs);
    EXPECT_THAT(complaint, testing::HasSubstr("no progress since 0 ps"));
    EXPECT_THAT(complaint, testing::HasSubstr("everyone waits"));
    // every look is twice as far away: 2^14 - 1 times 1 us exceeds 10 ms
    EXPECT_LE(looks, 15U);
}

/* Progress at 4 ms is seen at a look after it, at most twice that late: at 8.192 ms at the latest. */
TEST_F(WatchdogTest, ProgressRenewsItsPatience)
{
    ns3::Simulator::Schedule(ns3::MilliSeconds(4), [this] { ++progress; });
    const auto endPs = GivenUpPs();
    EXPECT_GE(endPs, 4'000'000'000 + g_patiencePs);
    EXPECT_LE(endPs, 8'192'000'000 + g_patiencePs);
}

/* Senders may wait for 25 ms, more than its patience: it waits as long, to the picosecond. */
TEST_F(WatchdogTest, KnowsHowLongTimeoutsTake)
{
    silencePs = 25'000'000'000;
    EXPECT_EQ(GivenUpPs(), silencePs);
    EXPECT_THAT(complaint,
                testing::HasSubstr("no progress since 0 ps (simulation.watchdog = 10ms, and 25.00 "
                                   "ms for timeouts)"));
}

/* 30 ms of computing, three times its patience, is no standstill. Where its looks are as rare as it is patient, at 10, 20
 * and 30 ms, the work has just ended at the last, and nothing else has happened since 20 ms. A host codec at 1 B/s was
 * given up so. */
TEST_F(WatchdogTest, PatienceBeginsWhereWorkEnds)
{
    busyUntilPs = 30'000'000'000;
    EXPECT_EQ(GivenUpPs(), busyUntilPs + g_patiencePs);
    ns3::Simulator::Destroy();
    busyUntilPs = 29'999'000'000;
    EXPECT_EQ(GivenUpPs(g_patiencePs), busyUntilPs + g_patiencePs);
}

TEST_F(WatchdogTest, AnEmptyAgendaIsAStandstill)
{
    const Watchdog watchdog(Endless(), g_lookPs, g_patiencePs, [] {});
    ns3::Simulator::Run();
    EXPECT_THAT(Complaint(watchdog), testing::HasSubstr("nothing is left to happen at 0 ps"));
}

TEST_F(WatchdogTest, AFinishedRunIsLeftAlone)
{
    const auto cluster = StarHelper().Install(2);
    EXPECT_EQ(Watch(MakeTensorJob(Exchange("ring", 2), 100), cluster), "");
}

/* Worker 0's link loses all that it sends: worker 1 waits for it, and it, having got worker 1's first
 * block and sent its own, for worker 1's second. */
TEST_F(WatchdogTest, SaysWhoWaitsForWhom)
{
    const auto cluster = StarHelper().Install(2);
    LoseAllOf(cluster, 0);
    complaint = Watch(MakeTensorJob(Exchange("ring", 2), 100), cluster);
    EXPECT_THAT(complaint,
                testing::HasSubstr("exchange 0, step 2 of 2, waits for a message from worker 1"));
    EXPECT_THAT(complaint,
                testing::HasSubstr("exchange 0, step 1 of 2, waits for a message from worker 0"));
}

/* A host that may not send yet says so. */
TEST_F(WatchdogTest, SaysWhoWaitsForAGrant)
{
    const auto cluster = StarHelper().Install(2);
    for (const auto& path : cluster.paths)
    {
        path->SetAttribute("FullDuplex", ns3::BooleanValue(false));
    }
    LoseAllOf(cluster, 1);
    EXPECT_THAT(Watch(MakeTensorJob(Exchange("ring", 2), 100), cluster),
                testing::HasSubstr("waits until it may send to worker 1"));
}

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

/* Looks are as far apart as a fifth of a second of computing, some hundred in a short run, not less often than the
 * watchdog's patience, nor more often than once in a microsecond. */
TEST(CtrlCWaitsMinutesForALook, LongRunsAreLookedAtInEachSecond)
{
    constexpr std::int64_t secondPs = 1'000'000'000'000;
    // 65,536 workers and one aggregator at 10 Gb/s, 100 MB each: 2 * 65,536 * 100 MB * 8 / 10 Gb/s are more than
    // 10,000 s of simulated time, of which the run looked at Ctrl-C every 20 s, in which 20 million frames come and
    // go. Of 20 hours of CPU time, 72,000 s, five looks in each second are 10,000 s / 360,000 = 27.8 ms from look
    // to look.
    EXPECT_EQ(WatchdogLookPs({10'000 * secondPs, 1, 72'000, 60 * secondPs}),
              10'000 * secondPs / 360'000);
    // 200 looks, whatever time a short run takes: 2 iterations of 1 s are 2 s / 200 = 10 ms.
    EXPECT_EQ(WatchdogLookPs({secondPs, 2, 3, 10 * secondPs}), secondPs / 100);
    EXPECT_EQ(WatchdogLookPs({10'000 * secondPs, 1, 1, secondPs}), secondPs);
    EXPECT_EQ(WatchdogLookPs({1'000, 1, 1, secondPs}), 1'000'000);
}

} // namespace inca
