/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/breakdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
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

/**
 * Three ranks' timelines of "0 FORWARD 0 30; 1 WAIT 10 20 2": rank, what it does, from and until when, and for whom it
 * waits.
 */
std::array<Timeline, 3>
TimelinesOf(const std::string& text)
{
    const std::vector<std::string> names{"FORWARD", "BACKWARD", "COPY", "CODEC", "SUM", "UPDATE"};
    std::array<Timeline, 3> ranks;
    std::istringstream spans(text);
    for (std::string one; std::getline(spans, one, ';');)
    {
        std::istringstream words(one);
        Rank rank{0};
        std::string what;
        Span span;
        Rank peer{0};
        words >> rank >> what >> span.beginPs >> span.endPs >> peer;
        const auto name = std::find(names.begin(), names.end(), what);
        name == names.end() ? ranks[rank].AddWait({span, peer})
                            : ranks[rank].Add(static_cast<Activity>(name - names.begin()), span);
    }
    return ranks;
}

} // namespace

/* Of rank 0, over 0..100. */
TEST(Breakdown, CountsEachInstantForTheFirstThatHolds)
{
    struct Row
    {
        const char* spans;
        std::int64_t forward;
        std::int64_t copy;
        std::int64_t sum;
        std::int64_t update;
    };

    const Row rows[] = {
        // 10 of the copy under forward, rest 50..100 without any wait
        {"0 FORWARD 0 30; 0 COPY 20 50", 30, 20, 0, 0},
        // 0 waits for 1, which sums and updates, the latter alone 60..75; a straggler's computing is communication
        {"0 FORWARD 0 40; 0 WAIT 40 90 1; 1 SUM 50 60; 1 UPDATE 55 75; 1 FORWARD 75 90",
         40,
         0,
         10,
         15},
        // 0 waits for 1 all the time, 1 for 2 during 20..80, 2 sums 30..90: 30..80 of it is waited for
        {"0 WAIT 0 100 1; 1 WAIT 20 80 2; 2 SUM 30 90", 0, 0, 50, 0},
        // all wait for each other in a ring, and 0's own sum does not count as waited for
        {"0 WAIT 10 100 1; 1 WAIT 0 100 2; 2 WAIT 0 100 0; 0 SUM 0 10", 0, 0, 10, 0},
        // 1 sums and waits for 2, who updates: 0 sees sums in 20..40 and 60..70, and updates in 15..20 and 40..45
        {"0 WAIT 0 70 1; 1 WAIT 10 50 2; 1 SUM 20 40; 1 SUM 60 80; 2 UPDATE 15 45", 0, 0, 30, 10},
        // two exchanges wait at once, for 1 during 0..60 and for 2 during 40..100: 40..60 is 1's
        {"0 WAIT 0 60 1; 0 WAIT 40 100 2; 1 SUM 0 50; 2 SUM 50 100", 0, 0, 90, 0},
    };
    for (const auto& row : rows)
    {
        const auto ranks = TimelinesOf(row.spans);
        const auto breakdown = Breakdowns({&ranks[0], &ranks[1], &ranks[2]}).Of(0, {0, 100});
        EXPECT_EQ(breakdown.Of(Activity::FORWARD), row.forward) << row.spans;
        EXPECT_EQ(breakdown.Of(Activity::COPY), row.copy) << row.spans;
        EXPECT_EQ(breakdown.Of(Activity::SUM), row.sum) << row.spans;
        EXPECT_EQ(breakdown.Of(Activity::UPDATE), row.update) << row.spans;
        EXPECT_EQ(breakdown.TotalPs(), 100) << row.spans;
    }
}

/* Forward 0..30 and 60..70; copy 20..50; a host that 0 waits for sums 55..65: of it, 55..60 counts. */
TEST(Breakdown, SaysWhenWhatItCountsWas)
{
    const auto ranks = TimelinesOf("0 FORWARD 0 30; 0 FORWARD 60 70; 0 COPY 20 50; 0 SUM 90 95; "
                                   "0 WAIT 50 80 1; 1 SUM 55 65");
    const auto spans = Breakdowns({&ranks[0], &ranks[1], &ranks[2]}).SpansOf(0, {10, 100});
    const auto of = [&spans](Activity activity) {
        return Pairs(spans.activities[static_cast<std::size_t>(activity)]);
    };
    EXPECT_EQ(of(Activity::FORWARD), (Expected{{10, 30}, {60, 70}}));
    EXPECT_EQ(of(Activity::COPY), (Expected{{30, 50}}));
    EXPECT_EQ(of(Activity::SUM), (Expected{{55, 60}, {90, 95}})); // found after the own sum
    EXPECT_EQ(Length(spans.communication), 90 - 30 - 20 - 5 - 5);
}

} // namespace inca
