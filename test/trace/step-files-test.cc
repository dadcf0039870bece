/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/step-files.h"

#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

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
    EXPECT_THAT(Refusal({"no-step", "./no-step"}), HasSubstr("is given twice for one step, as"));
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
