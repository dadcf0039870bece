/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report/plot-labels.h"

#include "report/plot-axis.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

const AxisScale g_unit{false, 0, 1, {}};
const PlotScales g_scales{g_unit, g_unit};

using Lines = std::vector<std::vector<PlotPoint>>;

} // namespace

/* Nothing is in the way: to the right, above. */
TEST(PlotLabels, StandAboveTheirMarks)
{
    const auto labels = PlaceLabels({{"1 s", {0.5, 0.5}, false}}, {}, g_scales);
    EXPECT_GT(labels[0].at.x, 0.5);
    EXPECT_GT(labels[0].at.y, 0.5);
    EXPECT_FALSE(labels[0].endsThere);
}

/* A text to the right would go beyond the end of the axis. */
TEST(PlotLabels, StayWithinTheAxes)
{
    const auto labels = PlaceLabels({{"100 Gbit/s", {0.95, 0.5}, false}}, {}, g_scales);
    EXPECT_TRUE(labels[0].endsThere);
    EXPECT_LT(labels[0].at.x, 0.95);
}

/* A line rises through the mark, so that it is to the right above it and to the left below; another one is
 * over all of the left above. Room is to the right below. */
TEST(PlotLabels, KeepOffLines)
{
    const Lines lines{{{0, 0}, {1, 1}}, {{0, 0.59}, {0.5, 0.59}}};
    const auto labels = PlaceLabels({{"1 Gbit/s", {0.5, 0.5}, false}}, lines, g_scales);
    EXPECT_FALSE(labels[0].endsThere);
    EXPECT_LT(labels[0].at.y, 0.5);
}

/* Two marks so close that both texts above them would meet. */
TEST(PlotLabels, KeepOffEachOther)
{
    const auto labels =
        PlaceLabels({{"1 s", {0.5, 0.5}, false}, {"2 s", {0.52, 0.5}, false}}, {}, g_scales);
    EXPECT_NE(std::pair(labels[0].at.y, labels[0].endsThere),
              std::pair(labels[1].at.y, labels[1].endsThere));
}

} // namespace inca
