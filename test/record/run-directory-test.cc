/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/run-directory.h"

#include "base/errors.h"
#include "record/details.h"
#include "record/example-record.h"
#include "record/result-row.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace inca
{

namespace
{

std::string
TextOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace

TEST(RunDirectory, HoldsTheFourFiles)
{
    const std::filesystem::path folder = testing::TempDir() + "inca-run-directory/a/b";
    std::filesystem::remove_all(folder);
    const auto record = ExampleRecord();
    WriteRunDirectory(folder, record);
    WriteRunDirectory(folder, record); // replaces its own files
    EXPECT_EQ(TextOf(folder / "result.csv"), CsvHeader(record) + CsvRow(record));
    EXPECT_EQ(TextOf(folder / "layers.csv"), LayersCsv(record));
    EXPECT_EQ(TextOf(folder / "links.csv"), LinksCsv(record));
    EXPECT_EQ(TextOf(folder / "run.json"), RunJson(record));
    const std::filesystem::directory_iterator files(folder);
    EXPECT_EQ(std::distance(begin(files), end(files)), 4); // and nothing half-written beside them
    std::filesystem::remove_all(testing::TempDir() + "inca-run-directory");
}

/* A run without them in the same directory takes the files away: they would be of another run. */
TEST(RunDirectory, HoldsSomeFilesOnlyWhereTheyAreOfSomething)
{
    const std::filesystem::path folder = testing::TempDir() + "inca-run-directory-of-switches";
    std::filesystem::remove_all(folder);
    auto record = ExampleRecordOfSwitches();
    record.errors = ExampleRecordOfErrors().errors;
    record.path = {{"link", "worker 0 -> switch", 1'500'000'000'000, 7}};
    WriteRunDirectory(folder, record);
    EXPECT_EQ(TextOf(folder / "switches.csv"), SwitchesCsv(record));
    EXPECT_EQ(TextOf(folder / "errors.csv"), ErrorsCsv(record));
    EXPECT_EQ(TextOf(folder / "path.csv"),
              "kind,place,time_s,pieces\nlink,worker 0 -> switch,1.5,7\n");
    WriteRunDirectory(folder, ExampleRecord());
    EXPECT_FALSE(std::filesystem::exists(folder / "switches.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder / "errors.csv"));
    EXPECT_FALSE(std::filesystem::exists(folder / "path.csv"));
    EXPECT_TRUE(std::filesystem::exists(folder / "run.json"));
    std::filesystem::remove_all(folder);
}

TEST(RunDirectory, JsonKeepsNumbersAndTexts)
{
    const auto json = nlohmann::json::parse(RunJson(ExampleRecord()));
    EXPECT_EQ(json["scenario"]["training"]["trace"], "alexnet");
    EXPECT_EQ(json["scenario"]["training"]["iterations"], 2);
    EXPECT_EQ(json["scenario"]["training"]["overlap"], true);
    EXPECT_EQ(json["scenario"]["host"]["duplex"], 0.1);
    EXPECT_EQ(json["scenario"]["attributes"]["inca::Nic::A"], "5");
    EXPECT_EQ(json["inputs"][0]["crc32"], "1234abcd");
    EXPECT_EQ(json["seed"], 7);
    EXPECT_EQ(json["breakdown"]["total_ps"], 3'000'000'000'000); // 0.5 + 1 + 0.25 + 0.25 + 1 s
    EXPECT_EQ(json["steps"].size(), 2U);
    EXPECT_EQ(json["results"]["iteration_time_s"], 1.5);
    EXPECT_EQ(json["results"]["limited_by"], "link");
    EXPECT_TRUE(json["results"]["slots_peak"].is_null());
}

TEST(RunDirectory, JsonSurvivesTextsThatAreNoUtf8)
{
    auto record = ExampleRecord();
    record.origin.inputs[0].path = "\xff.csv";
    EXPECT_TRUE(nlohmann::json::accept(RunJson(record)));
}

TEST(RunDirectory, RefusesWhereItCannotBeMade)
{
    const auto file = testing::TempDir() + "inca-a-file";
    std::ofstream(file) << "x";
    EXPECT_THROW(MakeRunDirectory(file), InputError);
    EXPECT_THROW(WriteRunDirectory(file, ExampleRecord()), InputError);
    EXPECT_THROW(WriteRunDirectory(file + "/below", ExampleRecord()), InputError);
    std::filesystem::remove(file);
}

} // namespace inca
