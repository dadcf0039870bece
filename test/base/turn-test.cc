/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/turn.h"

#include <gtest/gtest.h>

namespace inca
{

/* 7 = 4 + 3 places: what stood first stands at place 3. */
TEST(Turn, CarriesOn)
{
    std::vector<int> ring{1, 2, 3, 4};
    Turn(ring, 7);
    EXPECT_EQ(ring, (std::vector<int>{2, 3, 4, 1}));
    Turn(ring, 0);
    EXPECT_EQ(ring, (std::vector<int>{2, 3, 4, 1}));
    Turn(ring, 4);
    EXPECT_EQ(ring, (std::vector<int>{2, 3, 4, 1}));
    ring.clear();
    Turn(ring, 3);
    EXPECT_TRUE(ring.empty());
}

} // namespace inca
