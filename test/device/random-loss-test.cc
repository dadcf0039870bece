/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/random-loss.h"

#include "ns3/packet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace inca
{

namespace
{

std::vector<bool>
Lost(RandomLoss& loss, std::size_t frames)
{
    std::vector<bool> lost;
    for (std::size_t i = 0; i < frames; ++i)
    {
        lost.push_back(loss.IsCorrupt(ns3::Create<ns3::Packet>(100)));
    }
    return lost;
}

/* Binomial with n = 10,000 and p = 0.1: mean 1000, standard deviation sqrt(900) = 30; 5 of them are 150. */
TEST(RandomLoss, LosesItsShare)
{
    RandomLoss loss(0.1, 7, 0);
    const auto lost = Lost(loss, 10'000);
    const auto count = std::count(lost.begin(), lost.end(), true);
    EXPECT_GE(count, 1000 - 150);
    EXPECT_LE(count, 1000 + 150);
}

TEST(RandomLoss, LosesNothingAndEverything)
{
    RandomLoss none(0, 7, 0);
    RandomLoss all(1, 7, 0);
    EXPECT_EQ(Lost(none, 100), std::vector<bool>(100, false));
    EXPECT_EQ(Lost(all, 100), std::vector<bool>(100, true));
}

TEST(RandomLoss, DependsOnSeedAndStreamAlone)
{
    RandomLoss first(0.5, 7, 1);
    RandomLoss same(0.5, 7, 1);
    RandomLoss otherStream(0.5, 7, 2);
    RandomLoss otherSeed(0.5, 8, 1);
    const auto lost = Lost(first, 100);
    EXPECT_EQ(Lost(same, 100), lost);
    EXPECT_NE(Lost(otherStream, 100), lost);
    EXPECT_NE(Lost(otherSeed, 100), lost);
    first.Reset();
    EXPECT_EQ(Lost(first, 100), lost);
}

} // namespace

} // namespace inca
