/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rank/asking-order.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace inca
{

class AskingInOrder : public testing::Test
{
  protected:
    void Ask(std::uint32_t round)
    {
        order.Ask(round, [this, round] { asked.push_back(round); });
    }

    AskingOrder order;
    std::vector<std::uint32_t> asked;
};

TEST_F(AskingInOrder, WhoeverIsInFrontAsksAtOnce)
{
    order.Enter(7);
    Ask(7);
    order.Enter(3);
    Ask(3);
    EXPECT_THAT(asked, testing::ElementsAre(7, 3));
}

/* 7, 3 and 5 have entered: 5 and 3 wait for 7, and follow in the order in which they entered. */
TEST_F(AskingInOrder, OthersWaitForThoseInFront)
{
    for (const auto round : {7U, 3U, 5U})
    {
        order.Enter(round);
    }
    Ask(5);
    Ask(3);
    EXPECT_THAT(asked, testing::IsEmpty());
    Ask(7);
    EXPECT_THAT(asked, testing::ElementsAre(7, 3, 5));
}

TEST_F(AskingInOrder, WhoeverAsksMayEnterAgain)
{
    order.Enter(1);
    order.Enter(2);
    Ask(2);
    order.Ask(1, [this] {
        asked.push_back(1);
        order.Enter(3);
    });
    Ask(3);
    EXPECT_THAT(asked, testing::ElementsAre(1, 2, 3));
}

TEST_F(AskingInOrder, NobodyAsksForWhatHasNotBegun)
{
    order.Enter(1);
    EXPECT_THROW(Ask(2), InvariantError);
    Ask(1);
    EXPECT_THROW(Ask(1), InvariantError);
}

} // namespace inca
