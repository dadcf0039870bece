/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/element-range.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(Clip, KeepsWhatBothShare)
{
    EXPECT_EQ(Clip({10, 10}, {0, 100}), (ElementRange{10, 10}));
    EXPECT_EQ(Clip({10, 10}, {15, 100}), (ElementRange{15, 5}));
    EXPECT_EQ(Clip({10, 10}, {0, 12}), (ElementRange{10, 2}));
    EXPECT_EQ(Clip({10, 10}, {12, 3}), (ElementRange{12, 3}));
}

TEST(Clip, OfRangesThatShareNothingIsEmpty)
{
    EXPECT_EQ(Clip({10, 10}, {20, 5}).count, 0U);
    EXPECT_EQ(Clip({10, 10}, {0, 10}).count, 0U);
    EXPECT_EQ(Clip({10, 0}, {0, 20}).count, 0U);
}

/* 10 = 3 + 3 + 2 + 2 */
TEST(BlockOf, GivesTheFirstBlocksOneMore)
{
    EXPECT_EQ(BlockOf(10, 4, 0), (ElementRange{0, 3}));
    EXPECT_EQ(BlockOf(10, 4, 1), (ElementRange{3, 3}));
    EXPECT_EQ(BlockOf(10, 4, 2), (ElementRange{6, 2}));
    EXPECT_EQ(BlockOf(10, 4, 3), (ElementRange{8, 2}));
}

TEST(BlockOf, LeavesEmptyBlocksBehindTheLastElement)
{
    EXPECT_EQ(BlockOf(2, 4, 1), (ElementRange{1, 1}));
    EXPECT_EQ(BlockOf(2, 4, 2), (ElementRange{2, 0}));
    EXPECT_EQ(BlockOf(0, 4, 3), (ElementRange{0, 0}));
}

TEST(BlockOf, CoversEverythingOnce)
{
    for (std::uint64_t blocks = 1; blocks <= 9; ++blocks)
    {
        for (std::uint64_t elements = 0; elements <= 30; ++elements)
        {
            std::uint64_t next = 0;
            for (std::uint64_t block = 0; block < blocks; ++block)
            {
                EXPECT_EQ(BlockOf(elements, blocks, block).begin, next);
                next = BlockOf(elements, blocks, block).End();
            }
            EXPECT_EQ(next, elements);
        }
    }
}

} // namespace inca
