/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/input-file.h"

#include "base/errors.h"
#include "support/own-path.h"
#include "support/why-not.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace inca
{

namespace
{

class MappedFileTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        std::remove(m_path.c_str());
    }

    void Put(const std::string& text) const
    {
        std::ofstream(m_path) << text;
    }

    const std::string m_path{OwnPath()};
};

std::string
ReadRefusal(const std::string& path)
{
    return WhyNot([&] { ReadInputFile(path, 8, "is too long"); });
}

std::string
MappingRefusal(const std::string& path)
{
    return WhyNot([&] { const MappedFile file(path); });
}

} // namespace

TEST(InputFile, ReadsAFileUpToItsLimit)
{
    const auto path = testing::TempDir() + "inca-input-file";
    std::ofstream(path) << "12345678";
    EXPECT_EQ(ReadInputFile(path, 8, ""), "12345678");
    std::ofstream(path, std::ios::app) << "9";
    EXPECT_EQ(ReadRefusal(path), path + ": is too long");
    std::remove(path.c_str());
    EXPECT_EQ(ReadRefusal("/dev/zero"), "/dev/zero: is too long");
}

TEST(InputFile, ReadsAPipeToItsEnd)
{
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    ASSERT_EQ(::write(pipe[1], "text", 4), 4);
    ::close(pipe[1]);
    EXPECT_EQ(ReadInputFile("/dev/fd/" + std::to_string(pipe[0]), 8, ""), "text");
    ::close(pipe[0]);
}

TEST(InputFile, SaysWhyItCannotBeRead)
{
    EXPECT_EQ(ReadRefusal("/no/file"), "/no/file: cannot be read: No such file or directory");
    EXPECT_EQ(ReadRefusal("/dev"), "/dev: cannot be read: Is a directory");
    EXPECT_EQ(ReadRefusal(std::string("/dev/null\0x", 11)),
              "/dev/null?x: no file's name has a NUL byte");
}

TEST_F(MappedFileTest, HoldsAFilesBytes)
{
    Put("text");
    const MappedFile file(m_path);
    EXPECT_EQ(std::string(file.Data(), file.Data() + file.Bytes()), "text");
    std::string middle(2, ' ');
    file.Read(1, 2, middle.data());
    EXPECT_EQ(middle, "ex");
    Put("");
    const MappedFile empty(m_path);
    EXPECT_EQ(empty.Bytes(), 0U);
    EXPECT_EQ(empty.Data(), nullptr);
}

TEST_F(MappedFileTest, NamesWhatIsNoFile)
{
    EXPECT_EQ(MappingRefusal(m_path), m_path + ": cannot be read: No such file or directory");
    EXPECT_EQ(MappingRefusal("/dev/zero"), "/dev/zero: is no regular file");
    EXPECT_EQ(MappingRefusal(testing::TempDir()), testing::TempDir() + ": is no regular file");
}

/* 9 of 8192 bytes are left: looking at one of the second page would end the program. */
TEST_F(MappedFileTest, NoticesThatItsFileShrinks)
{
    Put(std::string(8192, 'x'));
    const MappedFile file(m_path);
    std::filesystem::resize_file(m_path, 9);
    std::string text(9, ' ');
    file.Read(0, 9, text.data());
    EXPECT_EQ(text, std::string(9, 'x'));
    EXPECT_THROW(file.Read(4096, 1, text.data()), InputError);
}

} // namespace inca
