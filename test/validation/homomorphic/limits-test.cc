/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/limits.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

/** Seven parts that tell each other apart: 1 + 2 + 4 + ... = 127, of which 64 are communication. */
TimeShares
Powers()
{
    TimeShares shares;
    shares.forwardPs = 1;
    shares.backwardPs = 2;
    shares.copyPs = 4;
    shares.codecPs = 8;
    shares.sumPs = 16;
    shares.updatePs = 32;
    shares.communicationPs = 64;
    return shares;
}

/* compute 1 + 2 + 32, hosts 4 + 16; a quarter of 64 is the index's. */
TEST(PartsOf, AddUpToTheShares)
{
    const auto parts = PartsOf(Powers(), 0.25);
    EXPECT_EQ(parts.computePs, 35);
    EXPECT_EQ(parts.roundsPs, 8);
    EXPECT_EQ(parts.indexPs, 16);
    EXPECT_EQ(parts.densityPs, 48);
    EXPECT_EQ(parts.hostsPs, 20);
    EXPECT_EQ(parts.TotalPs(), Powers().TotalPs());
}

/* A third of 64 is 21.3: what rounding takes from one it gives the other. */
TEST(PartsOf, LoseNothingByRounding)
{
    const auto parts = PartsOf(Powers(), 1.0 / 3);
    EXPECT_EQ(parts.indexPs, 21);
    EXPECT_EQ(parts.densityPs, 43);
}

TEST(LargestPart, NamesEachOfThem)
{
    EXPECT_STREQ(LargestPart({5, 4, 3, 2, 1}), "compute");
    EXPECT_STREQ(LargestPart({4, 5, 3, 2, 1}), "rounds");
    EXPECT_STREQ(LargestPart({4, 3, 5, 2, 1}), "index");
    EXPECT_STREQ(LargestPart({4, 3, 2, 5, 1}), "density");
    EXPECT_STREQ(LargestPart({4, 3, 2, 1, 5}), "hosts");
}

TEST(LargestPart, IsTheFirstOfEqualOnes)
{
    EXPECT_STREQ(LargestPart({2, 2, 2, 2, 2}), "compute");
    EXPECT_STREQ(LargestPart({1, 2, 2, 2, 1}), "rounds");
}

TEST(WithinExchange, KnowsNeitherComputeNorHosts)
{
    const auto within = WithinExchange({100, 3, 5, 4, 100});
    EXPECT_EQ(within.TotalPs(), 12);
    EXPECT_STREQ(LargestPart(within), "index");
}

} // namespace

} // namespace inca
