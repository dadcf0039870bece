/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/exponents-codec.h"

#include "base/errors.h"
#include "codec-test-values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

/* Exponents of 1, 1.5, -1 and 0.5 are 127, 127, 127, 126: with 1 bit a value and 127 as the common one, one byte of codes
 * (0 0 0 1, the last in bit 3) and one of 126 are less than 4 exponents in full. 2 says that 16 bits are all; signs and mantissas follow. */
TEST(ExponentsCodec, CodesExponentsByTheCommonestOnes)
{
    const auto codec = MakeExponentsCodec(2);
    const std::vector<std::uint8_t> expected{2, 1, 127, 8, 126, 0, 0x40, 0x80, 0};
    EXPECT_EQ(Encoded(*codec, {1, 1.5F, -1, 0.5F}), expected);
    // of 2 values, 1 + 2 bytes are as many as 1 + 1 + 1, and the smaller w is taken
    EXPECT_EQ(Encoded(*codec, {1, 1}), (std::vector<std::uint8_t>{2, 0, 127, 127, 0, 0}));
    std::vector<float> ones(32, 1.0F);
    ones.push_back(0.5F);
    // w = 1: 33 bits in 5 bytes, of which the last bit is set, and 126
    std::vector<std::uint8_t> some{2, 1, 127, 0, 0, 0, 0, 1, 126};
    some.resize(some.size() + 33);
    EXPECT_EQ(Encoded(*codec, ones), some);
    // 1 + 2^-23 needs all bits: the low 16 come last
    EXPECT_EQ(Encoded(*codec, {FromBits(0x3f800001)}),
              (std::vector<std::uint8_t>{4, 0, 127, 0, 1, 0}));
}

/* Half of the exponents are 127, a quarter each 126 and 125: w = 2 takes 2 bits each and 3 + 1 bytes for 4,096 values. */
TEST(ExponentsCodec, KnowsItsMeanByTheHistogram)
{
    ValueStatistics statistics;
    EXPECT_FALSE(MakeExponentsCodec(2)->MeanBits(statistics));
    statistics.exponents = {{127, 0.5}, {126, 0.25}, {125, 0.25}};
    EXPECT_DOUBLE_EQ(*MakeExponentsCodec(2)->MeanBits(statistics), 8 + 2 + 8 * 4.0 / 4096);
    EXPECT_DOUBLE_EQ(*MakeExponentsCodec(4)->MeanBits(statistics), 24 + 2 + 8 * 4.0 / 4096);
}

TEST(ExponentsCodec, RefusesWhatNoEncoderWrites)
{
    const auto codec = MakeExponentsCodec(2);
    const std::vector<std::pair<std::vector<std::uint8_t>, const char*>> wrong{
        {{}, "ends within"},
        {{3, 0, 127, 0}, "begins with neither 2 nor 4"},
        {{2, 8, 127, 0}, "8 bits for an exponent are more than 7"},
        {{2, 1, 127, 2, 0}, "behind its last value are not zero"},
        {{2, 1, 127, 1, 0}, "ends within"},
        {{2, 0, 127, 0, 0}, "1 bytes are left over"},
    };
    for (const auto& row : wrong)
    {
        EXPECT_THAT([&] { Decoded(*codec, row.first, 1); },
                    testing::ThrowsMessage<InputError>(testing::HasSubstr(row.second)));
    }
}

} // namespace inca
