/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace inca
{

TEST(Units, AreReadExactly)
{
    EXPECT_EQ(ParseBitsPerSecond("10Gbps"), 10'000'000'000U);
    EXPECT_EQ(ParseBitsPerSecond("2.5 Gbps"), 2'500'000'000U);
    EXPECT_EQ(ParseBytesPerSecond("8.4GBps"), 8'400'000'000U);
    EXPECT_EQ(ParseBytes("16MiB"), 16U * 1024 * 1024);
    EXPECT_EQ(ParseBytes("100MB"), 100'000'000U);
    EXPECT_EQ(ParseBytes("1500"), 1500U);
    EXPECT_EQ(ParsePicoseconds("1us"), 1'000'000);
    EXPECT_EQ(ParsePicoseconds("0.001ns"), 1);
    EXPECT_EQ(ParseHertz("100MHz"), 100'000'000U);
    EXPECT_EQ(ParseValuesPerSecond("2.5Gvalues/s"), 2'500'000'000U);
    EXPECT_EQ(ParseScaled("1.25", 3), 1250);
}

/* As rates are written elsewhere, and by INCA for people. */
TEST(Units, RatesAreSpelledInOtherWaysToo)
{
    EXPECT_EQ(ParseBitsPerSecond("10 Gbit/s"), 10'000'000'000U);
    EXPECT_EQ(ParseBitsPerSecond("100Gb/s"), 100'000'000'000U);
    EXPECT_EQ(ParseBitsPerSecond("1bit/s"), 1U);
    EXPECT_EQ(ParseBytesPerSecond("8.4GB/s"), 8'400'000'000U);
    EXPECT_THROW(ParseBitsPerSecond("10GB/s"), UnitError);
    EXPECT_THROW(ParseBitsPerSecond("10/s"), UnitError);
}

TEST(Units, RefuseWhatIsNoQuantity)
{
    for (const auto* text : {"", "Gbps", "-1Gbps", "1..2Gbps", "1e3Gbps", "10", "10Gb", "0.1bps"})
    {
        EXPECT_THROW(ParseBitsPerSecond(text), UnitError) << text;
    }
    // 2^63 - 1 ps is the last that fits; one more does not
    EXPECT_EQ(ParsePicoseconds("9223372036854775807ps"), std::numeric_limits<std::int64_t>::max());
    EXPECT_THROW(ParsePicoseconds("9223372036854775808ps"), UnitError);
    EXPECT_THROW(ParsePicoseconds("9223373s"), UnitError);
    EXPECT_THROW(ParseScaled("1.2345", 3), UnitError);
}

TEST(Units, NameWhatWouldBeRight)
{
    try
    {
        ParseBitsPerSecond("10Gbs");
        FAIL();
    }
    catch (const UnitError& error)
    {
        EXPECT_STREQ(
            error.what(),
            "'10Gbs': unknown unit, as in '10Gbps'; known are Tbps, Gbps, Mbps, kbps, bps");
    }
}

TEST(Units, FormatReadsBackAsTheSame)
{
    for (const std::uint64_t value : {0ULL,
                                      1ULL,
                                      1500ULL,
                                      16777216ULL,
                                      26214400ULL,
                                      100000000ULL,
                                      1234567891ULL,
                                      9223372036854775807ULL})
    {
        EXPECT_EQ(ParseBytes(FormatBytes(value)), value) << FormatBytes(value);
        EXPECT_EQ(ParseBitsPerSecond(FormatBitsPerSecond(value)), value);
        EXPECT_EQ(ParseBytesPerSecond(FormatBytesPerSecond(value)), value);
        EXPECT_EQ(ParseHertz(FormatHertz(value)), value);
        EXPECT_EQ(ParseValuesPerSecond(FormatValuesPerSecond(value)), value);
        EXPECT_EQ(ParsePicoseconds(FormatPicoseconds(static_cast<std::int64_t>(value))),
                  static_cast<std::int64_t>(value));
    }
    EXPECT_EQ(FormatBytes(16777216), "16MiB");
    EXPECT_EQ(FormatBytes(100000000), "100MB");
    EXPECT_EQ(FormatBitsPerSecond(25600000000), "25.6Gbps");
    EXPECT_EQ(FormatPicoseconds(1000000), "1us");
    EXPECT_EQ(FormatValuesPerSecond(2367000000), "2.367Gvalues/s");
}

TEST(Units, HumanFormsHaveFourDigits)
{
    EXPECT_EQ(HumanBytes(244403360), "233.1 MiB"); // AlexNet: 61,100,840 * 4 / 2^20 = 233.08
    EXPECT_EQ(HumanPicoseconds(1963500000000), "1.964 s");
    EXPECT_EQ(HumanCount(61100840), "61.10 M");
    EXPECT_EQ(HumanCount(7), "7");
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
