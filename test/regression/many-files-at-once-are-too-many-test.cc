/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/whole-file.h"
#include "support/own-path.h"

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <filesystem>
#include <string>
#include <vector>

namespace inca
{

/* 100 files appear together, so all are open; the soft limit is 50, and the hard one, as everywhere, more than 150. */
TEST(ManyFilesAtOnce, AreWrittenWithinTheHardLimit)
{
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    ASSERT_GT(before.rlim_max, 150U);
    const rlimit few{50, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    std::vector<FileText> files;
    for (int i = 0; i < 100; ++i)
    {
        files.push_back({OwnPath() + std::to_string(i), std::to_string(i)});
    }
    EXPECT_NO_THROW(WriteWholeFiles(files));
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    for (const auto& file : files)
    {
        EXPECT_TRUE(std::filesystem::remove(file.path)) << file.path;
    }
}

} // namespace inca
