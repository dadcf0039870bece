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

std::string
WhyNoCurves(const std::map<std::string, std::string>& files)
{
    const CurveFolder folder(files);
    return WhyNot([&] { ReadCurves(folder.Path()); });
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

TEST(Curves, AreRefused)
{
    const auto row = [](const std::string& text) {
        return CurveText({}, "0,0,0.1,2.3,,,,,,\n" + text + "\n");
    };
    const std::pair<std::string, const char*> refused[]{
        {"", "a.csv:1: is no accuracy curve"},
        {"#inca-curve v2\n" + CurveText(), "a.csv:1: is no accuracy curve"},
        {"#inca-curve v10\n" + CurveText(), "a.csv:1: is no accuracy curve"},
        {row("10,1,0.5"), "a.csv:17: has 3 fields, but the header has 10"},
        {row("10.5,1,0.5,,,,,,,"), "a.csv:17: step: needs a whole number"},
        {CurveText({{"workers", "two"}}), "a.csv:14: workers: "},
        {CurveText({{"lossless", "maybe"}}),
         "a.csv:8: lossless: unknown 'maybe'; known are no, yes"},
        {CurveText({{"average", "later"}}), "average: unknown 'later'; known are after, before"},
        {CurveText({{"tensors", "6 x"}}), "tensors: "},
        {"#inca-curve v1\nstep,epoch,accuracy\n", "lacks the line '# model: ...'"},
        {"#inca-curve v1\nmodel\nstep,epoch,accuracy\n",
         "a.csv:2: a line before the table begins with '#'"},
        {row("10,1,1.5,,,,,,,"), "a.csv:17: accuracy: needs a number from 0 to 1, got '1.5'"},
        {row("10,1,,,,,,,,"), "accuracy: needs a number from 0 to 1, got ''"},
        {row("10,1,nan,,,,,,,"), "got 'nan'"},
        {row("10,1,0.5,,,-1,,,,"), "bits_per_value: needs a number from 0 to 1024, got '-1'"},
        {row("0,1,0.5,,,,,,,"), "a.csv:17: step: needs more steps than the row before"},
        {CurveText({}, "0,0,0.1,2.3,,,,,,\n"), "needs two rows at least"},
    };
    for (const auto& [text, why] : refused)
    {
        EXPECT_THAT(WhyNoCurve(text), HasSubstr(why));
    }
    EXPECT_THAT(WhyNoCurves({}), HasSubstr("holds no accuracy curve"));
    EXPECT_THAT(WhyNoCurves({{"a.csv", CurveText()}, {"b.csv", CurveText()}}),
                HasSubstr("are the same training with the same seed, 1"));
    EXPECT_THAT(
        WhyNoCurves({{"a.csv", CurveText()}, {"b.csv", CurveText({{"optimizer", "Adam"}})}}),
        HasSubstr("are different trainings: optimizer is 'SGD' and 'Adam'"));
}

} // namespace

} // namespace inca
