/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/whole-file.h"

#include "base/errors.h"
#include "support/full-disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

namespace inca
{

namespace
{

class WholeFileTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::path(testing::TempDir()) / "inca-whole-file" / test->name();
        std::filesystem::remove_all(m_folder);
        std::filesystem::create_directories(m_folder);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::string Path(const std::string& name) const
    {
        return (m_folder / name).string();
    }

    void Put(const std::string& name, const std::string& text) const
    {
        std::ofstream(Path(name)) << text;
    }

    std::string Text(const std::string& name) const
    {
        std::ifstream file(Path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    /** @return how many files the folder has, those under other names too */
    std::ptrdiff_t Files() const
    {
        const std::filesystem::directory_iterator files(m_folder);
        return std::distance(begin(files), end(files));
    }

    std::filesystem::path m_folder;
};

/** @return what WholeFile refuses @p path with */
std::string
Refusal(const std::string& path)
{
    try
    {
        const WholeFile file(path);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST_F(WholeFileTest, HasItsNameOnlyWhenItIsWhole)
{
    WholeFile file(Path("x"));
    file.Write("text, ");
    file.Write("and more", 8);
    EXPECT_EQ(Files(), 0); // nor another: what is killed here leaves nothing
    file.Finish();
    EXPECT_EQ(Text("x"), "text, and more");
    EXPECT_EQ(Files(), 1);
}

/* What others have put into a folder that many may write to is neither followed nor replaced. */
TEST_F(WholeFileTest, WritesNoFileButItsOwn)
{
    Put("victim", "old");
    const auto guess = Path("x") + ".part-" + std::to_string(::getpid());
    std::filesystem::create_symlink(Path("victim"), guess);
    WriteWholeFile(Path("x"), "new");
    EXPECT_EQ(Text("victim"), "old");
    EXPECT_EQ(Text("x"), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(guess));
    EXPECT_EQ(Files(), 3);
}

TEST_F(WholeFileTest, LeavesNothingWithoutFinish)
{
    Put("x", "old");
    {
        WholeFile file(Path("x"));
        file.Write("new");
        file.Flush();
    }
    EXPECT_EQ(Text("x"), "old");
    EXPECT_EQ(Files(), 1);
}

TEST_F(WholeFileTest, IsWrittenThroughMemory)
{
    WholeFile file(Path("x"));
    std::memcpy(file.Map(4), "1234", 4);
    file.Finish();
    EXPECT_EQ(Text("x"), "1234");
    WholeFile empty(Path("empty"));
    EXPECT_EQ(empty.Map(0), nullptr);
    empty.Finish();
    EXPECT_EQ(Text("empty"), "");
    EXPECT_TRUE(std::filesystem::exists(Path("empty")));
}

TEST_F(WholeFileTest, NamesAPlaceWhereNoFileCanBe)
{
    EXPECT_EQ(Refusal(Path("no/folder")),
              Path("no/folder") + ": cannot be written: No such file or directory");
    for (const auto& path : {m_folder.string(), std::string("/dev/null")})
    {
        EXPECT_EQ(Refusal(path), path + ": is there already and no regular file");
    }
}

TEST_F(WholeFileTest, NamesTheFileThatTheDiskDoesNotTake)
{
    WholeFile file(Path("x"));
    const FullDisk disk(4);
    try
    {
        file.Write("too long");
        FAIL();
    }
    catch (const RunError& error)
    {
        EXPECT_THAT(error.what(), testing::StartsWith(Path("x") + ": cannot be written: "));
    }
    EXPECT_THROW(file.Map(8), RunError);
}

TEST_F(WholeFileTest, AWholeFileReplacesTheOldOneOrLeavesIt)
{
    Put("x", "old");
    WriteWholeFile(Path("x"), "new text\n");
    EXPECT_EQ(Text("x"), "new text\n");
    {
        const FullDisk disk(4);
        EXPECT_THROW(WriteWholeFile(Path("x"), "newer text\n"), RunError);
    }
    EXPECT_EQ(Text("x"), "new text\n");
    EXPECT_EQ(Files(), 1);
}

TEST_F(WholeFileTest, SeveralFilesAreReplacedTogetherOrNotAtAll)
{
    Put("x", "old");
    {
        const FullDisk disk(4);
        EXPECT_THROW(WriteWholeFiles({{Path("x"), "new"}, {Path("y"), "too long"}}), RunError);
    }
    EXPECT_EQ(Text("x"), "old");
    EXPECT_EQ(Files(), 1);
    WriteWholeFiles({{Path("x"), "new"}, {Path("y"), "too long"}});
    EXPECT_EQ(Text("x"), "new");
    EXPECT_EQ(Text("y"), "too long");
}

} // namespace inca
