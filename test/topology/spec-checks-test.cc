/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/spec-checks.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

SpecComplaints
ComplaintsOfHosts(std::uint32_t hosts)
{
    TopologySpec spec;
    spec.hosts = hosts;
    SpecComplaints complaints;
    CheckHosts(spec, complaints);
    return complaints;
}

} // namespace

TEST(SpecChecks, BoundsHosts)
{
    EXPECT_TRUE(ComplaintsOfHosts(2).empty());
    EXPECT_TRUE(ComplaintsOfHosts(131'072).empty());
    EXPECT_EQ(ComplaintsOfHosts(0).size(), 1U);
    EXPECT_EQ(ComplaintsOfHosts(131'073),
              SpecComplaints{"cluster.workers: a network needs 2..131072 hosts (workers, "
                             "aggregators and servers), got 131073"});
}

TEST(SpecChecks, BoundsAnyNumber)
{
    SpecComplaints complaints;
    CheckRange("a.key", 3, 3, 5, complaints);
    CheckRange("a.key", 5, 3, 5, complaints);
    EXPECT_TRUE(complaints.empty());
    CheckRange("a.key", 2, 3, 5, complaints);
    EXPECT_EQ(complaints, SpecComplaints{"a.key: must be 3..5, got 2"});
}

} // namespace inca
