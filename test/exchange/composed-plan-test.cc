/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/composed-plan.h"

#include "base/errors.h"
#include "exchange/broadcast.h"
#include "exchange/star-pieces.h"

#include <gtest/gtest.h>

#include <memory>

namespace inca
{

namespace
{

/** Ranks 0, 10 and 13 gather at 10 and get the result back; rank 10 is position 0. */
class Small : public ComposedPlan
{
  public:
    Small()
        : ComposedPlan(14, 0, 5),
          m_sum(MakeSumAtRoot(3, 5)),
          m_back(MakeBroadcast({"flat", 1}, 3, 5))
    {
    }

  private:
    std::vector<Part> Parts(Rank rank) const override
    {
        const Lineup lineup{10, 0, 13};
        for (const Rank position : {0U, 1U, 2U})
        {
            if (lineup.At(position) == rank)
            {
                return {{m_sum.get(), lineup, position}, {m_back.get(), lineup, position}};
            }
        }
        return {};
    }

    std::unique_ptr<Piece> m_sum;
    std::unique_ptr<Piece> m_back;
};

} // namespace

TEST(Lineup, StandsInStridesBehindItsRoot)
{
    const Lineup leaders{16, 0, 4};
    EXPECT_EQ(leaders.At(0), 16U);
    EXPECT_EQ(leaders.At(1), 0U);
    EXPECT_EQ(leaders.At(3), 8U);
}

TEST(ComposedPlan, GoesThroughItsPartsWithRanksForPositions)
{
    const Small plan;
    ASSERT_EQ(plan.StepCount(10), 3U); // one sum, two sends
    EXPECT_EQ(plan.At(10, 0).receives[0].peer, 0U);
    EXPECT_EQ(plan.At(10, 0).receives[1].peer, 13U);
    EXPECT_EQ(plan.At(10, 2).sends[0].peer, 13U);
    ASSERT_EQ(plan.StepCount(13), 2U);
    EXPECT_EQ(plan.At(13, 0).sends[0].peer, 10U);
    EXPECT_EQ(plan.At(13, 1).receives[0].peer, 10U);
}

TEST(ComposedPlan, HasNoStepsForWhoTakesNoPart)
{
    EXPECT_EQ(Small().StepCount(5), 0U);
}

TEST(ComposedPlan, RefusesAStepBehindTheLast)
{
    EXPECT_THROW(Small().At(13, 2), InvariantError);
}

} // namespace inca
