/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "record/result-row.h"
#include "scenario/scenario-reader.h"
#include "trace/csv-fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

namespace inca
{

namespace
{

std::string
Golden(const std::string& name)
{
    return std::string(INCA_SOURCE_DIR) + "/test/golden/" + name;
}

std::string
Read(const std::string& path)
{
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string
RowsOf(const std::string& name)
{
    const auto loaded = ReadScenario(Golden(name + ".toml"), {});
    const auto record = RunExperiment(loaded.scenario, {});
    return CsvHeader(record) + CsvRow(record);
}

/** The texts of a result row by their columns. */
std::map<std::string, std::string>
ColumnsOf(const std::string& rows)
{
    std::istringstream lines(rows);
    std::string header;
    std::string row;
    std::getline(std::getline(lines, header), row);
    const auto names = SplitCsv(header).value();
    const auto texts = SplitCsv(row).value();
    EXPECT_EQ(names.size(), texts.size());
    std::map<std::string, std::string> columns;
    for (std::size_t i = 0; i < std::min(names.size(), texts.size()); ++i)
    {
        columns[names[i]] = texts[i];
    }
    return columns;
}

/** The line that the program prints of it. */
std::string
JsonOf(const std::string& name)
{
    const auto loaded = ReadScenario(Golden(name + ".toml"), {});
    return JsonLineOf(RowOf(RunExperiment(loaded.scenario, {})));
}

using Pipe = std::unique_ptr<FILE, int (*)(FILE*)>;

/** Starts the program on a scenario: its row comes out of the pipe. */
Pipe
StartFresh(const std::string& name)
{
    const auto command =
        std::string(INCA_PROGRAM) + " run " + Golden(name + ".toml") + " --json 2>/dev/null";
    return {popen(command.c_str(), "r"), pclose};
}

std::string
ReadAll(const Pipe& pipe)
{
    std::string text;
    std::array<char, 4096> part{};
    while (const auto count = std::fread(part.data(), 1, part.size(), pipe.get()))
    {
        text.append(part.data(), count);
    }
    return text;
}

} // namespace

/* A key that is new since then has a column of its own. */
TEST(Golden, RowsAreTheSameTextAsEver)
{
    for (const auto* name : {"ring-4w-truncate",
                             "wa-3w-jitter",
                             "slots-3w-values",
                             "tree-6w-leaf-spine",
                             "sketch-3w-ring"})
    {
        auto columns = ColumnsOf(RowsOf(name));
        const auto golden = ColumnsOf(Read(Golden(std::string(name) + ".csv")));
        EXPECT_GT(golden.size(), 100U) << name;
        for (const auto& [column, text] : golden)
        {
            ASSERT_EQ(columns.count(column), 1U) << name << ": no column " << column;
            EXPECT_EQ(columns[column], text) << name << ": " << column;
        }
    }
}

TEST(Golden, ARunIsNotChangedByAnEarlierRun)
{
    const auto alone = ReadAll(StartFresh("wa-3w-jitter"));
    JsonOf("ring-4w-truncate");
    const auto after = JsonOf("wa-3w-jitter");
    EXPECT_EQ(after, alone);
    EXPECT_EQ(JsonOf("wa-3w-jitter"), after);
}

TEST(Golden, TwoProcessesAtOnceGiveTheSameRows)
{
    const auto first = StartFresh("ring-4w-truncate");
    const auto second = StartFresh("ring-4w-truncate");
    const auto row = ReadAll(first);
    EXPECT_EQ(row, JsonOf("ring-4w-truncate"));
    EXPECT_EQ(ReadAll(second), row);
}

} // namespace inca
