/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/checksum.h"

#include <gtest/gtest.h>

#include <string>

namespace inca
{

/* 0xCBF43926 is the check value that every catalog of CRCs gives for these nine digits. */
TEST(Crc32, HasTheCheckValue)
{
    const std::string digits = "123456789";
    EXPECT_EQ(Crc32(digits.data(), digits.size()), 0xcbf43926U);
    EXPECT_EQ(Crc32(nullptr, 0), 0U);
}

TEST(Crc32, GoesOnWhereAPieceEnded)
{
    const std::string digits = "123456789";
    for (std::size_t cut = 0; cut <= digits.size(); ++cut)
    {
        const auto first = Crc32(digits.data(), cut);
        EXPECT_EQ(Crc32(digits.data() + cut, digits.size() - cut, first), 0xcbf43926U) << cut;
    }
}

} // namespace inca
