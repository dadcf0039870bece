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
}

} // namespace inca
