/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/span-set.h"

#include <gtest/gtest.h>

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

} // namespace inca
