/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/value-form.h"

#include "base/setting.h"
#include "base/units.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(ValueForm, NumbersHaveARange)
{
    const auto whole = WholeForm({2, 8});
    EXPECT_EQ(whole.values, "2..8");
    EXPECT_EQ(whole.parse("8"), 8U);
    EXPECT_THROW(whole.parse("9"), UnitError);
    EXPECT_EQ(SignedForm({-3, 3}).parse("-3"), -3);
    EXPECT_EQ(DecimalForm({0, 1}).values, "0..1");
    EXPECT_THROW(SomeShareForm().parse("0"), UnitError);
}

/* A column is in the quantity's unit: us is 10^6 ps. */
TEST(ValueForm, QuantitiesHaveAUnitAndARange)
{
    const auto time = QuantityForm(g_microTime, {1, 5'000'000});
    EXPECT_EQ(time.parse("2.5us"), 2'500'000U);
    EXPECT_EQ(time.text(2'500'000), "2.5us");
    EXPECT_EQ(time.columnText(2'500'000), "2.5");
    EXPECT_THROW(time.parse("6us"), UnitError);
    EXPECT_EQ(time.values, "such as \"1us\"");
}

TEST(ValueForm, ARateMayBeNone)
{
    const auto rate = RateForm(g_valueRate, "none");
    EXPECT_EQ(rate.parse("none"), 0U);
    EXPECT_EQ(rate.text(0), "none");
    EXPECT_EQ(rate.columnText(0), "");
    EXPECT_EQ(rate.columnText(7), "7");
    EXPECT_THROW(RateForm(g_valueRate, "").parse("none"), UnitError);
}

TEST(Setting, HasADefaultAndOneTextForAValue)
{
    const SettingOf<std::uint64_t> size(
        {"box.size", "size_bytes", "of a box"}, QuantityForm(g_byteCount, {1, 1U << 20U}), 2048);
    EXPECT_EQ(size.setting.defaultText, "2KiB");
    EXPECT_EQ(size.In({}), 2048U);
    EXPECT_EQ(size.In({{"box.size", "3KiB"}, {"box.colour", "red"}}), 3072U);
    EXPECT_EQ(size.setting.normalised("4096B"), "4KiB");
    EXPECT_EQ(size.setting.columnText("4KiB"), "4096");
    EXPECT_THROW(size.setting.normalised("2MiB"), UnitError);
}

} // namespace inca
