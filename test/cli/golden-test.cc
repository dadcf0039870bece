/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "record/result-row.h"
#include "scenario/scenario-reader.h"
#include "trace/csv-fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
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

} // namespace

/* A key that is new since then has a column of its own. */
TEST(Golden, RowsAreTheSameTextAsEver)
{
    for (const auto* name : {"ring-4w-truncate",
                             "wa-3w-jitter",
                             "slots-3w-values",
                             "tree-6w-leaf-spine",
                             "sketch-3w-ring",
                             "two-shot-8w-flow"})
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

} // namespace inca
