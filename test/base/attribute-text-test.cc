/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/attribute-text.h"

#include "base/units.h"

#include <gtest/gtest.h>

namespace inca
{

/* Times as ns-3 writes them ("+1000.0ns"), and as people do. */
TEST(AttributeText, IsReadExactly)
{
    EXPECT_EQ(ParseWholeAttribute("64"), 64);
    EXPECT_EQ(ParseWholeAttribute("+64"), 64);
    EXPECT_EQ(ParseWholeAttribute("-3"), -3);
    EXPECT_EQ(ParseRealAttribute("0.5"), 0.5);
    EXPECT_EQ(ParseRealAttribute("-1e-3"), -0.001);
    EXPECT_EQ(ParseTimeAttribute("1us"), 1'000'000);
    EXPECT_EQ(ParseTimeAttribute("+1000.0ns"), 1'000'000);
    EXPECT_EQ(ParseBitRateAttribute("10Gbps"), 10'000'000'000U);
    EXPECT_EQ(ParseBitRateAttribute("10Gb/s"), 10'000'000'000U);
    EXPECT_EQ(ParseBitRateAttribute("1.25GBps"), 10'000'000'000U);
    EXPECT_EQ(ParseBitRateAttribute("1.25GB/s"), 10'000'000'000U);
}

TEST(AttributeText, IsRefusedIfItIsNone)
{
    for (const auto* text : {"", "-", "+-3", "1.5", "1e3", "sixty"})
    {
        EXPECT_THROW(ParseWholeAttribute(text), UnitError) << text;
    }
    for (const auto* text : {"", "nan", "inf", "0.5s"})
    {
        EXPECT_THROW(ParseRealAttribute(text), UnitError) << text;
    }
    for (const auto* text : {"", "soon", "-1us", "1us1", "0.5ps"})
    {
        EXPECT_THROW(ParseTimeAttribute(text), UnitError) << text;
    }
    for (const auto* text : {"", "b/s", "fast", "10G"})
    {
        EXPECT_THROW(ParseBitRateAttribute(text), UnitError) << text;
    }
}

/* A rate that is not given is none to a device. */
TEST(AttributeText, FollowsFromAKeysText)
{
    EXPECT_EQ(PlainAttribute("-6"), "-6");
    EXPECT_EQ(ByteAttribute("16MiB"), "16777216");
    EXPECT_EQ(ByteRateAttribute("8.4GBps"), "67200000000bps");
    EXPECT_EQ(ByteRateAttribute("none"), "9223372036854775808bps");
    EXPECT_EQ(ByteRateAttribute(""), "9223372036854775808bps");
    EXPECT_EQ(ValueRateAttribute("2.5Gvalues/s"), "2500000000");
    EXPECT_EQ(BitRateAttribute("10Gbps"), "10000000000bps");
    EXPECT_EQ(TimeAttribute("1us"), "1000000ps");
}

} // namespace inca
