/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/wire-format.h"

#include <gtest/gtest.h>

namespace inca
{

/* 8 + (14 + 1500 + 4) + 12 = 1538; 14 + 40 + 4 = 58 is padded to 64, so 84. */
TEST(WireFormat, CountsWholeFrames)
{
    EXPECT_EQ(FrameWireBytes(1500), 1538U);
    EXPECT_EQ(FrameWireBytes(INCA_HEADER_BYTES), 84U);
    EXPECT_EQ(FrameWireBytes(46), 84U);
    EXPECT_EQ(FrameWireBytes(47), 85U);
}

TEST(WireFormat, CarriesWholeValues)
{
    EXPECT_EQ(MaxPayloadBytes(1500), 1460U);
    EXPECT_EQ(MaxPayloadBytes(1503), 1460U);
    EXPECT_EQ(MaxPayloadBytes(9000), 8960U);
    EXPECT_EQ(MaxPayloadBytes(1500, 8), 1440U); // 45 groups of 8 values in 365
    EXPECT_EQ(MaxPayloadBytes(1500, 512), 0U);
}

/* 365 values of 1460 bytes, 64 times: 23360. At 5.72 bits they take 16702.4 bytes, so 16703 are
 * reckoned with: 5.720205... bits. What is whole stays: 16 bits are 46720 bytes. */
TEST(StreamPattern, TakesWholeBytes)
{
    constexpr std::uint64_t payloadBytes = 1460;
    EXPECT_DOUBLE_EQ(PatternBits(5.72, payloadBytes), 16703.0 * 8 / 23360);
    EXPECT_DOUBLE_EQ(PatternBits(16, payloadBytes), 16.0);
    EXPECT_DOUBLE_EQ(PatternBits(0, payloadBytes), 0.0);
    const auto again = PatternBits(5.72, payloadBytes);
    EXPECT_DOUBLE_EQ(PatternBits(again, payloadBytes), again);
}

} // namespace inca
