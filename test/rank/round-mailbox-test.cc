/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/round-mailbox.h"

#include <gtest/gtest.h>

#include <utility>

namespace inca
{

TEST(RoundMailbox, NumbersMessagesByPeerAndDirection)
{
    RoundMailbox mailbox;
    EXPECT_EQ(mailbox.NextTo(3), (MessageKey{3, 0}));
    EXPECT_EQ(mailbox.NextTo(3), (MessageKey{3, 1}));
    EXPECT_EQ(mailbox.NextTo(4), (MessageKey{4, 0}));
    EXPECT_EQ(mailbox.NextFrom(3), (MessageKey{3, 0}));
}

TEST(RoundMailbox, KeepsWhatCameEarlyUntilItIsTaken)
{
    RoundMailbox mailbox;
    ReceivedMessage message;
    message.wirePayloadBytes = 7;
    mailbox.Keep({3, 1}, std::move(message));
    EXPECT_FALSE(mailbox.Take({3, 0}));
    EXPECT_FALSE(mailbox.Has({3, 0}));
    EXPECT_TRUE(mailbox.Has({3, 1}));
    const auto taken = mailbox.Take({3, 1});
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->wirePayloadBytes, 7U);
    EXPECT_FALSE(mailbox.Take({3, 1}));
}

TEST(RoundMailbox, AGrantCountsOnce)
{
    RoundMailbox mailbox;
    mailbox.AddGrant({2, 5});
    EXPECT_FALSE(mailbox.TakeGrant({2, 4}));
    EXPECT_TRUE(mailbox.TakeGrant({2, 5}));
    EXPECT_FALSE(mailbox.TakeGrant({2, 5}));
}

} // namespace inca
