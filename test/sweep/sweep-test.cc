/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/sweep.h"

#include "base/interrupt.h"
#include "support/end-of.h"
#include "sweep/point-result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

/* 10 s of 8 to 12 over 5 s of 4 to 8: at most 12 / 4, at least 8 / 8. */
TEST(PointResult, HasGainsWithTheirRange)
{
    const auto result = [](const char* low, const char* mean, const char* high) {
        return PointResult{PointStatus::DONE,
                           {},
                           {{"iteration_time_s", mean, false},
                            {"iteration_time_low_s", low, false},
                            {"iteration_time_high_s", high, false}}};
    };
    const auto gains = [](const PointResult& of) {
        std::string all;
        for (const auto& cell : of.gains)
        {
            all += cell.column + "=" + cell.text + " ";
        }
        return all;
    };
    EXPECT_EQ(gains(WithGain(result("4", "5", "8"), result("8", "10", "12"))),
              "gain=2 gain_low=1 gain_high=3 ");
    EXPECT_EQ(gains(WithGain(result("", "5", ""), result("8", "10", "12"))),
              "gain=2 gain_low= gain_high= ");
    EXPECT_EQ(gains(WithGain(result("4", "5", "8"), {})), "gain= gain_low= gain_high= ");
}

class RunSweepTest : public testing::Test
{
  protected:
    RunSweepTest()
    {
        std::filesystem::remove_all(directory);
        std::ofstream(path) << "[training]\ntrace = \"tensor:1MB\"\n[host]\nsum_rate = \"none\"\n";
    }

    ~RunSweepTest() override
    {
        std::filesystem::remove_all(directory);
    }

    /** Rows as CSV, each with its line feed, of a sweep whose store has what earlier ones have found. */
    std::vector<std::string> Rows(const std::vector<std::string>& vary, const RunLimits& limits)
    {
        SweepRequest request;
        request.scenario = path;
        for (const auto& text : vary)
        {
            request.options.vary.push_back({text});
        }
        return RowsOf(request, limits);
    }

    std::vector<std::string> RowsOf(const SweepRequest& request, const RunLimits& limits)
    {
        std::vector<std::string> rows;
        const auto onResult = [&](const SweepPoint& point, const PointResult& result) {
            const auto row = RowOf(point, result);
            rows.push_back(CsvRow(row));
            statuses.push_back(CellText(row, "status"));
            plainBytes.push_back(CellText(row, "plain_bytes"));
            warnings.push_back(CellText(row, "warnings"));
            gains.push_back(CellText(row, "gain"));
        };
        const auto plan = PlanSweep(request);
        ResultStore store(directory);
        store.Begin(plan);
        Sweep sweep(plan, store, onResult, [this](const auto& now) { progress.push_back(now); });
        before = sweep.Progress().done;
        auto slots = MakeLocalSlots(plan.points, limits);
        sweep.Run(*slots);
        return rows;
    }

    /** How many results there are, by the number of the sweep that has found them. */
    std::map<std::int64_t, std::int64_t> Finders() const
    {
        Database database(StorePath(directory));
        auto counts = database.Prepare("SELECT sweep, count(*) FROM results GROUP BY sweep");
        std::map<std::int64_t, std::int64_t> finders;
        while (counts.Step())
        {
            finders[counts.Number(0)] = counts.Number(1);
        }
        return finders;
    }

    // of its own: tests run at the same time
    std::string path{testing::TempDir() + "sweep-" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".toml"};
    std::string directory{path + ".sweep"};
    std::size_t before{0}; ///< points that were done before the last sweep ran
    std::vector<std::string> statuses;
    std::vector<std::string> plainBytes;
    std::vector<std::string> warnings;
    std::vector<std::string> gains;
    std::vector<SweepProgress> progress;
};

SweepPoint
PointOf(const std::string& workers, const std::string& seed)
{
    SweepPoint point;
    point.label = "a";
    point.varied = {"cluster.workers=" + workers, "simulation.seed=" + seed};
    return point;
}

PointResult
ResultOf(std::int64_t iterationTimeS)
{
    RunRecord record;
    record.results.iterationTimePs = iterationTimeS * 1'000'000'000'000;
    return DoneResult(record);
}

} // namespace

/* A ring of N moves 2 (N - 1) / N of 1 MB on each of N workers: 2 (N - 1) MB. */
TEST_F(RunSweepTest, RowsAreInTheOrderOfPoints)
{
    Rows({"cluster.workers=2,5,3"}, {2, 1e9});
    EXPECT_THAT(plainBytes, ElementsAre("2000000", "8000000", "4000000"));
    EXPECT_THAT(statuses, ElementsAre("done", "done", "done"));
    EXPECT_EQ(progress.back().done, 3U);
    EXPECT_EQ(progress.back().points, 3U);
    EXPECT_EQ(progress.back().failed, 0U);
    EXPECT_EQ(progress.back().secondsLeft, 0);
    EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end(), [](const auto& a, const auto& b) {
        return a.done < b.done;
    }));
    OpenStore(StorePath(directory)).ForEachPoint([](const StoredPoint& point) {
        EXPECT_NE(RowOf(point).back().column, GAIN_COLUMN) << "nothing to compare with is named";
    });
}

/* In a process of its own, which ends as by an error. */
TEST_F(RunSweepTest, HearsOfSignalsBeforeItRuns)
{
    SweepRequest request;
    request.scenario = path;
    request.options.vary = {{"cluster.workers=2,5,3"}};
    const auto plan = PlanSweep(request);
    ResultStore store(directory);
    store.Begin(plan);
    const auto begin = [&] { Sweep(plan, store, {}, {}); };
    const auto interrupted = [&begin] {
        CatchInterrupts();
        ::raise(SIGTERM);
        begin();
    };
    EXPECT_EQ(EndOf(begin), 0);
    EXPECT_EQ(EndOf(interrupted), 3);
}

TEST_F(RunSweepTest, RefusedPointsAreRows)
{
    Rows({"exchange.algorithm=ring,switch-slots", "codec.name=none,truncate"}, {2, 1e9});
    EXPECT_THAT(statuses, ElementsAre("done", "done", "done", "refused"));
    EXPECT_THAT(warnings[3], HasSubstr("codec.name:"));
    EXPECT_EQ(plainBytes[3], "");
    Rows({"training.values=false,true", "training.values_file=/no/file"}, {2, 1e9});
    EXPECT_EQ(statuses.back(), "refused");
    EXPECT_THAT(warnings.back(), HasSubstr("/no/file:"));
}

/* A million iterations of 0.6 ms each that are all simulated take minutes, one none. What has failed runs again. */
TEST_F(RunSweepTest, ATimeLimitEndsARun)
{
    for (const std::size_t done : {0U, 1U})
    {
        statuses.clear();
        Rows({"training.iterations=1,1000000"}, {2, 1e12, 1.5});
        EXPECT_EQ(before, done);
        EXPECT_THAT(statuses, ElementsAre("done", "timeout"));
        EXPECT_EQ(warnings[1], "took longer than --time-limit 1.5 s");
    }
}

/* The second sweep has 2 of its 3 points from the first, the third all of them. */
TEST_F(RunSweepTest, RunsOnlyWhatIsMissing)
{
    const auto two = Rows({"cluster.workers=2,3"}, {2, 1e9});
    const auto three = Rows({"cluster.workers=2,4,3"}, {2, 1e9});
    EXPECT_EQ(before, 2U);
    EXPECT_EQ(three[0], two[0]);
    EXPECT_EQ(Rows({"cluster.workers=2,4,3"}, {2, 1e9}), three);
    EXPECT_EQ(before, 3U);
    EXPECT_EQ(Finders(), (std::map<std::int64_t, std::int64_t>{{1, 2}, {2, 1}}));
}

/* 10 Gbit/s are 10,000 Mbit/s, and the default: one run, three rows. */
TEST_F(RunSweepTest, PointsWithOneKeyRunOnce)
{
    SweepRequest request;
    request.scenario = path;
    request.options.systems = {ParseSystem("a:cluster.bandwidth=10Gbps"),
                               ParseSystem("b:cluster.bandwidth=10000Mbps"),
                               ParseSystem("c:cluster.workers=4")};
    const auto rows = RowsOf(request, {2, 1e9});
    ASSERT_EQ(rows.size(), 3U);
    for (const std::size_t i : {0U, 1U, 2U})
    {
        EXPECT_EQ(rows[i].substr(0, 3), std::string(1, "abc"[i]) + "," + std::to_string(i + 1));
    }
    EXPECT_EQ(Finders(), (std::map<std::int64_t, std::int64_t>{{1, 1}}));
}

/* Half the bandwidth takes twice as long but for the latency, which is 0: of tensors alone, twice as long. Stored rows are those
 * that were told, as SQL sees them. */
TEST_F(RunSweepTest, GainsAreOverTheNamedSystemAtTheSamePoint)
{
    SweepRequest request;
    request.scenario = path;
    request.against = "slow";
    request.options.systems = {ParseSystem("fast:cluster.bandwidth=20Gbps"),
                               ParseSystem("slow:cluster.bandwidth=10Gbps")};
    request.options.vary = {{"cluster.workers=2,4"}, {"exchange.algorithm=ring,tree"}};
    request.settings = {"cluster.latency=0s", "host.message_cost=0s", "host.frame_cost=0s"};
    const auto told = RowsOf(request, {2, 1e9});
    EXPECT_THAT(gains, ElementsAre("2", "2", "2", "2", "1", "1", "1", "1"));
    std::vector<std::string> stored;
    OpenStore(StorePath(directory)).ForEachPoint([&stored](const StoredPoint& point) {
        stored.push_back(CsvRow(RowOf(point)));
    });
    EXPECT_EQ(stored, told);
    Database database(StorePath(directory));
    auto rows = database.Prepare("SELECT gain FROM rows");
    for (const auto& gain : gains)
    {
        ASSERT_TRUE(rows.Step());
        EXPECT_EQ(std::strtod(rows.Text(0).c_str(), nullptr), std::strtod(gain.c_str(), nullptr));
    }
}

/* Two points with two seeds each, of which the last has failed: it does not count, and one value has no
 * interval. */
TEST(Summary, IsARowForEachPoint)
{
    Summaries summaries;
    const auto add = [&summaries](const SweepPoint& point, const PointResult& result) {
        summaries.Add(point.label, point.varied, SettingsOf(point), RowOf(point, result));
    };
    add(PointOf("2", "1"), ResultOf(1));
    add(PointOf("2", "2"), ResultOf(3));
    add(PointOf("3", "1"), ResultOf(7));
    add(PointOf("3", "2"), ResultWithout(PointStatus::FAILED, "no memory", Scenario{}));
    ASSERT_EQ(summaries.All().size(), 2U);
    const auto all = summaries.All();
    const auto& [varied, row] = all[0];
    EXPECT_EQ(varied, std::vector<std::string>{"cluster.workers=2"});
    EXPECT_EQ(CellText(row, "label"), "a");
    EXPECT_EQ(CellText(row, "workers"), "4"); // of the scenario, which is a default one here
    EXPECT_EQ(CellText(row, "runs"), "2");
    EXPECT_EQ(CellText(row, "iteration_time_mean_s"), "2");
    EXPECT_EQ(CellText(row, "iteration_time_sd_s"), "1.41421356");
    // 12.7062047 of t with one degree of freedom, times the deviation over sqrt(2), which is 1
    EXPECT_EQ(CellText(row, "iteration_time_high95_s"), "14.7062047");
    EXPECT_EQ(CellText(summaries.All()[1].row, "runs"), "1");
    EXPECT_EQ(CellText(summaries.All()[1].row, "iteration_time_mean_s"), "7");
    EXPECT_EQ(CellText(summaries.All()[1].row, "iteration_time_sd_s"), "");
}

} // namespace inca
