/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/interval-set.h"

#include <gtest/gtest.h>

#include <string>

namespace inca
{

namespace
{

/** "3-5 no, 5-8 yes": what of 0..20 the set holds. */
std::string
Text(const IntervalSet& set, ElementRange range = {0, 20})
{
    std::string text;
    for (const auto& piece : set.Cut(range))
    {
        text += (text.empty() ? "" : ", ") + std::to_string(piece.range.begin) + "-" +
                std::to_string(piece.range.End()) + (piece.held ? " yes" : " no");
    }
    return text;
}

} // namespace

TEST(IntervalSet, HoldsNothingAtFirst)
{
    EXPECT_EQ(Text({}), "0-20 no");
    EXPECT_EQ(Text({}, {5, 0}), "");
}

TEST(IntervalSet, CutsARangeWhereItsIntervalsBeginAndEnd)
{
    IntervalSet set;
    set.Add({3, 2});
    set.Add({10, 5});
    EXPECT_EQ(Text(set), "0-3 no, 3-5 yes, 5-10 no, 10-15 yes, 15-20 no");
    EXPECT_EQ(Text(set, {4, 7}), "4-5 yes, 5-10 no, 10-11 yes");
    EXPECT_EQ(Text(set, {11, 2}), "11-13 yes");
    EXPECT_EQ(Text(set, {5, 5}), "5-10 no");
}

TEST(IntervalSet, MergesNeighboursAndOverlaps)
{
    IntervalSet set;
    set.Add({3, 2});
    set.Add({5, 2}); // touches
    EXPECT_EQ(Text(set), "0-3 no, 3-7 yes, 7-20 no");
    set.Add({9, 2});
    set.Add({6, 4}); // joins both
    EXPECT_EQ(Text(set), "0-3 no, 3-11 yes, 11-20 no");
    set.Add({4, 2}); // is held already
    EXPECT_EQ(Text(set), "0-3 no, 3-11 yes, 11-20 no");
    set.Add({0, 20}); // swallows all
    EXPECT_EQ(Text(set), "0-20 yes");
}

TEST(IntervalSet, IgnoresEmptyRanges)
{
    IntervalSet set;
    set.Add({7, 0});
    EXPECT_EQ(Text(set), "0-20 no");
}

} // namespace inca
