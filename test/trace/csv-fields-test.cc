/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/csv-fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::Optional;

} // namespace

TEST(CsvFields, AreSplitAtCommasAndTrimmed)
{
    EXPECT_THAT(SplitCsv("a, b\t,,c "), Optional(ElementsAre("a", "b", "", "c")));
    EXPECT_THAT(SplitCsv(""), Optional(ElementsAre("")));
    EXPECT_THAT(SplitCsv(","), Optional(ElementsAre("", "")));
}

TEST(CsvFields, QuotesHoldCommasBlanksAndDoubledQuotes)
{
    EXPECT_THAT(SplitCsv(R"( "a, b" ,"","c""d"," e")"),
                Optional(ElementsAre("a, b", "", "c\"d", " e")));
}

TEST(CsvFields, BrokenQuotesAreRefused)
{
    EXPECT_FALSE(SplitCsv("\"a"));
    EXPECT_FALSE(SplitCsv("\"a\"b,c"));
    EXPECT_FALSE(SplitCsv("a,\"b\"\""));
}

TEST(CsvFields, QuotingReadsBackAsTheSame)
{
    EXPECT_EQ(QuoteCsv("layer1.0.conv1"), "layer1.0.conv1");
    for (const std::string field : {"", "a", "a,b", "\"", " a", "a ", "#a", "a\"b,c"})
    {
        EXPECT_THAT(SplitCsv(QuoteCsv(field)), Optional(ElementsAre(field)));
    }
}

} // namespace inca
