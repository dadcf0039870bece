/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/block-packets.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

/* 23 elements of 3 workers are blocks of 8, 8 and 7; packets of 4: two of each, of which the last one's second has 3. */
TEST(BlockPackets, TakeTurns)
{
    const BlockPackets packets(23, 3, 4);
    const std::vector<ElementRange> expected{{0, 4}, {8, 4}, {16, 4}, {4, 4}, {12, 4}, {20, 3}};
    ASSERT_EQ(packets.Count(), expected.size());
    for (std::uint64_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_EQ(packets.RangeOf(i), expected[i]) << i;
        EXPECT_EQ(packets.OwnerOf(i), i % 3) << i;
    }
}

/* 13 of 3 workers: 5, 4 and 4, in packets of 4: only the first has a second one. */
TEST(BlockPackets, LargerBlocksMayHaveOneMore)
{
    const BlockPackets packets(13, 3, 4);
    ASSERT_EQ(packets.Count(), 4U);
    EXPECT_EQ(packets.RangeOf(3), (ElementRange{4, 1}));
    EXPECT_EQ(packets.OwnerOf(3), 0U);
}

/* Fewer elements than workers: the others have no packet. */
TEST(BlockPackets, EmptyBlocksHaveNone)
{
    const BlockPackets packets(2, 5, 256);
    ASSERT_EQ(packets.Count(), 2U);
    EXPECT_EQ(packets.RangeOf(1), (ElementRange{1, 1}));
}

/* Whatever the sizes: each element once, each packet in its owner's block. */
TEST(BlockPackets, HoldEachElementOnce)
{
    for (std::uint64_t elements = 0; elements < 60; ++elements)
    {
        for (const Rank workers : {1U, 2U, 3U, 7U})
        {
            for (const std::uint64_t perPacket : {1U, 2U, 5U, 64U})
            {
                const BlockPackets packets(elements, workers, perPacket);
                std::vector<unsigned> times(elements, 0);
                for (std::uint64_t packet = 0; packet < packets.Count(); ++packet)
                {
                    const auto range = packets.RangeOf(packet);
                    EXPECT_GT(range.count, 0U);
                    EXPECT_EQ(Clip(range, BlockOf(elements, workers, packets.OwnerOf(packet))),
                              range);
                    for (auto i = range.begin; i < range.End(); ++i)
                    {
                        ++times[i];
                    }
                }
                EXPECT_EQ(times, std::vector<unsigned>(elements, 1));
            }
        }
    }
}

/* Blocks of 4, 4 and 3 values: all words of a sum; a block's; those of the others, of which two values of 16 bits are
 * one: 2 + 2 of them, but 4 + 4 of 32 bits. */
TEST(WordsGot, AreOfWhatIsNotOwnWhereGathered)
{
    EXPECT_EQ(WordsGot(11, 2, 3), 11U);
    EXPECT_EQ(WordsGot({11, Halves::REDUCE_SCATTER, 1}, 2, 3), 3U);
    EXPECT_EQ(WordsGot({11, Halves::ALL_GATHER, 1}, 2, 3), 8U);
    EXPECT_EQ(WordsGot({11, Halves::ALL_GATHER, 2}, 2, 3), 4U);
}

} // namespace inca
