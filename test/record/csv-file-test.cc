/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include "base/errors.h"
#include "support/full-disk.h"

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

    std::string m_path;
};

} // namespace

TEST_F(CsvFileTest, BeginsWithTheHeaderAndGoesOnWithout)
{
    AppendCsv(m_path, "a,b\n", "1,2\n");
    AppendCsv(m_path, "a,b\n", "3,4\n");
    EXPECT_EQ(Text(), "a,b\n1,2\n3,4\n");
}

TEST_F(CsvFileTest, TakesAnEmptyFile)
{
    Put("");
    AppendCsv(m_path, "a\n", "1\n");
    EXPECT_EQ(Text(), "a\n1\n");
}

TEST_F(CsvFileTest, RefusesOtherColumns)
{
    Put("a,c\n1,2\n");
    EXPECT_THROW(AppendCsv(m_path, "a,b\n", "1,2\n"), InputError);
    Put("a,b,c\n");
    EXPECT_THROW(AppendCsv(m_path, "a,b\n", "1,2\n"), InputError);
    EXPECT_EQ(Text(), "a,b,c\n");
}

/* What does not begin with our header may be another program's file; a row behind half a line would be lost. */
TEST_F(CsvFileTest, LeavesOtherFilesAndBrokenLinesAsTheyAre)
{
    for (const std::string other : {"notes", "x,b\n1,", "a,b,c", "a,", "a,b", "a,b\n1,2\n3,"})
    {
        Put(other);
        EXPECT_THROW(AppendCsv(m_path, "a,b\n", "1,2\n"), InputError);
        EXPECT_EQ(Text(), other);
    }
}

TEST_F(CsvFileTest, OutputIsAFileThatMayBeMovedAway)
{
    CsvOutput output(m_path, "a\n");
    EXPECT_FALSE(std::ifstream(m_path).is_open());
    output.Append("1\n");
    std::remove(m_path.c_str());
    output.Append("2\n");
    output.Append("3\n");
    EXPECT_EQ(Text(), "a\n2\n3\n");
}

TEST_F(CsvFileTest, LeavesNoHalfLineOnAFullDisk)
{
    AppendCsv(m_path, "a,b\n", "1,2\n"); // 8 bytes
    {
        const FullDisk disk(10); // room for half of the next line
        EXPECT_THROW(AppendCsv(m_path, "a,b\n", "3,4\n"), RunError);
    }
    EXPECT_EQ(Text(), "a,b\n1,2\n");
}

/* A file that only a failed write has made would be refused or empty ever after. */
TEST_F(CsvFileTest, LeavesNoNewFileOnAFullDisk)
{
    {
        const FullDisk disk(4);
        EXPECT_THROW(AppendCsv(m_path, "a,b\n", "1,2\n"), RunError);
    }
    EXPECT_FALSE(std::ifstream(m_path).is_open());
    Put(""); // one that was there stays
    {
        const FullDisk disk(4);
        EXPECT_THROW(AppendCsv(m_path, "a,b\n", "1,2\n"), RunError);
    }
    EXPECT_TRUE(std::ifstream(m_path).is_open());
    EXPECT_EQ(Text(), "");
}

TEST_F(CsvFileTest, IsCheckedWithoutATrace)
{
    CheckCsv(m_path, "a,b\n");
    EXPECT_FALSE(std::ifstream(m_path).is_open());
    Put("a,b\n1,2\n");
    CheckCsv(m_path, "a,b\n");
    EXPECT_EQ(Text(), "a,b\n1,2\n");
    EXPECT_THROW(CheckCsv(m_path, "a,c\n"), InputError);
    EXPECT_THROW(CheckCsv("/no/such/folder/x.csv", "a\n"), InputError);
    EXPECT_THROW(CheckCsv(testing::TempDir(), "a\n"), InputError);
}

TEST_F(CsvFileTest, NamesTheFileThatCannotBeWritten)
{
    try
    {
        AppendCsv("/dev/full", "a\n", "1\n");
        FAIL() << "a full disk was written";
    }
    catch (const RunError& error)
    {
        EXPECT_THAT(error.what(), testing::StartsWith("/dev/full: cannot be written: "));
    }
    EXPECT_THROW(AppendCsv("/no/such/folder/x.csv", "a\n", "1\n"), InputError);
    EXPECT_THROW(AppendCsv(testing::TempDir(), "a\n", "1\n"), InputError);
}

} // namespace inca
