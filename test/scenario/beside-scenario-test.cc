/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/beside-scenario.h"

#include "scenario/scenario-reader.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace inca
{

namespace
{

/** A working directory of its own, with a folder in it for a scenario. */
class BesideScenario : public testing::Test
{
  protected:
    BesideScenario()
        : m_before(std::filesystem::current_path())
    {
        const auto folder = testing::TempDir() + "inca-beside-" +
                            testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::remove_all(folder);
        std::filesystem::create_directories(folder + "/study");
        std::filesystem::current_path(folder);
    }

    ~BesideScenario() override
    {
        std::filesystem::current_path(m_before);
    }

    static void Put(const std::string& path)
    {
        std::ofstream(path) << "x";
    }

    static LoadedScenario Load(const std::string& lines)
    {
        return ParseScenario("[training]\n" + lines, "study/ring.toml", {});
    }

  private:
    std::filesystem::path m_before;
};

} // namespace

TEST_F(BesideScenario, IsLookedAtIfTheWorkingDirectoryHasNone)
{
    Put("study/own.csv");
    EXPECT_EQ(PlaceOfFile("own.csv", "study/ring.toml"), FilePlace::BESIDE);
    EXPECT_EQ(Beside("own.csv", "study/ring.toml"), "study/own.csv");
    EXPECT_EQ(PlaceOfFile("other.csv", "study/ring.toml"), FilePlace::HERE);
    EXPECT_EQ(PlaceOfFile("own.csv", "ring.toml"), FilePlace::HERE);
    EXPECT_EQ(PlaceOfFile("own.csv", "<stdin>"), FilePlace::HERE);
    const auto absolute = std::filesystem::absolute("study/own.csv").string();
    EXPECT_EQ(PlaceOfFile(absolute, "study/ring.toml"), FilePlace::HERE);
}

TEST_F(BesideScenario, HoldsTracesAndValues)
{
    Put("study/own.csv");
    Put("study/g0.safetensors");
    const auto scenario = Load("trace = \"own.csv\"\nvalues = true\n"
                               "values_file = \"g{worker}.safetensors\"\n")
                              .scenario;
    EXPECT_EQ(scenario.training.trace, "study/own.csv");
    EXPECT_EQ(scenario.training.valuesFile, "study/g{worker}.safetensors");
}

/* A shipped trace's name is no path. */
TEST_F(BesideScenario, IsNotForNames)
{
    Put("study/hdc");
    EXPECT_EQ(Load("trace = \"hdc\"\n").scenario.training.trace, "hdc");
}

TEST_F(BesideScenario, ComesSecond)
{
    Put("study/own.csv");
    Put("own.csv");
    const auto loaded = Load("trace = \"own.csv\"\n");
    EXPECT_EQ(loaded.scenario.training.trace, "own.csv");
    EXPECT_THAT(loaded.warnings,
                testing::ElementsAre("study/ring.toml:2:1: training.trace: is in the working "
                                     "directory and beside the scenario, too; the former is "
                                     "taken"));
    std::filesystem::remove("own.csv");
    std::filesystem::create_hard_link("study/own.csv", "own.csv");
    EXPECT_TRUE(Load("trace = \"own.csv\"\n").warnings.empty()); // one file
}

} // namespace inca
