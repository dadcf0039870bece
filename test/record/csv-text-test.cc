/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-text.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(CsvText, QuotesWhatMustBeQuoted)
{
    EXPECT_EQ(CsvLine({"a", "", "b c"}), "a,,b c\n");
    EXPECT_EQ(CsvLine({"a,b", "say \"x\"", "two\nlines"}),
              "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n");
}

TEST(CsvText, SecondsAreExact)
{
    EXPECT_EQ(SecondsText(0), "0");
    EXPECT_EQ(SecondsText(1), "0.000000000001");
    EXPECT_EQ(SecondsText(1'500'000), "0.0000015");
    EXPECT_EQ(SecondsText(10'000'000'000'000), "10");
    EXPECT_EQ(SecondsText(-2'500'000'000'000), "-2.5");
}

TEST(CsvText, MeansAreRoundedToThePicosecond)
{
    EXPECT_EQ(MeanPs(10, 3), 3); // 3.33
    EXPECT_EQ(MeanPs(11, 3), 4); // 3.67
    EXPECT_EQ(MeanPs(7, 2), 4);  // 3.5 goes up
}

TEST(CsvText, DecimalsHaveNoTrailingZeros)
{
    EXPECT_EQ(DecimalPlaces(2.5, 6), "2.5");
    EXPECT_EQ(DecimalPlaces(100, 6), "100");
    EXPECT_EQ(DecimalPlaces(1.0 / 3, 6), "0.333333");
    EXPECT_EQ(NineDigits(1.0 / 1024 / 8192), "1.1920929e-07"); // 2^-23
    EXPECT_EQ(ChecksumText(0xabc), "00000abc");
}

} // namespace inca
