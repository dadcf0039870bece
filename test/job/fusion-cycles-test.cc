/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/fusion-cycles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace inca
{

/** Two workers, cycles of 10 ps, rounds of 1 ps; a backward pass begins at 100 ps. */
class FusionCyclesTest : public testing::Test
{
  protected:
    FusionCyclesTest()
    {
        m_cycles.BeginPass(98);
        m_cycles.BeginPass(100);
    }

    void Has(std::uint32_t exchange, std::int64_t nowPs)
    {
        m_cycles.AwaitStart(exchange, nowPs, [this](auto startPs) { m_starts.push_back(startPs); });
    }

    /** Both workers. */
    void HaveAll(std::uint32_t exchange, std::int64_t nowPs)
    {
        Has(exchange, nowPs);
        Has(exchange, nowPs);
    }

    /** Both workers. */
    void End(std::int64_t nowPs)
    {
        m_cycles.End(nowPs);
        m_cycles.End(nowPs);
    }

    /** @return since the last call, of both workers */
    std::vector<std::int64_t> Starts()
    {
        return std::exchange(m_starts, {});
    }

    FusionCycles m_cycles{2, 10, 1};
    std::vector<std::int64_t> m_starts;
};

/* Cycles begin at 100, 110, 120, ...; the second worker has it at 113. */
TEST_F(FusionCyclesTest, ABucketStartsInTheCycleAfterTheSlowestWorkerHasIt)
{
    Has(0, 103);
    EXPECT_THAT(Starts(), testing::IsEmpty());
    Has(0, 113);
    EXPECT_THAT(Starts(), testing::ElementsAre(121, 121));
}

/* What is there as a cycle begins is in it. */
TEST_F(FusionCyclesTest, ACycleTakesWhatIsReadyAsItBegins)
{
    HaveAll(0, 110);
    EXPECT_THAT(Starts(), testing::ElementsAre(111, 111));
}

/* The bucket that starts at 111 ends at 134: the next cycle begins then, and those after it at 144, 154, ... */
TEST_F(FusionCyclesTest, ACycleBeginsWhenTheExchangesOfTheOneBeforeHaveEnded)
{
    HaveAll(0, 110);
    HaveAll(1, 117);
    Starts();
    m_cycles.End(130);
    EXPECT_THAT(Starts(), testing::IsEmpty());
    m_cycles.End(134);
    EXPECT_THAT(Starts(), testing::ElementsAre(135, 135));
    End(136);
    HaveAll(2, 150);
    EXPECT_THAT(Starts(), testing::ElementsAre(155, 155));
}

/* Both were there at 110, so they share a round; the first one's bucket has two exchanges. */
TEST_F(FusionCyclesTest, BucketsOfOneCycleFollowEachOther)
{
    HaveAll(0, 105);
    HaveAll(2, 110);
    EXPECT_THAT(Starts(), testing::ElementsAre(111, 111));
    End(115);
    EXPECT_THAT(Starts(), testing::IsEmpty());
    End(118);
    EXPECT_THAT(Starts(), testing::ElementsAre(118, 118));
}

/* The next backward pass begins at 203, and with it a cycle; those before it have ended. */
TEST_F(FusionCyclesTest, CyclesAreCountedFromEachPass)
{
    HaveAll(0, 110);
    Starts();
    End(115);
    m_cycles.BeginPass(203);
    HaveAll(1, 205);
    EXPECT_THAT(Starts(), testing::ElementsAre(214, 214));
}

/* Rounds of 25 ps: cycles begin at 100, 125, 150. */
TEST_F(FusionCyclesTest, ACycleIsNoShorterThanItsRound)
{
    m_cycles = FusionCycles(2, 10, 25);
    m_cycles.BeginPass(100);
    HaveAll(0, 126);
    EXPECT_THAT(Starts(), testing::ElementsAre(175, 175));
}

} // namespace inca
