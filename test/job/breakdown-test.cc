/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/breakdown.h"
#include "job/span-set.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace inca
{

namespace
{

std::vector<std::pair<std::int64_t, std::int64_t>>
Pairs(const SpanSet& spans)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (const auto& span : spans)
    {
        pairs.emplace_back(span.beginPs, span.endPs);
    }
    return pairs;
}

using Expected = std::vector<std::pair<std::int64_t, std::int64_t>>;

} // namespace

/* a: |0..10| |20..30|, b: |5..22| |25..26|, so both: 5..10, 20..22, 25..26; a alone: the rest of a. */
TEST(SpanSet, IntersectAndSubtractSplitASet)
{
    const SpanSet a{{0, 10}, {20, 30}};
    const SpanSet b{{5, 22}, {25, 26}};
    EXPECT_EQ(Pairs(Intersect(a, b)), (Expected{{5, 10}, {20, 22}, {25, 26}}));
    EXPECT_EQ(Pairs(Subtract(a, b)), (Expected{{0, 5}, {22, 25}, {26, 30}}));
    EXPECT_EQ(Length(Intersect(a, b)) + Length(Subtract(a, b)), Length(a));
}

TEST(SpanSet, TouchingSpansShareNothing)
{
    EXPECT_TRUE(Intersect({{0, 10}}, {{10, 20}}).empty());
    EXPECT_EQ(Pairs(Subtract({{0, 10}}, {{10, 20}})), (Expected{{0, 10}}));
    EXPECT_TRUE(Subtract({{0, 10}}, {{0, 10}}).empty());
    EXPECT_TRUE(Intersect({}, {{0, 10}}).empty());
}

namespace
{

/** Three ranks' timelines; the breakdown is rank 0's over 0..100. */
class BreakdownTest : public testing::Test
{
  protected:
    Breakdown Of0() const
    {
        return Breakdowns({&ranks[0], &ranks[1], &ranks[2]}).Of(0, {0, 100});
    }

    std::array<Timeline, 3> ranks;
};

} // namespace

/* forward 0..30, copy 20..50 (10 of it under forward), rest 50..100 without any wait. */
TEST_F(BreakdownTest, AnInstantCountsForTheFirstThatHolds)
{
    ranks[0].Add(Activity::FORWARD, {0, 30});
    ranks[0].Add(Activity::COPY, {20, 50});
    const auto breakdown = Of0();
    EXPECT_EQ(breakdown.Of(Activity::FORWARD), 30);
    EXPECT_EQ(breakdown.Of(Activity::COPY), 20);
    EXPECT_EQ(breakdown.communicationPs, 50);
    EXPECT_EQ(breakdown.TotalPs(), 100);
}

/* 0 waits for 1 during 40..90; 1 sums 50..60 and updates 55..75: sum 10, update 60..75 = 15. */
TEST_F(BreakdownTest, SumAndUpdateOfTheHostWaitedForCount)
{
    ranks[0].Add(Activity::FORWARD, {0, 40});
    ranks[0].AddWait({{40, 90}, 1});
    ranks[1].Add(Activity::SUM, {50, 60});
    ranks[1].Add(Activity::UPDATE, {55, 75});
    ranks[1].Add(Activity::FORWARD, {75, 90}); // a straggler's computing is communication to others
    const auto breakdown = Of0();
    EXPECT_EQ(breakdown.Of(Activity::SUM), 10);
    EXPECT_EQ(breakdown.Of(Activity::UPDATE), 15);
    EXPECT_EQ(breakdown.communicationPs, 100 - 40 - 10 - 15);
    EXPECT_EQ(breakdown.TotalPs(), 100);
}

/* Forward 0..30 and 60..70; copy 20..50; a host that 0 waits for sums 55..65: of it, 55..60 counts. */
TEST_F(BreakdownTest, SaysWhenWhatItCountsWas)
{
    ranks[0].Add(Activity::FORWARD, {0, 30});
    ranks[0].Add(Activity::FORWARD, {60, 70});
    ranks[0].Add(Activity::COPY, {20, 50});
    ranks[0].Add(Activity::SUM, {90, 95});
    ranks[0].AddWait({{50, 80}, 1});
    ranks[1].Add(Activity::SUM, {55, 65});
    const auto spans = Breakdowns({&ranks[0], &ranks[1], &ranks[2]}).SpansOf(0, {10, 100});
    const auto of = [&spans](Activity activity) {
        return spans.activities[static_cast<std::size_t>(activity)];
    };
    EXPECT_EQ(of(Activity::FORWARD).front().beginPs, 10);
    EXPECT_EQ(Length(of(Activity::FORWARD)), 20 + 10);
    EXPECT_EQ(of(Activity::COPY).front().beginPs, 30);
    ASSERT_EQ(of(Activity::SUM).size(), 2U);
    EXPECT_EQ(of(Activity::SUM)[0].beginPs, 55); // though it is found after the own sum
    EXPECT_EQ(of(Activity::SUM)[0].endPs, 60);
    EXPECT_EQ(of(Activity::SUM)[1].beginPs, 90);
    EXPECT_EQ(Length(spans.communication), 90 - 30 - 20 - 5 - 5);
}

/* 0 waits for 1 all the time, 1 for 2 during 20..80, 2 sums 30..90: 30..80 of it is waited for. */
TEST_F(BreakdownTest, AHostThatOnlyWaitsPassesTheQuestionOn)
{
    ranks[0].AddWait({{0, 100}, 1});
    ranks[1].AddWait({{20, 80}, 2});
    ranks[2].Add(Activity::SUM, {30, 90});
    EXPECT_EQ(Of0().Of(Activity::SUM), 50);
    EXPECT_EQ(Of0().TotalPs(), 100);
}

/* All wait for each other in a ring, and 0's own sum must not count as waited for. */
TEST_F(BreakdownTest, ARingOfWaitsEnds)
{
    ranks[0].AddWait({{10, 100}, 1});
    ranks[1].AddWait({{0, 100}, 2});
    ranks[2].AddWait({{0, 100}, 0});
    ranks[0].Add(Activity::SUM, {0, 10});
    const auto breakdown = Of0();
    EXPECT_EQ(breakdown.Of(Activity::SUM), 10);
    EXPECT_EQ(breakdown.communicationPs, 90);
}

/* 1 sums 20..40 and 60..80; 0 and 2 wait for it, each over a part; when 1 sums and waits for 2, who updates,
 * 0 sees the sum. */
TEST_F(BreakdownTest, WhoeverWaitsForABusyHostSeesWhatItDoes)
{
    ranks[0].AddWait({{0, 70}, 1});
    ranks[1].AddWait({{10, 50}, 2});
    ranks[1].Add(Activity::SUM, {20, 40});
    ranks[1].Add(Activity::SUM, {60, 80});
    ranks[2].Add(Activity::UPDATE, {15, 45});
    const auto breakdown = Of0();
    EXPECT_EQ(breakdown.Of(Activity::SUM), 20 + 10);                  // 20..40 and 60..70
    EXPECT_EQ(breakdown.Of(Activity::UPDATE), (20 - 15) + (45 - 40)); // of 2, through 1
    EXPECT_EQ(breakdown.communicationPs, 100 - 30 - 10);
}

/* Two exchanges wait at once, for 1 during 0..60 and for 2 during 40..100: 40..60 is 1's. */
TEST_F(BreakdownTest, OverlappingWaitsCountOnce)
{
    ranks[0].AddWait({{0, 60}, 1});
    ranks[0].AddWait({{40, 100}, 2});
    ranks[1].Add(Activity::SUM, {0, 50});
    ranks[2].Add(Activity::SUM, {50, 100});
    const auto breakdown = Of0();
    EXPECT_EQ(breakdown.Of(Activity::SUM), 50 + 40);
    EXPECT_EQ(breakdown.communicationPs, 10);
}

} // namespace inca
