/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/timeline.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

std::vector<std::pair<std::int64_t, std::int64_t>>
SpansOf(const Timeline& timeline, Activity activity)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> spans;
    for (const auto& span : timeline.Spans(activity))
    {
        spans.emplace_back(span.beginPs, span.endPs);
    }
    return spans;
}

} // namespace

/* In the period from 100 to 200 it is at work until 110, from 130 to 150, and from 190 to beyond its end. Twice more, and what is
 * queued until 210 ends at 410. What was before 100 is not repeated. */
TEST(Timeline, RepeatsWhatWasDoneInAPeriod)
{
    Timeline timeline;
    for (const auto& [begin, end] : {std::pair{10, 20}, {90, 110}, {130, 150}, {190, 210}})
    {
        timeline.Add(Activity::SUM, {begin, end});
    }
    timeline.Add(Activity::FORWARD, {0, 1000});
    timeline.Repeat(Activity::SUM, {100, 200}, 210, 2);
    const std::vector<std::pair<std::int64_t, std::int64_t>> expected{{10, 20},
                                                                      {90, 110},
                                                                      {130, 150},
                                                                      {190, 210},
                                                                      {230, 250},
                                                                      {290, 310},
                                                                      {330, 350},
                                                                      {390, 410}};
    EXPECT_EQ(SpansOf(timeline, Activity::SUM), expected);
    EXPECT_EQ(SpansOf(timeline, Activity::FORWARD).size(), 1U);
}

/* Of three waits the last two are of a period of 100. Three times more: six more waits, the last from 430 to 440. */
TEST(Timeline, RepeatsWaitsOfAPeriod)
{
    Timeline timeline;
    const auto seenAt = [&timeline](std::int64_t nowPs) {
        NetworkState state;
        StateVisitor visitor(state, nowPs, PeriodKind::STEPS);
        timeline.VisitState(visitor);
        visitor.End();
        return state;
    };
    timeline.AddWait({{10, 20}, 1});
    const auto before = seenAt(50);
    timeline.AddWait({{110, 120}, 1});
    timeline.AddWait({{130, 140}, 2});
    const auto now = seenAt(150);
    StateVisitor visitor(before, now, 3);
    timeline.VisitState(visitor);
    ASSERT_EQ(timeline.Waits().size(), 9U);
    EXPECT_EQ(timeline.Waits()[7].span.beginPs, 410);
    EXPECT_EQ(timeline.Waits()[8].span.endPs, 440);
    EXPECT_EQ(timeline.Waits()[8].peer, 2U);
}

} // namespace inca
