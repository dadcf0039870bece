/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/stream-pattern.h"

#include <gtest/gtest.h>

namespace inca
{

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
