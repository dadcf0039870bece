/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What once went wrong in base/.
#include "base/atomic-file.h"
#include "base/errors.h"
#include "base/nearest.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <string>
#include <vector>

namespace inca
{

// -- key named like no other
/*
 * "exchange.kind" was said to mean "exchange.sum": four of its thirteen letters differ, but these are all that tell what was
 * meant. Two of "kind" may, and in "kinds" one does; of a table that is misspelled, too, all letters count.
 */
TEST(KeyNamedLikeNoOther, IsNotTakenForAnotherOfItsTable)
{
    const std::vector<std::string> keys{"exchange.sum", "exchange.order", "exchange.kinds"};
    EXPECT_EQ(Nearest("exchange.kind", {"exchange.sum", "exchange.order"}), "");
    EXPECT_EQ(Nearest("exchange.kind", keys), "exchange.kinds");
    EXPECT_EQ(Nearest("exchang.oder", keys), "exchange.order");
}

// -- whole file replaces a device
/* As root, /dev/full became a regular file. A pipe stands for the device here. */
TEST(WholeFileReplacesADevice, RefusesWhatIsNoRegularFile)
{
    const auto path = testing::TempDir() + "whole-file-replaces-a-device";
    std::remove(path.c_str());
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    EXPECT_THROW(WriteAtomically({{path, "text"}}), InputError);
    struct stat status = {};
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_TRUE(S_ISFIFO(status.st_mode));
    std::remove(path.c_str());
}

} // namespace inca
