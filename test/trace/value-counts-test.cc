/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/value-counts.h"

#include "base/errors.h"
#include "support/why-not.h"
#include "trace/layer-statistics.h"
#include "trace/safetensors-writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
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
        const auto trace = std::make_shared<const GradientTrace>(LayersOfFiles(m_paths));
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

class StepFilesTest : public testing::Test
{
  protected:
    StepFilesTest()
    {
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }

    ~StepFilesTest() override
    {
        std::filesystem::remove_all(m_folder);
    }

    /** A file without tensors. @param metadata JSON, as in {"step":"1"}; empty: none */
    void Put(const std::string& name, const std::string& metadata = "") const
    {
        const auto path = m_folder / name;
        std::filesystem::create_directories(path.parent_path());
        const auto header = metadata.empty() ? "{}" : R"({"__metadata__":)" + metadata + "}";
        std::string length(8, '\0');
        length[0] = static_cast<char>(header.size());
        std::ofstream(path, std::ios::binary) << length << header;
    }

    std::string Path(const std::string& name) const
    {
        return (m_folder / name).string();
    }

    /** @return "1: a b", "2: c d", the files' names without the folder */
    std::vector<std::string> Found(const std::vector<std::string>& names) const
    {
        std::vector<std::string> found;
        for (const auto& step : FindStepFiles(Paths(names)))
        {
            found.push_back((step.step ? std::to_string(*step.step) : "?") + ":");
            for (const auto& path : step.paths)
            {
                found.back() += " " + std::filesystem::relative(path, m_folder).string();
            }
        }
        return found;
    }

    std::string Refusal(const std::vector<std::string>& names) const
    {
        return WhyNot([&] { FindStepFiles(Paths(names)); });
    }

  private:
    std::vector<std::string> Paths(const std::vector<std::string>& names) const
    {
        std::vector<std::string> paths;
        for (const auto& name : names)
        {
            paths.push_back(Path(name));
        }
        return paths;
    }

    const std::filesystem::path m_folder =
        testing::TempDir() + "step-files-" +
        testing::UnitTest::GetInstance()->current_test_info()->name();
};

} // namespace

/* Worker 0 has 1, 0, -2, -0; worker 1 has 0, 0, 3, 0: 3 of 8 values and 2 of 4 positions are not zero; biased
 * exponents are 127 for 1, and 128 for 2 and 3. Squares add up to 1 + 4 + 9 = 14, of 8 values. */
TEST_F(ValueCountsTest, DensitiesAndExponentsAreThoseOfTheValues)
{
    AddWorker({1, 0, -2, -0.0F});
    AddWorker({0, 0, 3, 0});
    const auto counts = Counts();
    ASSERT_EQ(counts.size(), 1U);
    const auto statistics = StatisticsOf(counts.front());
    EXPECT_EQ(statistics.density, 0.375);
    EXPECT_EQ(statistics.unionDensity, 0.5);
    EXPECT_EQ(statistics.blockDensity, 1);
    EXPECT_EQ(statistics.unionBlockDensity, 1);
    EXPECT_THAT(statistics.exponents,
                ElementsAre(Pair(0U, 0.625), Pair(127U, 0.125), Pair(128U, 0.25)));
    EXPECT_DOUBLE_EQ(counts.front().Rms(), std::sqrt(14.0 / 8));
    EXPECT_TRUE(StatisticsComplaints(statistics, 2).empty());
}

/* 600 values are blocks of 256, 256 and 88. Worker 0 has one in the first, worker 1 one in the last: 2 of 6
 * blocks, and 2 of 3 together. */
TEST_F(ValueCountsTest, BlocksAreOf256ValuesOfALayer)
{
    std::vector<float> first(600, 0);
    std::vector<float> second(600, 0);
    first[255] = 1;
    second[512] = 1;
    AddWorker(first);
    AddWorker(second);
    const auto statistics = StatisticsOf(Counts().front());
    EXPECT_NEAR(*statistics.blockDensity, 1.0 / 3, 1e-6);
    EXPECT_NEAR(*statistics.unionBlockDensity, 2.0 / 3, 1e-6);
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
    EXPECT_EQ(counts.blocks, 1024U + 2);
    EXPECT_EQ(counts.nonZeroBlocks, 2U);
}

TEST_F(ValueCountsTest, OfOneWorkerThereIsNoUnion)
{
    AddWorker({1, 0});
    const auto statistics = StatisticsOf(Counts().front());
    EXPECT_FALSE(statistics.unionDensity);
    EXPECT_FALSE(statistics.unionBlockDensity);
}

/* 1 of 3 values: six digits. */
TEST_F(ValueCountsTest, SharesHaveSixDigits)
{
    AddWorker({1, 0, 0});
    EXPECT_EQ(StatisticsOf(Counts().front()).density, 0.333333);
}

TEST_F(ValueCountsTest, NumbersThatAreNoneAreRefused)
{
    std::vector<float> values(300'000, 1);
    values[299'999] = std::numeric_limits<float>::quiet_NaN();
    AddWorker(values);
    EXPECT_THAT(Refusal(), HasSubstr(": a: its value 299999 is NaN"));
    m_paths.clear();
    values[5] = -std::numeric_limits<float>::infinity();
    AddWorker(values);
    EXPECT_THAT(Refusal(), HasSubstr(": a: its value 5 is infinite"));
}

TEST_F(ValueCountsTest, WorkersHaveTheSameTensors)
{
    AddWorker({{"a", {2}, {1, 2}}, {"b", {1}, {3}}});
    AddWorker({{"a", {2}, {1, 2}}});
    EXPECT_THAT(Refusal(), HasSubstr("has 1 tensors, and the first file"));
    AddWorker({{"a", {2}, {1, 2}}, {"c", {1}, {3}}});
    m_paths.erase(m_paths.begin() + 1);
    EXPECT_THAT(Refusal(), HasSubstr(": c: stands where the first file has 'b'"));
    AddWorker({{"a", {3}, {1, 2, 3}}, {"b", {1}, {3}}});
    m_paths.erase(m_paths.begin() + 1);
    EXPECT_THAT(Refusal(), HasSubstr(": a: has 3 elements, the first file's has 2"));
}

TEST_F(ValueCountsTest, EmptyFilesAreRefused)
{
    AddWorker(std::vector<FloatTensor>{});
    EXPECT_THAT(Refusal(), HasSubstr("has no tensors"));
    m_paths.clear();
    AddWorker(std::vector<float>{});
    EXPECT_THAT(Refusal(), HasSubstr(": a: has no values"));
}

/* Numbers, not texts, are in order: 10 is behind 9. */
TEST_F(StepFilesTest, PlaceholdersStandForAllNumbersThatAreThere)
{
    for (const auto* step : {"step-9", "step-10"})
    {
        for (const auto* worker : {"/w1.safetensors", "/w0.safetensors", "/w0.safetensors.old"})
        {
            Put(std::string(step) + worker);
        }
    }
    Put("step-/w0.safetensors");
    Put("step-x/w0.safetensors");
    EXPECT_THAT(Found({"step-{step}/w{worker}.safetensors"}),
                ElementsAre("9: step-9/w0.safetensors step-9/w1.safetensors",
                            "10: step-10/w0.safetensors step-10/w1.safetensors"));
    EXPECT_THAT(Found({"step-9/w{worker}.safetensors"}),
                ElementsAre("?: step-9/w0.safetensors step-9/w1.safetensors"));
}

TEST_F(StepFilesTest, PlaceholdersMayShareAName)
{
    Put("3-0.st");
    Put("3-1.st");
    EXPECT_THAT(Found({"{step}-{worker}.st"}), ElementsAre("3: 3-0.st 3-1.st"));
}

TEST_F(StepFilesTest, MetadataTellsWhatAPathDoesNot)
{
    Put("a", R"({"step":"2","worker":"1","workers":"2"})");
    Put("b", R"({"step":"2","worker":"0","workers":"2"})");
    Put("c", R"({"step":"1","worker":"0","workers":"1"})");
    EXPECT_THAT(Found({"a", "b", "c"}), ElementsAre("1: c", "2: b a"));
}

TEST_F(StepFilesTest, FilesThatTellNothingAreWorkersOfOneStep)
{
    Put("b");
    Put("a");
    EXPECT_THAT(Found({"b", "a"}), ElementsAre("?: b a"));
}

TEST_F(StepFilesTest, WhatDoesNotFitTogetherIsRefused)
{
    Put("w0", R"({"step":"1","worker":"0","workers":"3"})");
    Put("w1", R"({"step":"1","worker":"1","workers":"3"})");
    Put("w2", R"({"step":"1","worker":"2"})");
    Put("x", R"({"step":"one"})");
    Put("no-step");
    EXPECT_EQ(Refusal({"w0", "w1", "w2"}), "");
    EXPECT_THAT(Refusal({"w0", "w2"}),
                HasSubstr("step 1: is of worker 2, and worker 1 is missing"));
    EXPECT_THAT(Refusal({"w0", "w1"}), HasSubstr("says that there are 3 workers; 2 of them given"));
    EXPECT_THAT(Refusal({"w0", "w0"}), HasSubstr("is given twice for one step, as"));
    Put("other-w0", R"({"step":"1","worker":"0","workers":"3"})");
    EXPECT_THAT(Refusal({"w0", "other-w0"}), HasSubstr("is of the same step and worker, 0, as"));
    EXPECT_THAT(Refusal({"w{step}"}),
                HasSubstr("is of step 0 by its name, and of 1 by its metadata"));
    EXPECT_THAT(Refusal({"w{worker}", "no-step"}), HasSubstr("no-step: tells no step"));
    EXPECT_THAT(Refusal({"x"}), HasSubstr("its metadata has a 'step' that is no whole number"));
    EXPECT_THAT(Refusal({"y{worker}"}), HasSubstr("no file is there with a number for {worker}"));
    EXPECT_THAT(Refusal({"y{step}{wrker}"}), HasSubstr("is there with a number for {step}"));
    EXPECT_THAT(Refusal({"{worker}/{worker}"}), HasSubstr("{worker} stands there twice"));
    EXPECT_THAT(Refusal({"missing"}), HasSubstr("missing"));
}

} // namespace inca
