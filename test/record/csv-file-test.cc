/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"
#include "support/full-disk.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>

namespace inca
{

namespace
{

class CsvFileTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_path = testing::TempDir() + "inca-" + test->name() + ".csv";
        std::remove(m_path.c_str());
    }

    void TearDown() override
    {
        std::remove(m_path.c_str());
    }

    void Put(const std::string& text) const
    {
        std::ofstream(m_path) << text;
    }

    std::string Text() const
    {
        std::ifstream file(m_path);
        std::ostringstream text;
        text << file.rdbuf();
        return text.str();
    }

    void Append(const std::string& row) const
    {
        CsvOutput(m_path, "a,b\n").Append(row);
    }

    std::string m_path;
};

} // namespace

TEST_F(CsvFileTest, BeginsWithTheHeaderAndGoesOnWithout)
{
    Append("1,2\n");
    Append("3,4\n");
    EXPECT_EQ(Text(), "a,b\n1,2\n3,4\n");
    Put("");
    Append("5,6\n");
    EXPECT_EQ(Text(), "a,b\n5,6\n");
}

/* What does not begin with our header may be another program's file; a row behind half a line would be lost. */
TEST_F(CsvFileTest, LeavesOtherFilesAndBrokenLinesAsTheyAre)
{
    for (const std::string other :
         {"notes", "a,c\n1,2\n", "a,b,c\n", "x,b\n1,", "a,b,c", "a,", "a,b", "a,b\n1,2\n3,"})
    {
        Put(other);
        EXPECT_THROW(CsvOutput(m_path, "a,b\n"), InputError);
        EXPECT_EQ(Text(), other);
    }
}

/* Of two that have made it the first one has no rows; without any, nothing is left. */
TEST_F(CsvFileTest, LeavesNoFileWithoutRows)
{
    {
        const CsvOutput one(m_path, "a,b\n");
        Append("1,2\n");
    }
    EXPECT_EQ(Text(), "a,b\n1,2\n");
    std::remove(m_path.c_str());
    {
        const CsvOutput one(m_path, "a,b\n");
        EXPECT_TRUE(std::ifstream(m_path).is_open());
    }
    EXPECT_FALSE(std::ifstream(m_path).is_open());
}

TEST_F(CsvFileTest, LeavesNoHalfLineOnAFullDisk)
{
    Append("1,2\n"); // 8 bytes
    for (const std::string before : {"a,b\n1,2\n", ""})
    {
        Put(before);
        const FullDisk disk(before.size() + 2); // room for half of the next line
        EXPECT_THROW(Append("3,4\n"), RunError);
        EXPECT_EQ(Text(), before);
    }
}

TEST_F(CsvFileTest, NamesTheFileThatCannotBeWritten)
{
    EXPECT_THAT(WhyNot<RunError>([] { CsvOutput("/dev/full", "a\n").Append("1\n"); }),
                testing::StartsWith("/dev/full: cannot be written: "));
    for (const auto& path : {std::string("/no/such/folder/x.csv"), testing::TempDir()})
    {
        EXPECT_THROW(CsvOutput(path, "a\n"), InputError);
    }
}

} // namespace inca
