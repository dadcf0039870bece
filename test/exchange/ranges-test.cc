/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/block-packets.h"
#include "exchange/element-range.h"
#include "exchange/interval-set.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

namespace
{

/** "3-5 no, 5-8 yes": what of 0..20 the set holds. */
std::string
Text(const IntervalSet& set, ElementRange range = {0, 20})
{
    std::string text;
    for (const auto& piece : set.Cut(range))
    {
        text += (text.empty() ? "" : ", ") + std::to_string(piece.range.begin) + "-" +
                std::to_string(piece.range.End()) + (piece.held ? " yes" : " no");
    }
    return text;
}

} // namespace

TEST(IntervalSet, HoldsNothingAtFirst)
{
    EXPECT_EQ(Text({}), "0-20 no");
    EXPECT_EQ(Text({}, {5, 0}), "");
}

TEST(IntervalSet, CutsARangeWhereItsIntervalsBeginAndEnd)
{
    IntervalSet set;
    set.Add({3, 2});
    set.Add({10, 5});
    EXPECT_EQ(Text(set), "0-3 no, 3-5 yes, 5-10 no, 10-15 yes, 15-20 no");
    EXPECT_EQ(Text(set, {4, 7}), "4-5 yes, 5-10 no, 10-11 yes");
    EXPECT_EQ(Text(set, {11, 2}), "11-13 yes");
    EXPECT_EQ(Text(set, {5, 5}), "5-10 no");
}

TEST(IntervalSet, MergesNeighboursAndOverlaps)
{
    IntervalSet set;
    set.Add({3, 2});
    set.Add({5, 2}); // touches
    EXPECT_EQ(Text(set), "0-3 no, 3-7 yes, 7-20 no");
    set.Add({9, 2});
    set.Add({6, 4}); // joins both
    EXPECT_EQ(Text(set), "0-3 no, 3-11 yes, 11-20 no");
    set.Add({4, 2}); // is held already
    EXPECT_EQ(Text(set), "0-3 no, 3-11 yes, 11-20 no");
    set.Add({0, 20}); // swallows all
    EXPECT_EQ(Text(set), "0-20 yes");
}

TEST(IntervalSet, IgnoresEmptyRanges)
{
    IntervalSet set;
    set.Add({7, 0});
    EXPECT_EQ(Text(set), "0-20 no");
}

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
    EXPECT_EQ(WordsGot({11, SumPhase::REDUCE_SCATTER, 1}, 2, 3), 3U);
    EXPECT_EQ(WordsGot({11, SumPhase::ALL_GATHER, 1}, 2, 3), 8U);
    EXPECT_EQ(WordsGot({11, SumPhase::ALL_GATHER, 2}, 2, 3), 4U);
}

} // namespace inca
