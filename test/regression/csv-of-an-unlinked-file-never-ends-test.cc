/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/csv-file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

namespace inca
{

/* A file that has no name any more, such as a shell's stdout that somebody has removed, can still be written through
 * /proc; it was opened again and again, as one that another process had removed. */
TEST(CsvOfAnUnlinkedFile, IsWrittenLikeAnyOther)
{
    const auto path = testing::TempDir() + "inca-unlinked-" + std::to_string(getpid()) + ".csv";
    const int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ASSERT_GE(descriptor, 0);
    unlink(path.c_str());
    AppendCsv("/proc/self/fd/" + std::to_string(descriptor), "a,b\n", "1,2\n");
    AppendCsv("/proc/self/fd/" + std::to_string(descriptor), "a,b\n", "3,4\n");
    std::array<char, 64> text{};
    const auto got = pread(descriptor, text.data(), text.size(), 0);
    close(descriptor);
    ASSERT_EQ(got, 12);
    EXPECT_EQ(std::string(text.data(), 12), "a,b\n1,2\n3,4\n");
}

} // namespace inca
