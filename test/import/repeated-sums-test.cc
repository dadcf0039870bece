/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "import/repeated-sums.h"

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

} // namespace inca
