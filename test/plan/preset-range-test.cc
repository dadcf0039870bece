/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/preset-range.h"

#include "plan/plan-maker.h"
#include "support/settings.h"

#include "gtest/gtest.h"

#include <cmath>
#include <vector>

using namespace inca;

namespace
{

/** An explanation that left sizes out, and what it was off by there. */
Explanation
WithErrors(std::vector<double> errors)
{
    return {"", "sizes", 1, {}, std::move(errors)};
}

} // namespace

/* Two models say 100 and 110, of which 60 and 70 are exchanges. Where measured and predicted differed by a factor of 2, an exchange
 * takes half or twice as long: 70 or 160, and 75 or 180. Of 6 errors all count: from the lowest to the highest. */
TEST(PresetRange, IsWhatModelsSayMovedByTheirErrors)
{
    const double twice = std::log(2);
    const std::vector<Explanation> explanations{WithErrors({0, twice}),
                                                WithErrors({twice, 0, 0, 0})};
    const auto range = PresetRange({105, 65}, explanations, {{100, 60}, {110, 70}}, "sizes");
    ASSERT_TRUE(range);
    EXPECT_DOUBLE_EQ(range->first, 70);
    EXPECT_DOUBLE_EQ(range->second, 180);
    EXPECT_FALSE(PresetRange({105, 65}, explanations, {{100, 60}, {110, 70}}, "ranks"))
        << "nothing judges ranks";
}

/* What explains all measurements moves the ends by 20 down and by 5 up, however it is off itself. */
TEST(PresetRange, HasWhatMeasurementsLeaveOpen)
{
    const std::vector<Explanation> explanations{
        WithErrors({0, 0, 0, 0, 0, 0}), {"starts", "", 1, {}, {}}, {"messages", "", 1, {}, {}}};
    const auto range =
        PresetRange({100, 100}, explanations, {{100, 100}, {80, 80}, {105, 105}}, "sizes");
    ASSERT_TRUE(range);
    EXPECT_DOUBLE_EQ(range->first, 80);
    EXPECT_DOUBLE_EQ(range->second, 105);
}

/* 19 errors, factors 1.05 to 1.95: of 20 places a tenth are 2, so that the second on either side, 1.9, is the end. */
TEST(PresetRange, LeavesOutOneInTenOfManyErrors)
{
    std::vector<double> errors;
    for (int i = 1; i <= 19; ++i)
    {
        errors.push_back(std::log1p(i / 20.0));
    }
    const auto range = PresetRange({100, 100}, {WithErrors(errors)}, {{100, 100}}, "sizes");
    ASSERT_TRUE(range);
    EXPECT_NEAR(range->first, 100 / 1.9, 1e-9);
    EXPECT_NEAR(range->second, 190, 1e-9);
    EXPECT_FALSE(PresetRange({100, 100}, {WithErrors({0, 0, 0, 0, 0})}, {{100, 100}}, "sizes"))
        << "5 errors judge nothing";
}

/* Seen were 64 KiB to 1 MiB among 2 and 8 ranks. */
TEST(PresetReach, IsBetweenWhatWasSeen)
{
    CalibratedRange seen{64U << 10U, 1U << 20U, {2, 8}, {}};
    auto scenario = With({}, "training.trace=tensor:1MiB");
    scenario.cluster.calibrated = std::make_shared<const CalibratedRange>(seen);
    const auto leftOut = [&scenario](const std::string& settings) {
        return ReachOf(MakePlan(With(scenario, settings))).LeftOut();
    };
    EXPECT_EQ(leftOut("cluster.workers=8"), "sizes");
    EXPECT_EQ(leftOut("cluster.workers=4 cluster.gpus=2"), "sizes");
    EXPECT_EQ(leftOut("cluster.workers=4"), "ranks");
    EXPECT_EQ(leftOut("cluster.workers=9"), "");
    EXPECT_EQ(leftOut("cluster.workers=8 training.trace=tensor:2MiB"), "");
    EXPECT_EQ(leftOut("cluster.workers=8 training.trace=tensor:32KiB"), "");
}

/* 10 Gb/s of which links have 2.5 times. */
TEST(Explained, HasItsLinksAndCosts)
{
    Scenario scenario;
    scenario.cluster.calibrated = std::make_shared<const CalibratedRange>();
    const auto other = Explained(scenario, {"", "", 2.5, {{8, 1, 2, 3}}, {}});
    EXPECT_EQ(other.cluster.bitsPerSecond, 25'000'000'000U);
    ASSERT_EQ(other.host.protocols.size(), 1U);
    EXPECT_EQ(other.host.protocols[0].messagePs, 2);
    EXPECT_EQ(other.cluster.calibrated, nullptr);
}
