/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/value-counts.h"

#include "support/why-not.h"
#include "trace/layer-statistics.h"
#include "trace/safetensors-writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class ValueCountsTest : public testing::Test
{
  protected:
    ~ValueCountsTest() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /** Another worker's file. */
    void AddWorker(const std::vector<FloatTensor>& tensors)
    {
        std::filesystem::create_directories(m_folder);
        m_paths.push_back(m_folder + "/" + std::to_string(m_paths.size()));
        WriteSafetensors(m_paths.back(), tensors);
    }

    void AddWorker(const std::vector<float>& values)
    {
        AddWorker({{"a", {values.size()}, values}});
    }

    std::vector<ValueCounts> Counts() const
    {
        const auto trace = std::make_shared<const GradientTrace>(LayersOfFile(m_paths.front()));
        return CountValues(*MakeFileValues(trace, m_paths), *trace, m_paths);
    }

    std::string Refusal() const
    {
        return WhyNot([&] { Counts(); });
    }

    std::vector<std::string> m_paths;

  private:
    const std::string m_folder = testing::TempDir() + "value-counts-" +
                                 testing::UnitTest::GetInstance()->current_test_info()->name();
};

} // namespace

/* Worker 0 has 1, 0, -2, -0; worker 1 has 0, 0, 3, 0: 3 of 8 values and 2 of 4 positions are not zero; biased
 * exponents are 127 for 1, and 128 for 2 and 3. */
TEST_F(ValueCountsTest, DensitiesAndExponentsAreThoseOfTheValues)
{
    AddWorker({1, 0, -2, -0.0F});
    AddWorker({0, 0, 3, 0});
    const auto counts = Counts();
    ASSERT_EQ(counts.size(), 1U);
    const auto statistics = StatisticsOf(counts.front());
    EXPECT_EQ(statistics.density, 0.375);
    EXPECT_EQ(statistics.unionDensity, 0.5);
    EXPECT_THAT(statistics.exponents,
                ElementsAre(Pair(0U, 0.625), Pair(127U, 0.125), Pair(128U, 0.25)));
    EXPECT_TRUE(StatisticsComplaints(statistics, 2).empty());
}

/* Parts are of 2^18 values: what is beyond them counts, too. */
TEST_F(ValueCountsTest, LongLayersAreCountedInParts)
{
    constexpr std::size_t length = (1U << 18U) + 300;
    std::vector<float> values(length, 0);
    values.front() = 1;
    values.back() = 1;
    AddWorker(values);
    const auto counts = Counts().front();
    EXPECT_EQ(counts.nonZero, 2U);
    EXPECT_EQ(counts.unionNonZero, 2U);
}

/* 1 of 3 values: six digits; and of one worker, there is no union. */
TEST_F(ValueCountsTest, SharesHaveSixDigits)
{
    AddWorker({1, 0, 0});
    const auto statistics = StatisticsOf(Counts().front());
    EXPECT_EQ(statistics.density, 0.333333);
    EXPECT_FALSE(statistics.unionDensity);
}

TEST_F(ValueCountsTest, NumbersThatAreNoneAreRefused)
{
    std::vector<float> values(300'000, 1);
    values[299'999] = std::numeric_limits<float>::quiet_NaN();
    AddWorker(values);
    EXPECT_THAT(Refusal(), HasSubstr(": a: its value 299999 "));
    m_paths.clear();
    values[5] = -std::numeric_limits<float>::infinity();
    AddWorker(values);
    EXPECT_THAT(Refusal(), HasSubstr(": a: its value 5 "));
}

TEST_F(ValueCountsTest, EmptyFilesAreRefused)
{
    AddWorker(std::vector<FloatTensor>{});
    EXPECT_THAT(Refusal(), HasSubstr("has no tensors"));
    m_paths.clear();
    AddWorker(std::vector<float>{});
    EXPECT_THAT(Refusal(), HasSubstr(": a: has no values"));
}

} // namespace inca
