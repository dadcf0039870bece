/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/minifloat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace inca
{

namespace
{

constexpr auto g_endless = std::numeric_limits<float>::infinity();
constexpr auto g_notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr const MiniFloat* g_miniFloats[] = {&E4M3, &E4M3_FNUZ, &E5M2, &E3M2, &E2M3, &E2M1};

std::vector<float>
Positives(const MiniFloat& format)
{
    const auto values = format.Values();
    return {values.begin(), values.begin() + format.SignBit()};
}

} // namespace

/* Of OCP's tables: the values of the small formats in the order of their codes; of the others largest, smallest normal,
 * smallest subnormal. */
TEST(MiniFloat, HasTheValuesOfItsFormat)
{
    EXPECT_EQ(Positives(E2M1), (std::vector<float>{0, .5F, 1, 1.5F, 2, 3, 4, 6}));
    EXPECT_EQ(Positives(E3M2),
              (std::vector<float>{0,   .0625F, .125F, .1875F, .25F, .3125F, .375F, .4375F,
                                  .5F, .625F,  .75F,  .875F,  1,    1.25F,  1.5F,  1.75F,
                                  2,   2.5F,   3,     3.5F,   4,    5,      6,     7,
                                  8,   10,     12,    14,     16,   20,     24,    28}));
    EXPECT_EQ(Positives(E2M3),
              (std::vector<float>{0, .125F,  .25F,  .375F,  .5F,  .625F,  .75F,  .875F,
                                  1, 1.125F, 1.25F, 1.375F, 1.5F, 1.625F, 1.75F, 1.875F,
                                  2, 2.25F,  2.5F,  2.75F,  3,    3.25F,  3.5F,  3.75F,
                                  4, 4.5F,   5,     5.5F,   6,    6.5F,   7,     7.5F}));

    struct Row
    {
        const MiniFloat& format;
        std::uint8_t code;
        float value;
    };

    const Row rows[] = {
        {E4M3, 0x7E, 448},
        {E4M3, 0x08, 0x1p-6F},
        {E4M3, 0x01, 0x1p-9F},
        {E4M3, 0xFE, -448},
        {E4M3_FNUZ, 0x7F, 240},
        {E4M3_FNUZ, 0x08, 0x1p-7F},
        {E4M3_FNUZ, 0x01, 0x1p-10F},
        {E5M2, 0x7B, 57344},
        {E5M2, 0x7C, g_endless},
        {E5M2, 0xFC, -g_endless},
        {E5M2, 0x04, 0x1p-14F},
        {E5M2, 0x01, 0x1p-16F},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(row.format.Decode(row.code), row.value) << row.format.name;
        EXPECT_EQ(row.format.Encode(row.value), row.code) << row.format.name;
    }
    for (const auto code : {0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF})
    {
        EXPECT_TRUE(std::isnan(E5M2.Decode(static_cast<std::uint8_t>(code))));
    }
    EXPECT_TRUE(std::isnan(E4M3.Decode(0x7F)));
    EXPECT_TRUE(std::isnan(E4M3.Decode(0xFF)));
    EXPECT_TRUE(std::isnan(E4M3_FNUZ.Decode(0x80)));
}

/* Between two neighbours, half way goes to the even code; the floats just below and above half way go to the nearer. */
TEST(MiniFloat, RoundsToNearestTiesToEven)
{
    for (const auto* format : g_miniFloats)
    {
        for (std::uint32_t code = 0; code < format->largest; ++code)
        {
            const auto even = static_cast<std::uint8_t>(code + code % 2);
            const auto low = format->Decode(static_cast<std::uint8_t>(code));
            const auto high = format->Decode(static_cast<std::uint8_t>(code + 1));
            const auto half = (low + high) / 2;
            ASSERT_EQ(format->Encode(low), code) << format->name;
            ASSERT_EQ(format->Encode(half), even) << format->name << ' ' << half;
            ASSERT_EQ(format->Encode(std::nextafter(half, low)), code) << format->name;
            ASSERT_EQ(format->Encode(std::nextafter(half, high)), code + 1) << format->name;
            if (code > 0)
            {
                ASSERT_EQ(format->Encode(-low), code | format->SignBit()) << format->name;
            }
        }
    }
}

/* All saturate but infinities of E5M2; a NaN keeps its sign, and is the largest where there is none. */
TEST(MiniFloat, EncodesWhatIsBeyondItsRange)
{
    for (const auto* format : g_miniFloats)
    {
        const auto sign = format->SignBit();
        for (const auto beyond : {1.01F, 1.5F, 1e6F})
        {
            const auto value = beyond * format->Decode(static_cast<std::uint8_t>(format->largest));
            EXPECT_EQ(format->Encode(value), format->largest) << format->name;
            EXPECT_EQ(format->Encode(-value), format->largest | sign) << format->name;
        }
        EXPECT_EQ(format->Encode(std::numeric_limits<float>::max()), format->largest);
        EXPECT_EQ(format->Encode(g_endless), format->infinity) << format->name;
        EXPECT_EQ(format->Encode(-g_endless), format->infinity | sign) << format->name;
        EXPECT_EQ(format->Encode(g_notANumber), format->nan) << format->name;
        EXPECT_EQ(format->Encode(-g_notANumber), format->nan | sign) << format->name;
        const auto least = std::numeric_limits<float>::denorm_min();
        EXPECT_EQ(format->Encode(least), 0) << format->name;
        EXPECT_EQ(format->Encode(-least), format->hasMinusZero ? sign : 0) << format->name;
    }
}

/* Of 8 bits, every code but a NaN's stands for a value that is encoded by it: 256 less 2, 1 and 6. */
TEST(MiniFloat, EncodesEachValueByItsCode)
{
    for (const auto* format : g_miniFloats)
    {
        const auto values = format->Values();
        std::uint32_t numbers = 0;
        for (std::uint32_t code = 0; code < 2 * format->SignBit(); ++code)
        {
            if (!std::isnan(values[code]))
            {
                ASSERT_EQ(format->Encode(values[code]), code) << format->name;
                ++numbers;
            }
        }
        const auto nans = format == &E4M3        ? 2U
                          : format == &E4M3_FNUZ ? 1U
                          : format == &E5M2      ? 6U
                                                 : 0U;
        EXPECT_EQ(numbers, 2 * format->SignBit() - nans) << format->name;
    }
}

} // namespace inca
