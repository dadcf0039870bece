/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/job-id.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(JobId, IsJobZeroUnlessSaid)
{
    EXPECT_EQ(JobId(), JobId(0));
    EXPECT_NE(JobId(), JobId(1));
    EXPECT_LT(JobId(1), JobId(2));
    EXPECT_EQ(JobId(7).Number(), 7U);
}

TEST(JobId, SaysItsName)
{
    EXPECT_EQ(JobId(2).Text(), "job 2");
}

} // namespace inca
