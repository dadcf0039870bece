/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "exchange/element-range.h"
#include "exchange/shards.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace inca
{

TEST(Clip, KeepsWhatBothShare)
{
    const std::tuple<ElementRange, ElementRange, ElementRange> rows[] = {
        {{10, 10}, {0, 100}, {10, 10}},
        {{10, 10}, {15, 100}, {15, 5}},
        {{10, 10}, {0, 12}, {10, 2}},
        {{10, 10}, {12, 3}, {12, 3}},
        {{10, 10}, {20, 5}, {20, 0}},
        {{10, 10}, {0, 10}, {10, 0}},
        {{10, 0}, {0, 20}, {10, 0}},
    };
    for (const auto& [range, window, shared] : rows)
    {
        EXPECT_EQ(Clip(range, window), shared);
    }
}

/* 10 = 3 + 3 + 2 + 2; 2 = 1 + 1 + 0 + 0. Whatever the numbers, all is covered once. */
TEST(BlockOf, CoversEverythingOnceTheFirstBlocksWithOneMore)
{
    EXPECT_EQ(BlockOf(10, 4, 1), (ElementRange{3, 3}));
    EXPECT_EQ(BlockOf(10, 4, 2), (ElementRange{6, 2}));
    EXPECT_EQ(BlockOf(2, 4, 1), (ElementRange{1, 1}));
    EXPECT_EQ(BlockOf(2, 4, 2), (ElementRange{2, 0}));
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

/*
 * 23 elements of 3 workers are blocks of 8, 8 and 7; packets of 4: two of each, of which the last one's second has 3.
 * 13: blocks of 5, 4 and 4, of which only the first has a second packet. 2 of 5 workers: the others have none.
 * 12 of 2 workers, of which one in two has a part: parts of 3, of packets of 2 and 1; both blocks' first ones, the second ones.
 */
TEST(BlockPackets, TakeTurns)
{
    const std::tuple<BlockPackets, Rank, std::vector<ElementRange>> rows[] = {
        {{23, 3, 4}, 3, {{0, 4}, {8, 4}, {16, 4}, {4, 4}, {12, 4}, {20, 3}}},
        {{13, 3, 4}, 3, {{0, 4}, {5, 4}, {9, 4}, {4, 1}}},
        {{2, 5, 256}, 5, {{0, 1}, {1, 1}}},
        {{12, 2, 2, 2}, 2, {{0, 2}, {6, 2}, {3, 2}, {9, 2}, {2, 1}, {8, 1}, {5, 1}, {11, 1}}},
    };
    for (const auto& [packets, workers, expected] : rows)
    {
        ASSERT_EQ(packets.Count(), expected.size());
        for (std::uint64_t i = 0; i < expected.size(); ++i)
        {
            EXPECT_EQ(packets.RangeOf(i), expected[i]) << i;
            EXPECT_EQ(packets.OwnerOf(i), i % workers) << i;
        }
    }
}

/*
 * Of 6 workers one in 3 has a part. The first part of worker 4's block (packet 4) is for itself and for the third worker
 * behind it, who is worker 1; the second one (packet 10) for those behind them. Packets are in that part (PartOf).
 */
TEST(BlockPackets, AreForSomeWorkers)
{
    constexpr Rank workers = 6;
    constexpr std::uint64_t elements = 36;
    const BlockPackets packets(elements, workers, 1, 3);
    const auto areFor = [&](std::uint64_t packet) {
        std::vector<Rank> found;
        for (Rank worker = 0; worker < workers; ++worker)
        {
            const auto owner = packets.OwnerOf(packet);
            const auto part = PartOf(BlockOf(elements, workers, owner), owner, worker, 3);
            const bool isIn = Clip(packets.RangeOf(packet), part).count > 0;
            EXPECT_EQ(packets.IsFor(packet, worker), isIn) << packet << " " << worker;
            if (isIn)
            {
                found.push_back(worker);
            }
        }
        return found;
    };
    EXPECT_EQ(areFor(4), (std::vector<Rank>{1, 4}));
    EXPECT_EQ(areFor(10), (std::vector<Rank>{2, 5}));
    EXPECT_EQ(areFor(16), (std::vector<Rank>{0, 3}));
    EXPECT_EQ(areFor(22), (std::vector<Rank>{1, 4})); // of the first part again
    EXPECT_EQ(packets.Pattern(), 18U);
    EXPECT_THROW(BlockPackets(elements, workers, 1, 4),
                 InvariantError); // 4 do not divide 6 workers
    EXPECT_THROW(BlockPackets(elements + 6, workers, 1, 3), InvariantError); // nor 3 a block of 7
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

/* Of 4 blocks of 6, one worker in 2 has a part of 3: 3 of each of the others' blocks, in 2 words if two values are one. */
TEST(WordsGot, AreOfPartsThatAreForTheWorker)
{
    EXPECT_EQ(WordsGot({24, SumPhase::REDUCE_SCATTER, 1, false, 2}, 1, 4), 6U);
    EXPECT_EQ(WordsGot({24, SumPhase::ALL_GATHER, 1, false, 2}, 1, 4), 9U);
    EXPECT_EQ(WordsGot({24, SumPhase::ALL_GATHER, 2, false, 2}, 1, 4), 6U);
}

} // namespace inca
