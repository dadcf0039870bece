/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/attribute-text.h"

#include "base/units.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(AttributeText, WholeNumbersMayHaveASign)
{
    EXPECT_EQ(ParseWholeAttribute("64"), 64);
    EXPECT_EQ(ParseWholeAttribute("+64"), 64);
    EXPECT_EQ(ParseWholeAttribute("-3"), -3);
    for (const auto* text : {"", "-", "+-3", "1.5", "1e3", "sixty"})
    {
        EXPECT_THROW(ParseWholeAttribute(text), UnitError) << text;
    }
}

TEST(AttributeText, RealNumbersAreFinite)
{
    EXPECT_EQ(ParseRealAttribute("0.5"), 0.5);
    EXPECT_EQ(ParseRealAttribute("-1e-3"), -0.001);
    for (const auto* text : {"", "nan", "inf", "0.5s"})
    {
        EXPECT_THROW(ParseRealAttribute(text), UnitError) << text;
    }
}

/* As ns-3 writes them ("+1000.0ns"), and as people do. */
TEST(AttributeText, TimesArePicoseconds)
{
    EXPECT_EQ(ParseTimeAttribute("1us"), 1'000'000);
    EXPECT_EQ(ParseTimeAttribute("+1000.0ns"), 1'000'000);
    EXPECT_EQ(ParseTimeAttribute("999ps"), 999);
    for (const auto* text : {"", "soon", "-1us", "1us1", "0.5ps"})
    {
        EXPECT_THROW(ParseTimeAttribute(text), UnitError) << text;
    }
}

TEST(AttributeText, RatesAreInBitsOrBytes)
{
    EXPECT_EQ(ParseBitRateAttribute("10Gbps"), 10'000'000'000U);
    EXPECT_EQ(ParseBitRateAttribute("10Gb/s"), 10'000'000'000U);
    EXPECT_EQ(ParseBitRateAttribute("1.25GBps"), 10'000'000'000U);
    EXPECT_EQ(ParseBitRateAttribute("1.25GB/s"), 10'000'000'000U);
    for (const auto* text : {"", "b/s", "fast", "10G"})
    {
        EXPECT_THROW(ParseBitRateAttribute(text), UnitError) << text;
    }
}

TEST(AttributeText, FormsLeadThereAndBack)
{
    const auto both = [](const AttributeForm& form, const char* key, const char* attribute) {
        EXPECT_EQ(form.fromKey(key), attribute);
        EXPECT_EQ(form.toKey(attribute), key);
    };
    both(g_nameAttribute, "fp32", "fp32");
    both(g_wholeAttribute, "-6", "-6");
    both(g_truthAttribute, "true", "true");
    both(g_realAttribute, "0.1", "0.1");
    both(g_byteAttribute, "16MiB", "16777216");
    both(g_byteRateAttribute, "8.4GBps", "8400000000");
    both(g_costRateAttribute, "8.4GBps", "8400000000");
    both(g_costRateAttribute, "none", "0");
    both(g_valueRateAttribute, "2.5Gvalues/s", "2500000000");
    both(g_valueRateAttribute, "none", "0");
    both(g_bitRateAttribute, "10Gbps", "10000000000bps");
    both(g_timeAttribute, "999ps", "999ps");
    both(g_timeAttribute, "1us", "1000000ps");
}

/* A rate that is not given is none to a device; a device's 0 is no rate that could be given. */
TEST(AttributeText, NoRateIsZero)
{
    EXPECT_EQ(g_byteRateAttribute.fromKey(""), "0");
    EXPECT_EQ(g_byteRateAttribute.toKey("0"), "0Bps");
    EXPECT_THROW(g_byteAttribute.toKey("-1"), UnitError);
}

} // namespace inca
