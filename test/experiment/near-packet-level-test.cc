/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/near-packet-level.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

Outcome
RunOf(std::uint64_t acknowledgements, std::int64_t dividedOtherwisePs)
{
    Outcome outcome;
    outcome.hostWireBytes = 84'000'000;
    outcome.breakdown.communicationPs = 1'000'000;
    outcome.acknowledgements = acknowledgements;
    outcome.dividedOtherwisePs = dividedOtherwisePs;
    return outcome;
}

} // namespace

/* An acknowledgement is 84 bytes: 5,000 of them are 0.5 % of 84 MB. */
TEST(NearPacketLevel, WithFewAcknowledgements)
{
    EXPECT_TRUE(IsNearPacketLevel(RunOf(5000, 0)));
    EXPECT_FALSE(IsNearPacketLevel(RunOf(5001, 0)));
}

TEST(NearPacketLevel, WhereWhoeverIsLastHasTheSameCommunication)
{
    EXPECT_TRUE(IsNearPacketLevel(RunOf(0, 2500)));
    EXPECT_FALSE(IsNearPacketLevel(RunOf(0, 2501)));
}

} // namespace inca
