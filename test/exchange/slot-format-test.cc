/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-format.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

namespace inca
{

namespace
{

constexpr SumPhase PHASES[]{SumPhase::ALL_REDUCE, SumPhase::REDUCE_SCATTER, SumPhase::ALL_GATHER};

/** 3 workers, 5 slots of 4 values. */
SlotFormat
Small(std::uint32_t sequences = 1)
{
    SlotFormat format;
    format.workers = 3;
    format.sequences = sequences;
    format.slots = 5;
    format.valuesPerPacket = 4;
    return format;
}

} // namespace

TEST(SlotFormat, GivesWhatIsGatheredASequenceOfItsOwnOfTwo)
{
    for (const auto phase : PHASES)
    {
        EXPECT_EQ(Small(1).SequenceOf(phase), 0U);
        EXPECT_EQ(Small(2).SequenceOf(phase), phase == SumPhase::ALL_GATHER ? 1U : 0U);
    }
}

TEST(SlotFormat, SharesAllSlotsAmongSequences)
{
    EXPECT_EQ(Small(1).SlotsOf(0U), 5U);
    EXPECT_EQ(Small(2).SlotsOf(0U), 3U);
    EXPECT_EQ(Small(2).SlotsOf(1U), 2U);
    EXPECT_EQ(Small(2).SlotsOf(SumPhase::ALL_GATHER), 2U);
}

/* All workers' 25 values are 7 packets of 4, the last one of 1. Parts of 9, 8 and 8 are 3 + 2 + 2, or, of 2 values a word, 2 +
 * 1 + 1, each worker's in its turn: the third packet of the first worker's part is the 7th. */
TEST(SlotFormat, CutsSumsIntoPackets)
{
    EXPECT_EQ(Small().PacketsOf(25).Count(), 7U);
    EXPECT_EQ(Small().PacketsOf(25).RangeOf(6), (ElementRange{24, 1}));
    EXPECT_EQ(Small().PacketsOf({25, SumPhase::REDUCE_SCATTER, 1}).Count(), 7U);
    EXPECT_EQ(Small().PacketsOf({25, SumPhase::REDUCE_SCATTER, 1}).RangeOf(6),
              (ElementRange{8, 1}));
    EXPECT_EQ(Small().PacketsOf({25, SumPhase::ALL_GATHER, 2}).Count(), 4U);
}

/* Slots of 4 sums of 2 bytes hold 2 words of 4 bytes: parts of 9, 8 and 8 are 5 + 4 + 4 packets, or, of 2 values a word, 3 + 2 + 2. */
TEST(SlotFormat, CutsWhatIsGatheredByTheBytesOfSlots)
{
    auto format = Small();
    format.adder = WordSum::BF16;
    EXPECT_EQ(format.PacketsOf({25, SumPhase::ALL_GATHER, 1}).Count(), 13U);
    EXPECT_EQ(format.PacketsOf({25, SumPhase::ALL_GATHER, 2}).Count(), 7U);
    EXPECT_EQ(format.PacketsOf({25, SumPhase::REDUCE_SCATTER, 1}).Count(), 7U);
}

/* As many as slots, 5, or as 25 values have packets, 7, whatever is less: of two sequences, sums have 3 of 5 slots. */
TEST(SlotFormat, TellsExponentsAheadOfWhatIsScaledByBlock)
{
    const ReductionSize scattered(25, SumPhase::REDUCE_SCATTER, 1);
    EXPECT_EQ(Small().PrologueOf(25, false), 5U);
    EXPECT_EQ(Small().PrologueOf(8, false), 2U);
    EXPECT_EQ(Small(2).PrologueOf(scattered, false), 3U);
    EXPECT_EQ(Small().PrologueOf({25, SumPhase::ALL_GATHER, 1}, false), 0U);
    EXPECT_EQ(Small().PrologueOf(25, true), 0U);
    auto other = Small();
    other.isFixed = true;
    EXPECT_EQ(other.PrologueOf(25, false), 0U);
    EXPECT_EQ(other.FixedExponent(), 0);
    other.adder = WordSum::FP32;
    EXPECT_EQ(other.FixedExponent(), std::nullopt);
    other.isFixed = false;
    EXPECT_EQ(other.PrologueOf(25, false), 0U);
}

/* 44 bytes of headers and 4 values of 1 byte up, of 2 down; on the wire 14 + 4 around them, padded to 64, and 8 + 12. Two copies
 * of 4 values of 2 bytes are 16 bytes. */
TEST(SlotFormat, SaysHowLargePacketsAndSlotsAre)
{
    auto format = Small();
    format.adder = WordSum::FP8_FP16;
    EXPECT_EQ(format.PacketBytes(*format.adder.term), 48U);
    EXPECT_EQ(format.PacketBytes(*format.adder.sum), 52U);
    EXPECT_EQ(format.FrameBytes(*format.adder.sum), 52U + 18 + 20);
    EXPECT_EQ(format.EmptyFrameBytes(), 84U);
    EXPECT_EQ(format.MostValues(52), 4U);
    EXPECT_EQ(format.MostValues(51), 3U);
    EXPECT_EQ(format.SlotBytes(), 16U);
    EXPECT_EQ(format.UsedBytes(), 5 * 16U);
    format.copies = 1;
    EXPECT_EQ(format.UsedBytes(), 5 * 8U);
}

/*
 * All send, and get, what all get; else owners alone get what is added, and send what the others get. Where parts are for
 * some workers, the others do not add, nor get what is handed on; owners do as ever.
 */
TEST(SlotFormat, KnowsWhoHasTheWords)
{
    for (const auto phase : PHASES)
    {
        const bool gathers = phase == SumPhase::ALL_GATHER;
        EXPECT_TRUE(SendsWords(phase, true, true));
        EXPECT_EQ(SendsWords(phase, false, true), !gathers);
        EXPECT_EQ(SendsWords(phase, true, false), gathers);
        EXPECT_FALSE(SendsWords(phase, false, false));
        EXPECT_EQ(GetsWords(phase, true, true), !gathers);
        EXPECT_EQ(GetsWords(phase, true, false), !gathers);
        EXPECT_EQ(GetsWords(phase, false, true), phase != SumPhase::REDUCE_SCATTER);
        EXPECT_EQ(GetsWords(phase, false, false), phase == SumPhase::ALL_REDUCE);
    }
}

} // namespace inca
