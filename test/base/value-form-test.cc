/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/value-form.h"

#include "base/setting.h"
#include "support/why-not.h"

#include <gtest/gtest.h>

namespace inca
{

/* A column is in the quantity's unit: us is 10^6 ps. */
TEST(ValueForm, QuantitiesHaveAUnitAndARange)
{
    const auto time = QuantityForm(g_microTime, {1, 5'000'000});
    EXPECT_EQ(time.parse("2.5us"), 2'500'000U);
    EXPECT_EQ(time.text(2'500'000), "2.5us");
    EXPECT_EQ(time.columnText(2'500'000), "2.5");
    EXPECT_EQ(time.values, "such as \"1us\"");
    const auto rate = RateForm(g_valueRate, "none");
    EXPECT_EQ(rate.parse("none"), 0U);
    EXPECT_EQ(rate.text(0), "none");
    EXPECT_EQ(rate.columnText(0), "");
    EXPECT_EQ(rate.columnText(7), "7");
}

TEST(ValueForm, RefusesWhatIsOutOfRangeOrNone)
{
    const auto refuses = [](const auto& form, const std::vector<const char*>& texts) {
        for (const auto* text : texts)
        {
            EXPECT_THROW(form.parse(text), UnitError) << text;
        }
    };
    EXPECT_EQ(WholeForm({1, 8}).values, "1..8");
    EXPECT_EQ(WholeForm({1, 8}).parse("8"), 8U);
    refuses(WholeForm({1, 8}), {"9", "0", "8 ", "8.0", "+8", "", "0x8"});
    EXPECT_EQ(SignedForm({-126, 127}).parse("-126"), -126);
    refuses(SignedForm({-126, 127}), {"-127", "128", "--1", "- 1", "+1", "1.0", ""});
    EXPECT_EQ(SomeShareForm().parse("1e-9"), 1e-9);
    refuses(SomeShareForm(), {"0", "-0", "1.0001", "-0.5", "nan", "inf", "", "1/2"});
    refuses(QuantityForm(g_microTime, {1, 5'000'000}), {"6us"});
    refuses(RateForm(g_valueRate, ""), {"none", "0values/s", "1GBps"});
    EXPECT_EQ(WhyNot<UnitError>([] {
                  DecimalForm({0, 0.5}).parse("5%");
              }),
              "must be a number of 0..0.5, got '5%'; 5% is 0.05");
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
        EXPECT_EQ(DecimalForm({0, 1}).parse(DecimalText(value)), value);
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
}

TEST(ValueText, JoinsNamesAsASentenceDoes)
{
    EXPECT_EQ(JoinNames({"star"}), "star");
    EXPECT_EQ(JoinNames({"nic", "cpu", "gpu"}), "nic, cpu or gpu");
}

} // namespace inca
