/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/atomic-file.h"

#include "base/errors.h"
#include "support/full-disk.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace inca
{

namespace
{

class AtomicFileTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::path(testing::TempDir()) / "inca-atomic-file" / test->name();
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

/** @return what AtomicFile refuses @p path with */
std::string
Refusal(const std::string& path)
{
    return WhyNot([&path] { const AtomicFile file(path); });
}

} // namespace

TEST_F(AtomicFileTest, HasItsNameOnlyWhenItIsComplete)
{
    AtomicFile file(Path("x"));
    file.Write("text, ");
    file.Write("and more", 8);
    EXPECT_FALSE(std::filesystem::exists(Path("x")));
    file.Finish();
    EXPECT_EQ(Text("x"), "text, and more");
    EXPECT_EQ(Files(), 1);
}

/* What others have put into a folder that many may write to is neither followed nor replaced. */
TEST_F(AtomicFileTest, WritesNoFileButItsOwn)
{
    Put("victim", "old");
    const auto guess = Path("x") + ".part-" + std::to_string(::getpid());
    std::filesystem::create_symlink(Path("victim"), guess);
    WriteAtomically({{Path("x"), "new"}});
    EXPECT_EQ(Text("victim"), "old");
    EXPECT_EQ(Text("x"), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(guess));
    EXPECT_EQ(Files(), 3);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutFinish)
{
    Put("x", "old");
    {
        AtomicFile file(Path("x"));
        file.Write("new");
        file.Close();
    }
    EXPECT_EQ(Text("x"), "old");
    EXPECT_EQ(Files(), 1);
}

TEST_F(AtomicFileTest, IsWrittenThroughMemory)
{
    AtomicFile file(Path("x"));
    std::memcpy(file.Map(4), "1234", 4);
    file.Finish();
    EXPECT_EQ(Text("x"), "1234");
    AtomicFile empty(Path("empty"));
    EXPECT_EQ(empty.Map(0), nullptr);
    empty.Finish();
    EXPECT_EQ(Text("empty"), "");
    EXPECT_TRUE(std::filesystem::exists(Path("empty")));
}

TEST_F(AtomicFileTest, NamesAPlaceWhereNoFileCanBe)
{
    EXPECT_EQ(Refusal(Path("no/folder")),
              Path("no/folder") + ": cannot be written: No such file or directory");
    // /dev/stdout is a link to a regular file where output goes to one, as a test's does
    Put("output", "");
    const int file = ::open(Path("output").c_str(), O_RDWR);
    const auto link = "/proc/self/fd/" + std::to_string(file);
    for (const auto& path : {m_folder.string(), std::string("/dev/null"), link})
    {
        EXPECT_EQ(Refusal(path), path + ": is there already and no regular file");
    }
    ::close(file);
}

TEST_F(AtomicFileTest, NamesTheFileThatTheDiskDoesNotTake)
{
    AtomicFile file(Path("x"));
    const FullDisk disk(4);
    EXPECT_THAT(WhyNot<RunError>([&file] { file.Write("too long"); }),
                testing::StartsWith(Path("x") + ": cannot be written: "));
    EXPECT_THROW(file.Map(8), RunError);
}

TEST_F(AtomicFileTest, SeveralFilesAreReplacedTogetherOrNotAtAll)
{
    Put("x", "old");
    {
        const FullDisk disk(4);
        EXPECT_THROW(WriteAtomically({{Path("x"), "new"}, {Path("y"), "too long"}}), RunError);
    }
    EXPECT_EQ(Text("x"), "old");
    EXPECT_EQ(Files(), 1);
    WriteAtomically({{Path("x"), "new"}, {Path("y"), "too long"}});
    EXPECT_EQ(Text("x"), "new");
    EXPECT_EQ(Text("y"), "too long");
}

/* 100 files are published together, and no more than 50 may be open. */
TEST_F(AtomicFileTest, ManyFilesNeedFewDescriptors)
{
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    const rlimit few{50, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    std::vector<FileText> files;
    for (int i = 0; i < 100; ++i)
    {
        files.push_back({Path(std::to_string(i)), std::to_string(i)});
    }
    EXPECT_NO_THROW(WriteAtomically(files));
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(Files(), 100);
}

} // namespace inca
