/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-crossing.h"

#include "report/plot-axis.h"

#include <gtest/gtest.h>

namespace inca
{

/* From 0 to 10 one falls from 10 to 0, the other rises from 0 to 10: they meet halfway, at (5, 5). */
TEST(Crossings, AreWhereStraightLinesMeet)
{
    const AxisScale axis{false, 0, 10, {}};
    const auto found = Crossings({{0, 10}, {10, 0}}, {{0, 0}, {10, 10}}, {axis, axis});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_DOUBLE_EQ(found[0].x, 5);
    EXPECT_DOUBLE_EQ(found[0].y, 5);
}

/* The same on an axis from 1 to 100: halfway is 10. */
TEST(Crossings, AreStraightOnTheAxes)
{
    const AxisScale x{true, 1, 100, {}};
    const AxisScale y{false, 0, 10, {}};
    const auto found = Crossings({{1, 10}, {100, 0}}, {{1, 0}, {100, 10}}, {x, y});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_DOUBLE_EQ(found[0].x, 10);
    EXPECT_DOUBLE_EQ(found[0].y, 5);
}

/* They are equal at 5, and have changed sides after it; lines that only touch have not. */
TEST(Crossings, AreNoTouching)
{
    const AxisScale axis{false, 0, 10, {}};
    const auto through =
        Crossings({{0, 1}, {5, 3}, {10, 9}}, {{0, 2}, {5, 3}, {10, 4}}, {axis, axis});
    ASSERT_EQ(through.size(), 1U);
    EXPECT_DOUBLE_EQ(through[0].x, 5);
    EXPECT_TRUE(
        Crossings({{0, 1}, {5, 3}, {10, 1}}, {{0, 2}, {5, 3}, {10, 4}}, {axis, axis}).empty());
    EXPECT_TRUE(Crossings({{0, 1}, {10, 3}}, {{0, 1}, {10, 3}}, {axis, axis}).empty());
}

} // namespace inca
