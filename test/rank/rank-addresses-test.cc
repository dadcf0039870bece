/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/rank-addresses.h"

#include "base/errors.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(RankAddresses, KnowsRanksAndHostsOfEachOther)
{
    const ns3::Mac48Address first("02:00:00:00:00:07");
    const ns3::Mac48Address second("02:00:00:00:00:02");
    const RankAddresses addresses({first, second});
    EXPECT_EQ(addresses.Of(0), first);
    EXPECT_EQ(addresses.RankAt(second), 1U);
    EXPECT_THROW(addresses.RankAt(ns3::Mac48Address("02:00:00:00:00:03")), InvariantError);
}

TEST(RankAddresses, RefusesTwoRanksOnOneHost)
{
    const ns3::Mac48Address host("02:00:00:00:00:07");
    EXPECT_THROW(RankAddresses({host, host}), InvariantError);
}

} // namespace inca
