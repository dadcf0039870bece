/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/sweep.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

class SweepTest : public testing::Test
{
  protected:
    SweepTest()
    {
        std::ofstream(path) << "[training]\ntrace = \"tensor:1MB\"\n[host]\nsum_rate = \"none\"\n";
    }

    SweepPlan Plan(const std::vector<std::string>& vary) const
    {
        return PlanSweep(path, {}, vary);
    }

    // of its own: tests run at the same time
    std::string path{testing::TempDir() + "sweep-" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml"};
};

} // namespace

/* 2 bandwidths times 2 numbers of workers: the last key varies fastest. */
TEST_F(SweepTest, PlansTheGridInOrder)
{
    const auto plan = Plan({"cluster.bandwidth=10Gbps,20Gbps", "cluster.workers=2,3"});
    ASSERT_EQ(plan.points.size(), 4U);
    EXPECT_THAT(plan.points[1].varied,
                ElementsAre("cluster.bandwidth=10Gbps", "cluster.workers=3"));
    EXPECT_EQ(plan.points[1].scenario.cluster.bitsPerSecond, 10'000'000'000U);
    EXPECT_EQ(plan.points[1].scenario.cluster.workers, 3U);
    EXPECT_EQ(plan.points[2].scenario.cluster.bitsPerSecond, 20'000'000'000U);
}

TEST_F(SweepTest, SettingsHoldAtAllPoints)
{
    const auto plan = PlanSweep(path, {"cluster.latency=5us"}, {"cluster.workers=2,3"});
    for (const auto& point : plan.points)
    {
        EXPECT_EQ(point.scenario.cluster.latencyPs, 5'000'000);
    }
}

TEST_F(SweepTest, RefusesBeforeAnythingRunsAndSaysEverythingOnce)
{
    try
    {
        Plan({"cluster.workers=1,2", "host.duplex=0,7"});
        FAIL() << "two values are out of range";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(),
                    ElementsAre(HasSubstr("cluster.workers"), HasSubstr("host.duplex")));
    }
}

TEST_F(SweepTest, WarnsOnceForAllPoints)
{
    const auto plan = PlanSweep(path, {"exchange.broadcast=flat"}, {"cluster.workers=2,3,4"});
    ASSERT_EQ(plan.warnings.size(), 1U);
    EXPECT_THAT(plan.warnings[0], HasSubstr("exchange.broadcast"));
}

/* A ring of N moves 2 (N - 1) / N of the tensor: 1 for N = 2, 4/3 for N = 3. */
TEST_F(SweepTest, RunsEveryPointAndReportsAsItGoes)
{
    std::vector<std::uint64_t> plainBytes;
    std::vector<double> shares;
    RunSweep(
        Plan({"cluster.workers=2,3"}),
        [&](const SweepPoint& point, const RunRecord& record) {
            EXPECT_EQ(record.Setting("workers"), std::to_string(point.scenario.cluster.workers));
            plainBytes.push_back(record.results.plainBytes);
        },
        [&](double share) { shares.push_back(share); });
    // of all workers: N * 2 (N - 1) / N * 1 MB = 2 (N - 1) MB
    EXPECT_THAT(plainBytes, ElementsAre(2'000'000U, 4'000'000U));
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_TRUE(!shares.empty() && shares.back() <= 1);
}

TEST_F(SweepTest, RefusesATraceThatIsNotThereBeforeAnythingRuns)
{
    try
    {
        Plan({"training.trace=tensor:1MB,no-such-trace"});
        FAIL() << "there is no such trace";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(),
                    ElementsAre(HasSubstr("--vary training.trace: unknown 'no-such-trace'")));
    }
}

/* Only reading a trace tells that it is none; that is done before the first run, and once. */
TEST_F(SweepTest, RefusesATraceThatIsNoneBeforeAnyRun)
{
    const auto broken = testing::TempDir() + "sweep-test-broken.csv";
    std::ofstream(broken) << "no trace\n";
    try
    {
        Plan({"training.trace=tensor:1MB," + broken, "cluster.workers=2,3"});
        FAIL() << "it is no trace";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(), ElementsAre(HasSubstr(broken + ":1: no INCA trace")));
    }
}

TEST_F(SweepTest, NamesThePointThatARunRefuses)
{
    const auto plan = PlanSweep(
        path, {"training.values=true", "training.values_file=/no/file"}, {"cluster.workers=2,3"});
    try
    {
        RunSweep(
            plan, [](const SweepPoint&, const RunRecord&) {}, [](double) {});
        FAIL() << "there are no values";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.what(), HasSubstr("at cluster.workers=2: /no/file: cannot be read"));
    }
}

TEST_F(SweepTest, RefusesAKeyThatIsBothSetAndVaried)
{
    try
    {
        PlanSweep(path, {"cluster.workers=8"}, {"cluster.workers=2,3"});
        FAIL() << "the value of --set would be lost";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(),
                    ElementsAre("--vary cluster.workers: is there as --set, too; leave one of "
                                "them out"));
    }
}

TEST_F(SweepTest, VariesWindowsBelowAckEvery)
{
    EXPECT_EQ(Plan({"transport.window=8,16,64"}).points.size(), 3U);
}

/* A file that brings its sweep: the command line's values of the same key win, others come last. */
TEST_F(SweepTest, TakesTheSweepOfTheFile)
{
    std::ofstream(path, std::ios::app) << "[sweep]\nvary = [\"cluster.workers=2,3\"]\n";
    const auto plan = Plan({});
    ASSERT_EQ(plan.points.size(), 2U);
    EXPECT_THAT(plan.points[1].varied, ElementsAre("cluster.workers=3"));
    EXPECT_EQ(plan.points[1].scenario.cluster.workers, 3U);
    const auto changed = Plan({"cluster.bandwidth=1Gbps,2Gbps", "cluster.workers=5"});
    ASSERT_EQ(changed.points.size(), 2U);
    EXPECT_THAT(changed.points[1].varied,
                ElementsAre("cluster.workers=5", "cluster.bandwidth=2Gbps"));
}

TEST_F(SweepTest, SetFixesAKeyOfTheFilesSweep)
{
    std::ofstream(path, std::ios::app)
        << "[sweep]\nvary = [\"cluster.workers=2,3\", \"cluster.latency=1us,2us\"]\n";
    const auto plan = PlanSweep(path, {"cluster.workers=7"}, {});
    ASSERT_EQ(plan.points.size(), 2U);
    EXPECT_THAT(plan.points[1].varied, ElementsAre("cluster.latency=2us"));
    EXPECT_EQ(plan.points[1].scenario.cluster.workers, 7U);
}

/* A point that cannot run refuses the whole sweep, wherever its values come from. */
TEST_F(SweepTest, RefusesPointsOfTheFileThatCannotRun)
{
    std::ofstream(path, std::ios::app)
        << "[sweep]\nvary = [\"exchange.algorithm=ring,switch-slots\", "
           "\"codec.name=none,truncate\"]\n";
    try
    {
        Plan({});
        FAIL() << "switches do not add what truncate makes";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(),
                    ElementsAre(HasSubstr("sweep.vary codec.name: must be none")));
    }
}

/* The trace of a point is looked for where the file says so: line 6, behind "vary = [". */
TEST_F(SweepTest, ComplaintsOfAPointNameTheFile)
{
    std::ofstream(path, std::ios::app) << "[sweep]\nvary = [\"training.trace=no-such-trace\"]\n";
    try
    {
        Plan({});
        FAIL() << "there is no such trace";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(),
                    ElementsAre(HasSubstr(path + ":6:9: sweep.vary training.trace: unknown")));
    }
}

TEST_F(SweepTest, RefusesASweepOfNothing)
{
    try
    {
        Plan({});
        FAIL() << "neither the file nor the command line varies anything";
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(), ElementsAre(HasSubstr("sweep.vary: nothing varies")));
    }
}

/* What one exchange reads is idle in the other: a sweep over both is what the keys are there for. */
TEST_F(SweepTest, WarnsOnlyOfWhatMattersNowhere)
{
    const std::vector<std::string> settings{"exchange.broadcast=flat", "codec.bound=2^-6"};
    const auto plan = PlanSweep(path, settings, {"exchange.algorithm=ring,worker-aggregator"});
    EXPECT_THAT(plan.warnings, ElementsAre(HasSubstr("codec.bound")));
}

} // namespace inca
