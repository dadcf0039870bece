/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "trace/complaint-list.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

std::vector<std::string>
Thrown(const ComplaintList& complaints)
{
    try
    {
        complaints.ThrowIfAny();
    }
    catch (const InputError& error)
    {
        return error.Complaints();
    }
    return {};
}

} // namespace

TEST(ComplaintList, NamesFileLineAndKeyWhereKnown)
{
    ComplaintList complaints("f.csv");
    EXPECT_TRUE(complaints.IsEmpty());
    EXPECT_NO_THROW(complaints.ThrowIfAny());
    complaints.Add(3, "batch", "bad");
    complaints.Add(4, "", "worse");
    complaints.Add(0, "", "worst");
    EXPECT_THAT(Thrown(complaints),
                testing::ElementsAre("f.csv:3: batch: bad", "f.csv:4: worse", "f.csv: worst"));
}

TEST(ComplaintList, CountsWhatItLeavesOut)
{
    ComplaintList complaints("f.csv");
    for (unsigned line = 1; line <= 20; ++line)
    {
        complaints.Add(line, "", "bad");
    }
    EXPECT_EQ(Thrown(complaints).size(), 20U);
    complaints.Add(21, "", "bad");
    ASSERT_EQ(Thrown(complaints).size(), 21U);
    EXPECT_EQ(Thrown(complaints).back(), "f.csv: and 1 more");
}

} // namespace inca
