/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "accuracy/curve.h"

#include "accuracy/curve-text.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::string
WhyNoCurve(const std::string& text)
{
    const CurveFolder folder({{"a.csv", text}});
    return WhyNot([&] { ReadCurve(folder.Path() + "/a.csv"); });
}

TEST(Curves, AreRead)
{
    const CurveFolder folder({{"a.csv", CurveText({{"seed", "7"}, {"lossless", "yes"}})}});
    const auto curve = ReadCurve(folder.Path() + "/a.csv");
    EXPECT_EQ(curve.workers, 2U);
    EXPECT_EQ(curve.seed, 7U);
    EXPECT_EQ(curve.valuePath, "0123456789abcdef");
    EXPECT_TRUE(curve.isLossless);
    EXPECT_THAT(curve.tensors, ElementsAre(6U, 2U));
    ASSERT_EQ(curve.rows.size(), 3U);
    EXPECT_FALSE(curve.rows[0].bitsPerValue);
    EXPECT_EQ(curve.rows[1].step, 10U);
    EXPECT_EQ(curve.rows[1].accuracy, 0.7);
    EXPECT_EQ(curve.rows[2].bitsPerValue, 8);
    EXPECT_EQ(curve.rows[2].zeroShare, 0.8);
}

TEST(Curves, AreGroupedBySeeds)
{
    const CurveFolder folder(
        {{"a.csv", CurveText({{"seed", "2"}})},
         {"b.csv", CurveText({{"seed", "1"}})},
         {"c.csv", CurveText({{"error_feedback", "yes"}, {"average", "before"}})},
         {"results.csv", "label,accuracy\nring,1\n"},
         {"notes.txt", "#inca-curve v1\n"}});
    const auto groups = ReadCurves(folder.Path());
    ASSERT_EQ(groups.size(), 2U);
    const auto& plain = groups[0].seeds.size() == 2 ? groups[0] : groups[1];
    const auto& other = groups[0].seeds.size() == 2 ? groups[1] : groups[0];
    ASSERT_EQ(plain.seeds.size(), 2U);
    EXPECT_EQ(plain.seeds[0].seed, 1U);
    EXPECT_EQ(plain.seeds[1].seed, 2U);
    EXPECT_EQ(plain.Options(), "");
    EXPECT_EQ(other.Options(), "averaged before, error feedback");
}

TEST(Curves, LeavesOutWhoHasFewerSteps)
{
    const std::string fewer = "0,0,0.1,2.3,,,,,,\n10,0.5,0.7,1,1.2,4,0.9,0,0,0\n";
    const CurveFolder folder(
        {{"a.csv", CurveText({{"seed", "1"}})}, {"b.csv", CurveText({{"seed", "2"}}, fewer)}});
    const auto groups = ReadCurves(folder.Path());
    ASSERT_EQ(groups.size(), 1U);
    ASSERT_EQ(groups[0].seeds.size(), 1U);
    EXPECT_EQ(groups[0].seeds[0].seed, 1U);
    EXPECT_THAT(groups[0].unfinished, ElementsAre(folder.Path() + "/b.csv"));
}

TEST(Curves, AreOfOneVersion)
{
    for (const auto* head : {"#inca-curve v2\n", "#inca-curve v10\n"})
    {
        EXPECT_THAT(WhyNoCurve(head + CurveText()), HasSubstr("a.csv:1: "));
    }
}

} // namespace

} // namespace inca
