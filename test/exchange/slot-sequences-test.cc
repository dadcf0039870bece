/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-sequences.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(SlotSequences, WhatIsGatheredHasItsOwnOfTwo)
{
    for (const auto halves : {Halves::BOTH, Halves::REDUCE_SCATTER, Halves::ALL_GATHER})
    {
        EXPECT_EQ(SequenceOf(halves, 1), 0U);
        EXPECT_EQ(SequenceOf(halves, 2), halves == Halves::ALL_GATHER ? 1U : 0U);
    }
}

TEST(SlotSequences, ShareAllSlots)
{
    EXPECT_EQ(SlotsOfSequence(5, 1, 0), 5U);
    EXPECT_EQ(SlotsOfSequence(5, 2, 0), 3U);
    EXPECT_EQ(SlotsOfSequence(5, 2, 1), 2U);
    EXPECT_EQ(SlotsOfSequence(512, 2, 1), 256U);
}

} // namespace inca
