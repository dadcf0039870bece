/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/summary.h"

#include "sweep/point-result.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

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

/* Two points with two seeds each, of which the last has failed: it does not count, and one value has no
 * interval. */
TEST(Summary, IsARowForEachPoint)
{
    Summaries summaries;
    const auto add = [&summaries](const SweepPoint& point, const PointResult& result) {
        summaries.Add(point.label, point.varied, SettingsOf(point), RowOf(point, result));
    };
    add(PointOf("2", "1"), ResultOf(1));
    add(PointOf("3", "1"), ResultOf(7));
    add(PointOf("2", "2"), ResultOf(3));
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
