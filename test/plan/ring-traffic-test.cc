/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/ring-traffic.h"

#include "exchange/exchange-catalog.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

void
ExpectEqual(const MessageTraffic& ours, const MessageTraffic& walked)
{
    EXPECT_EQ(ours.elements, walked.elements);
    EXPECT_EQ(ours.frames, walked.frames);
    EXPECT_EQ(ours.wireBytes, walked.wireBytes);
    EXPECT_EQ(ours.acknowledgements, walked.acknowledgements);
}

/** Whoever walks all steps of every rank counts the same. */
void
ExpectAsWalked(const ExchangeSpec& spec, std::uint64_t elements)
{
    const Framing framing{4, 20, 2}; // five values a frame
    const RingTraffic traffic(spec, framing);
    const auto plan = MakeStepPlan(spec, elements);
    for (Rank rank = 0; rank < spec.workers; ++rank)
    {
        const auto walked = WalkedFrames(*plan, rank, framing);
        ExpectEqual(traffic.Of(rank, elements).sent, walked.sent);
        ExpectEqual(traffic.Of(rank, elements).received, walked.received);
    }
}

} // namespace

TEST(RingTraffic, CountsWhatEveryRankMoves)
{
    for (const Rank workers : {2U, 5U, 8U})
    {
        for (const std::uint64_t elements : {1U, 3U, 8U, 23U, 100U, 103U})
        {
            ExchangeSpec spec;
            spec.workers = workers;
            ExpectAsWalked(spec, elements);
            spec.ringChannels = 3;
            ExpectAsWalked(spec, elements);
            spec.ringChunkElements = 4;
            ExpectAsWalked(spec, elements);
            spec.sharded = true;
            spec.halves = Halves::REDUCE_SCATTER;
            ExpectAsWalked(spec, elements);
        }
    }
}

/*
 * 13 values of 4 bytes in frames of 20: 20, 20 and 12 bytes, twice 8 + 14 + 40 + 20 + 4 + 12 = 98 on the wire, and
 * once 8 + 14 + 40 + 12 + 4 + 12 = 90. Two frames are acknowledged, and the last.
 */
TEST(RingTraffic, CutsMessagesIntoFrames)
{
    MessageTraffic traffic;
    traffic.Add(13, 2, {4, 20, 2});
    EXPECT_EQ(traffic.elements, 26U);
    EXPECT_EQ(traffic.frames, 6U);
    EXPECT_EQ(traffic.wireBytes, 2U * (98 + 98 + 90));
    EXPECT_EQ(traffic.acknowledgements, 4U);
}

/* An empty block is a frame, too: 8 + 64 + 12 bytes. As many frames as are acknowledged at once are so once. */
TEST(RingTraffic, CountsEmptyAndWholeMessages)
{
    MessageTraffic empty;
    empty.Add(0, 1, {4, 20, 2});
    EXPECT_EQ(empty.frames, 1U);
    EXPECT_EQ(empty.wireBytes, 84U);
    MessageTraffic whole;
    whole.Add(10, 1, {4, 20, 2});
    EXPECT_EQ(whole.frames, 2U);
    EXPECT_EQ(whole.acknowledgements, 1U);
}

} // namespace inca
