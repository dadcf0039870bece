/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/paced-works.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

/* Of works without an end nothing is over yet; of those that have ended, all is, however long it took. */
TEST(PacedWorks, TellsHowFarAllAre)
{
    std::vector<double> told;
    PacedWorks works({1e6, 1e6, 1e6}, [&told](double share) { told.push_back(share); });
    const auto tellFirst = works.Begin(0);
    tellFirst(0.5);
    EXPECT_GE(told.back(), 0); // this process's CPU time against a million seconds
    EXPECT_LT(told.back(), 0.01);
    works.End(0);
    works.Expect(2, false);
    const auto tellSecond = works.Begin(1);
    tellSecond(1);
    EXPECT_EQ(told.back(), 1);
    EXPECT_EQ(told.size(), 2U);
}

TEST(PacedWorks, NeedNotTellAnybody)
{
    PacedWorks works({1, 1}, {});
    works.Begin(0)(0.5);
    works.End(0);
}

} // namespace inca
