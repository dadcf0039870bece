/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/murmur-hash.h"

#include <gtest/gtest.h>

namespace inca
{

/* Published test vectors of MurmurHash3_x86_32 whose data are four bytes: FF FF FF FF, 21 43 65 87
 * and 00 00 00 00.                                                                               */
TEST(MurmurHash3, GivesThePublishedHashesOfFourBytes)
{
    EXPECT_EQ(MurmurHash3(0xFFFFFFFF, 0), 0x76293B50U);
    EXPECT_EQ(MurmurHash3(0x87654321, 0), 0xF55B516BU);
    EXPECT_EQ(MurmurHash3(0x87654321, 0x5082EDEE), 0x2362F9DEU);
    EXPECT_EQ(MurmurHash3(0, 0), 0x2362F9DEU);
    EXPECT_EQ(MurmurHash3(0x74736574, 0), 0xBA6BD213U); // "test"
    EXPECT_EQ(MurmurHash3(0x74736574, 0x9747B28C), 0x704B81DCU);
}

/* From an implementation of our own in Python that gives the published hashes of 0 to 13 bytes. */
TEST(MurmurHash3, HashesRowsWithTheSketchsSeeds)
{
    EXPECT_EQ(MurmurHash3(0, 1), 0x78ED212DU);
    EXPECT_EQ(MurmurHash3(0, 2), 0x06DFADFCU);
    EXPECT_EQ(MurmurHash3(1023, 0), 0xA3B5C58CU);
    EXPECT_EQ(MurmurHash3(1023, 1), 0x935815ADU);
    EXPECT_EQ(MurmurHash3(1023, 2), 0x390E9B30U);
    EXPECT_EQ(MurmurHash3(123456, 0), 0xB2D97CD0U);
    EXPECT_EQ(MurmurHash3(123456, 1), 0x50DB174FU);
    EXPECT_EQ(MurmurHash3(123456, 2), 0x9756FD4FU);
}

} // namespace inca
