/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/trace-header.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

const std::vector<std::string> g_required{
    "layer", "elements", "forward_ns", "backward_ns", "update_ns"};

std::vector<std::string>
With(std::vector<std::string> more)
{
    more.insert(more.begin(), g_required.begin(), g_required.end());
    return more;
}

} // namespace

TEST(TraceHeader, ColumnsKeepTheirOrder)
{
    ComplaintList complaints("t");
    const auto columns = ReadTraceHeader(
        {"update_ns", "layer", "elements", "backward_ns", "forward_ns"}, 2, complaints);
    EXPECT_TRUE(complaints.IsEmpty());
    ASSERT_EQ(columns.size(), 5U);
    EXPECT_EQ(columns[0]->name, "update_ns");
    EXPECT_EQ(columns[4]->name, "forward_ns");
}

/* What is wrong is named once, and its column is not read. */
TEST(TraceHeader, UnknownColumnsAndIncompleteBoundsAreNotRead)
{
    ComplaintList complaints("t");
    const auto columns =
        ReadTraceHeader(With({"density", "densitty", "b8_w2", "b8_w10"}), 2, complaints);
    EXPECT_TRUE(columns[5]);
    EXPECT_FALSE(columns[6]);
    EXPECT_FALSE(columns[7]);
    EXPECT_FALSE(columns[8]);
    try
    {
        complaints.ThrowIfAny();
        FAIL();
    }
    catch (const InputError& error)
    {
        EXPECT_THAT(error.Complaints(),
                    testing::ElementsAre(
                        "t:2: column unknown 'densitty'; did you mean 'density'?",
                        "t:2: b8_w18: this column is missing; a bound has all four or none"));
    }
}

} // namespace inca
