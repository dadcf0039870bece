/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace inca
{

namespace
{

constexpr std::uint64_t g_largest = std::numeric_limits<std::int64_t>::max();

/** A text of a quantity, what it is in base units, and whether that is its shortest text. */
struct Case
{
    const Quantity& quantity;
    const char* text;
    std::uint64_t value;
    bool isShortest{true};
};

/* Rates are also spelled as elsewhere. 2^63 - 1 ps is the last that fits. */
const Case g_cases[] = {
    {g_bitRate, "10Gbps", 10'000'000'000},
    {g_bitRate, "25.6Gbps", 25'600'000'000},
    {g_bitRate, "2.5 Gbps", 2'500'000'000, false},
    {g_bitRate, "10 Gbit/s", 10'000'000'000, false},
    {g_bitRate, "100Gb/s", 100'000'000'000, false},
    {g_bitRate, "1bit/s", 1, false},
    {g_byteRate, "8.4GBps", 8'400'000'000},
    {g_byteRate, "8.4GB/s", 8'400'000'000, false},
    {g_byteCount, "0B", 0},
    {g_byteCount, "16MiB", 16'777'216},
    {g_byteCount, "100MB", 100'000'000},
    {g_byteCount, "1.5kB", 1500},
    {g_byteCount, "1234567.891kB", 1'234'567'891},
    {g_byteCount, "9223372036854775807B", g_largest, false},
    {g_wholeTime, "1us", 1'000'000},
    {g_wholeTime, "0.001ns", 1, false},
    {g_wholeTime, "0", 0, false},
    {g_wholeTime, "9223372036854775807ps", g_largest, false},
    {g_frequency, "100MHz", 100'000'000},
    {g_frequency, "1000GHz", 1'000'000'000'000},
    {g_valueRate, "2.367Gvalues/s", 2'367'000'000},
};

/** @return why it is none */
std::string
Refusal(const Quantity& quantity, const char* text)
{
    try
    {
        quantity.Parse(text);
    }
    catch (const UnitError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(Quantity, IsReadExactlyAndWrittenShort)
{
    for (const auto& one : g_cases)
    {
        EXPECT_EQ(one.quantity.Parse(one.text), one.value) << one.text;
        const auto text = one.quantity.Format(one.value);
        EXPECT_EQ(one.quantity.Parse(text), one.value) << text;
        if (one.isShortest)
        {
            EXPECT_EQ(text, one.text);
        }
    }
    EXPECT_EQ(FormatPicoseconds(-2'500'000), "-2.5us");
}

TEST(Quantity, RefusesWhatIsNone)
{
    for (const auto* text : {"",
                             "Gbps",
                             "-1Gbps",
                             "1..2Gbps",
                             "1e3Gbps",
                             "10",
                             "10Gb",
                             "0.1bps",
                             "10GB/s",
                             "10/s",
                             ".bps",
                             "18446744073709551616bps"})
    {
        EXPECT_NE(Refusal(g_bitRate, text), "") << text;
    }
    EXPECT_THAT(Refusal(g_bitRate, "25GBps"), testing::HasSubstr("'Gbps'"));
    EXPECT_THAT(Refusal(g_byteRate, "12Gb/s"), testing::HasSubstr("'GBps'"));
    EXPECT_THAT(Refusal(g_byteCount, "25mib"), testing::HasSubstr("'MiB'"));
    EXPECT_THAT(Refusal(g_byteCount, "25"), testing::HasSubstr("'25MiB'"));
    EXPECT_NE(Refusal(g_wholeTime, "0.1ps"), "");
    EXPECT_NE(Refusal(g_wholeTime, "9223372036854775808ps"), "");
}

TEST(ParseScaled, TakesNoMoreDigitsThanThePower)
{
    EXPECT_EQ(ParseScaled("1.25", 3), 1250);
    EXPECT_THROW(ParseScaled("1.2345", 3), UnitError);
    EXPECT_THROW(ParseScaled("", 3), UnitError);
}

TEST(Units, HumanFormsHaveFourDigits)
{
    EXPECT_EQ(HumanBytes(244403360), "233.1 MiB"); // AlexNet: 61,100,840 * 4 / 2^20 = 233.08
    EXPECT_EQ(HumanPicoseconds(1963500000000), "1.964 s");
    EXPECT_EQ(HumanBitRate(101'128'767'123), "101.1 Gbps");
}

/* 1538 bytes at 10 Gb/s: 1538 * 8 / 10 = 1230.4 ns, exact in ps; at 3 bps 8e12 / 3 rounds up. */
TEST(Units, SerialisationRoundsUpToThePicosecond)
{
    EXPECT_EQ(SerialisationPs(1538, 10'000'000'000), 1'230'400);
    EXPECT_EQ(SerialisationPs(1, 3), 2'666'666'666'667);
    EXPECT_EQ(WorkPs(1000, 0), 0);
    EXPECT_EQ(WorkPs(1, 3), 333'333'333'334);
}

TEST(Units, SumsSaturate)
{
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(AddSaturated(2, 3), 5);
    EXPECT_EQ(AddSaturated(largest, 1), largest);
    EXPECT_EQ(AddSaturated(largest, largest), largest);
}

} // namespace inca
