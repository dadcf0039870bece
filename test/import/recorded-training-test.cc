/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/recorded-training.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** @return how often sums are warned of to repeat; empty if they are not */
std::string
WarningOf(const std::vector<std::uint64_t>& sums)
{
    ImportReport report;
    EXPECT_EQ(IterationsOf(sums, {}, report), 1U);
    return report.Warnings().empty() ? "" : report.Warnings().front();
}

} // namespace

TEST(RepeatedSums, AreOneIterationAndWarnedOf)
{
    EXPECT_EQ(WarningOf({}), "");
    EXPECT_EQ(WarningOf({7}), "");
    EXPECT_EQ(WarningOf({7, 8, 7}), "");
    EXPECT_EQ(WarningOf({7, 8, 7, 8, 7}), "");
    EXPECT_THAT(WarningOf({7, 8, 7, 8, 7, 8}), testing::HasSubstr("they repeat 3 times"));
    EXPECT_THAT(WarningOf({7, 7}), testing::HasSubstr("they repeat 2 times"));
}

TEST(RepeatedSums, AreAsManyIterationsAsAUserSays)
{
    ImportReport report;
    ImportOptions options;
    options.iterations = 2;
    EXPECT_EQ(IterationsOf({7, 7, 7, 7}, options, report), 2U);
    EXPECT_THROW(IterationsOf({7, 8}, options, report), InputError);
    EXPECT_THROW(IterationsOf({7, 7, 7}, options, report), InputError);
    EXPECT_THROW(IterationsOf({}, options, report), InputError);
    options.iterations = 0;
    EXPECT_THROW(IterationsOf({7, 7}, options, report), InputError);
}

TEST(RecordedTraining, SharesOutToTheLast)
{
    EXPECT_THAT(SharedOut(10, {1, 1, 1}), testing::ElementsAre(3, 4, 3)); // 3.3, 6.7, 10 rounded
    EXPECT_THAT(SharedOut(10, {0, 0}), testing::ElementsAre(5, 5));
    EXPECT_THAT(SharedOut(7, {5}), testing::ElementsAre(7));
    EXPECT_THAT(SharedOut(7, {}), testing::IsEmpty());
}

TEST(RecordedTraining, TakesTheLowerOfTwoMedians)
{
    EXPECT_EQ(MedianOf({9, 1, 5}), 5);
    EXPECT_EQ(MedianOf({9, 1}), 1);
    EXPECT_EQ(MedianOf({}), 0);
}

} // namespace inca
