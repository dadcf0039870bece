/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/value-list.h"

#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

using testing::ElementsAre;
using testing::SizeIs;

TEST(ValueList, TakesTextsAndRanges)
{
    EXPECT_THAT(ParseValues("ring", 9), ElementsAre("ring"));
    EXPECT_THAT(ParseValues("2..8:x2,100,-1", 9), ElementsAre("2", "4", "8", "100", "-1"));
    EXPECT_THAT(ParseValues("1.5GBps..2GBps:+0.25GBps", 9),
                ElementsAre("1.5GBps", "1.75GBps", "2GBps"));
    EXPECT_THAT(ParseValues("1Gvalues/s..4Gvalues/s:x2", 9),
                ElementsAre("1Gvalues/s", "2Gvalues/s", "4Gvalues/s"));
}

/* One more than the most tells that they are too many, and the rest takes no memory. */
TEST(ValueList, EndsSoonAfterTheMost)
{
    EXPECT_THAT(ParseValues("1..1000000000:+1", 10), SizeIs(11));
    EXPECT_THAT(ParseValues("1..10:+1", 10), SizeIs(10));
}

TEST(ValueList, RefusesRangesWithoutAStep)
{
    EXPECT_THROW(ParseValues("2..8", 9), UnitError);
    EXPECT_THROW(ParseValues("8..2:+1", 9), UnitError);
    EXPECT_THROW(ParseValues("1ns..2us:x2", 9), UnitError);
}

} // namespace inca
