/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/value-text.h"

#include "base/units.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(ValueText, ScalesExactly)
{
    EXPECT_EQ(ScaledText(2'500'000'000, 9), "2.5");
    EXPECT_EQ(ScaledText(10'000'000'000, 9), "10");
    EXPECT_EQ(ScaledText(1, 12), "0.000000000001");
    EXPECT_EQ(ScaledText(0, 6), "0");
    EXPECT_EQ(ScaledText(1600, 0), "1600");
}

TEST(ValueText, DecimalsReadBackToTheSame)
{
    for (const double value : {0.1, 1.0 / 3, 1.0, 0.0})
    {
        EXPECT_EQ(ParseDecimalNumber(DecimalText(value), 0, 1), value);
    }
}

/* Exponents as everybody writes them: below 10^-4, and from 10^16 on. */
TEST(ValueText, DecimalsHaveExponentsWhereTheyAreLongElse)
{
    EXPECT_EQ(DecimalText(100'000.0), "100000");
    EXPECT_EQ(DecimalText(1e15), "1000000000000000");
    EXPECT_EQ(DecimalText(1e16), "1e+16");
    EXPECT_EQ(DecimalText(1e-4), "0.0001");
    EXPECT_EQ(DecimalText(1e-6), "1e-06");
    EXPECT_EQ(DecimalText(-0.5), "-0.5");
    EXPECT_EQ(DecimalText(0.0), "0");
    EXPECT_EQ(DecimalText(std::optional<double>()), "");
}

TEST(ValueText, NumbersEndWhereTheTextEnds)
{
    EXPECT_EQ(ParseInteger("8", 1, 8), 8U);
    for (const auto* text : {"9", "0", "8 ", "8.0", "+8", "", "0x8"})
    {
        EXPECT_THROW(ParseInteger(text, 1, 8), UnitError) << text;
    }
}

TEST(ValueText, JoinsNamesAsASentenceDoes)
{
    EXPECT_EQ(JoinNames({"star"}), "star");
    EXPECT_EQ(JoinNames({"nic", "cpu", "gpu"}), "nic, cpu or gpu");
}

TEST(ValueText, SignedNumbersMayLieBelowZero)
{
    EXPECT_EQ(ParseSigned("-126", -126, 127), -126);
    EXPECT_EQ(ParseSigned("0", -126, 127), 0);
    for (const auto* text : {"-127", "128", "--1", "- 1", "+1", "1.0", ""})
    {
        EXPECT_THROW(ParseSigned(text, -126, 127), UnitError) << text;
    }
}

TEST(ValueText, RatesAreAboveZero)
{
    EXPECT_EQ(ParseValueRate("1kvalues/s"), 1000U);
    EXPECT_THROW(ParseValueRate("0values/s"), UnitError);
    EXPECT_THROW(ParseValueRate("1GBps"), UnitError);
}

TEST(ValueText, SomeShareIsNotNothing)
{
    EXPECT_EQ(ParseSomeShare("1"), 1);
    EXPECT_EQ(ParseSomeShare("1e-9"), 1e-9);
    for (const auto* text : {"0", "-0", "1.0001", "-0.5", "nan", "inf", "", "1/2"})
    {
        EXPECT_THROW(ParseSomeShare(text), UnitError) << text;
    }
}

} // namespace inca
