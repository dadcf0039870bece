/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/checked-window.h"

#include <gtest/gtest.h>

namespace inca
{

/* 2^20 values of all together: 64 x 16,384; of few workers no more than 2^16 each, of many no fewer than 2^12. */
TEST(CheckedWindow, HoldsAboutAMillionValuesOfAllWorkers)
{
    EXPECT_EQ(WindowElements(1), 65'536U);
    EXPECT_EQ(WindowElements(16), 65'536U);
    EXPECT_EQ(WindowElements(64), 16'384U);
    EXPECT_EQ(WindowElements(256), 4096U);
    EXPECT_EQ(WindowElements(65'536), 4096U);
}

} // namespace inca
