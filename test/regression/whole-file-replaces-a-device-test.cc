/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/whole-file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <sys/stat.h>

namespace inca
{

/* As root, /dev/full became a regular file. A pipe stands for the device here. */
TEST(WholeFileReplacesADevice, RefusesWhatIsNoRegularFile)
{
    const auto path = testing::TempDir() + "whole-file-replaces-a-device";
    std::remove(path.c_str());
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_THROW(WriteWholeFile(path, "text"), InputError);
    struct stat status = {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_TRUE(S_ISFIFO(status.st_mode));
    std::remove(path.c_str());
}

} // namespace inca
