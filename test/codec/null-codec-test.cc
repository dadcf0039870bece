/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/null-codec.h"

#include "base/errors.h"
#include "codec-test-values.h"

#include <gtest/gtest.h>

namespace inca
{

/* 1.0 is 0x3F800000: its lowest byte travels first. */
TEST(NullCodec, WritesLittleEndianWords)
{
    EXPECT_EQ(Encoded(*MakeNullCodec(), {1.0F}), (std::vector<std::uint8_t>{0, 0, 0x80, 0x3F}));
}

TEST(NullCodec, KeepsEveryBit)
{
    const auto codec = MakeNullCodec();
    EXPECT_TRUE(codec->IsLossless());
    EXPECT_EQ(codec->MeanBits({}), 32.0);
    EXPECT_EQ(ToBits(ThereAndBack(*codec, SpecialValues())), ToBits(SpecialValues()));
    EXPECT_EQ(ToBits(ThereAndBack(*codec, AnyValues(1001))), ToBits(AnyValues(1001)));
}

TEST(NullCodec, RefusesAnotherSize)
{
    const auto codec = MakeNullCodec();
    const std::vector<std::uint8_t> stream(9);
    EXPECT_THROW(Decoded(*codec, stream, 2), InputError);
    EXPECT_THROW(Decoded(*codec, stream, 3), InputError);
}

} // namespace inca
