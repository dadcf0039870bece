/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/sum-errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace inca
{

class SumErrorCountTest : public testing::Test
{
  protected:
    using Values = std::vector<float>;

    void Add(const std::vector<Values>& perWorker,
             const std::vector<double>& sum,
             std::uint64_t times = 1)
    {
        std::vector<std::vector<Word>> words(perWorker.size());
        std::vector<const Word*> got;
        for (std::size_t worker = 0; worker < perWorker.size(); ++worker)
        {
            words[worker].resize(sum.size());
            CopyBits(perWorker[worker].data(), sum.size(), words[worker].data());
            got.push_back(words[worker].data());
        }
        m_count.Add(got, sum, times);
    }

    SumErrorCount m_count;
};

/* Distances 1, 0 and 0.5, of both workers: 3 in all over 6 values. */
TEST_F(SumErrorCountTest, CountsEachWorkersCopy)
{
    const Values both{2, 2, 3.5F};
    Add({both, both}, {1, 2, 3});
    EXPECT_EQ(m_count.Errors().largest, 1);
    EXPECT_EQ(m_count.Errors().mean, 0.5);
    EXPECT_EQ(m_count.Errors().replicaDifference, 0);
}

/* Distances 1, 3 and 1: the largest 3, the mean 5 / 3; 4 and 0 are 4 apart. */
TEST_F(SumErrorCountTest, LooksForTheLargestDifference)
{
    Add({{0}, {4}, {2}}, {1});
    EXPECT_EQ(m_count.Errors().largest, 3);
    EXPECT_EQ(m_count.Errors().mean, 5.0 / 3);
    EXPECT_EQ(m_count.Errors().replicaDifference, 4);
}

/* 600 values, which are two full rows of 256 and a part: only the last is off, by 3 and 1, of 2 * 600. */
TEST_F(SumErrorCountTest, GoesToTheLastValue)
{
    Values first(600, 1);
    Values second(600, 1);
    first.back() = 4;
    second.back() = 2;
    Add({first, second}, std::vector<double>(600, 1));
    EXPECT_EQ(m_count.Errors().largest, 3);
    EXPECT_EQ(m_count.Errors().mean, 4.0 / 1200);
    EXPECT_EQ(m_count.Errors().replicaDifference, 2);
}

/* Of two workers' two values each one is no number, and infinite: 2 count. */
TEST_F(SumErrorCountTest, LeavesOutWhatIsNotFinite)
{
    Add({{NAN, 3}, {INFINITY, 3}}, {1, 1});
    EXPECT_EQ(m_count.Errors().notFinite, 2U);
    EXPECT_EQ(m_count.Errors().mean, 2);
    EXPECT_EQ(m_count.Errors().largest, 2);
    EXPECT_EQ(m_count.Errors().replicaDifference, 0);
}

/* Once with a distance of 1, three times with one of 2: 7 in all, over 4 windows of a value. */
TEST_F(SumErrorCountTest, CountsWhatHappensAgain)
{
    Add({{1}}, {0});
    Add({{2}}, {0}, 3);
    EXPECT_EQ(m_count.Errors().mean, 7.0 / 4);
    EXPECT_EQ(m_count.Errors().largest, 2);
}

} // namespace inca
