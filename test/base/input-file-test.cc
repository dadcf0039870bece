/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/input-file.h"

#include "base/errors.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <unistd.h>

namespace inca
{

namespace
{

std::string
Refusal(const std::string& path)
{
    try
    {
        ReadInputFile(path, 8, "is too long");
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(InputFile, ReadsAFileUpToItsLimit)
{
    const auto path = testing::TempDir() + "inca-input-file";
    std::ofstream(path) << "12345678";
    EXPECT_EQ(ReadInputFile(path, 8, ""), "12345678");
    std::ofstream(path, std::ios::app) << "9";
    EXPECT_EQ(Refusal(path), path + ": is too long");
    std::remove(path.c_str());
    EXPECT_EQ(Refusal("/dev/zero"), "/dev/zero: is too long");
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
    EXPECT_EQ(Refusal("/no/file"), "/no/file: cannot be read: No such file or directory");
    EXPECT_EQ(Refusal("/dev"), "/dev: cannot be read: Is a directory");
    EXPECT_EQ(Refusal(std::string("/dev/null\0x", 11)),
              "/dev/null?x: no file's name has a NUL byte");
}

} // namespace inca
