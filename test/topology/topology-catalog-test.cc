/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/topology-catalog.h"

#include "base/errors.h"
#include "topology/plan-checks.h"

#include <gtest/gtest.h>

namespace inca
{

TEST(TopologyCatalog, SaysWhatATopologyReads)
{
    EXPECT_EQ(FindTopology("star").keys, std::vector<std::string>{});
    EXPECT_EQ(FindTopology("leaf-spine").keys,
              (std::vector<std::string>{"hosts_per_leaf", "spines"}));
    EXPECT_EQ(FindTopology("fat-tree").keys, std::vector<std::string>{"fat_tree_k"});
    EXPECT_EQ(FindTopology("rack-pair").keys, std::vector<std::string>{"trunks"});
}

/* With what a spec has by default, each row makes a plan of its name that can be built. One that
 * says that it has no trunks has none; another may do with one switch for so few hosts. */
TEST(TopologyCatalog, MakesPlansThatCanBeBuilt)
{
    for (const auto& entry : TopologyCatalog())
    {
        TopologySpec spec;
        spec.name = entry.name;
        const auto plan = MakeTopology(spec);
        EXPECT_EQ(plan.name, entry.name);
        EXPECT_EQ(plan.HostCount(), spec.hosts);
        EXPECT_TRUE(plan.trunks.empty() || entry.hasTrunks) << entry.name;
        EXPECT_EQ(PlanComplaints(plan), std::vector<std::string>{}) << entry.name;
    }
}

/* 4 hosts: a star's one switch; a leaf below spines; pods below a core; two racks. */
TEST(TopologyCatalog, SaysWhichHaveTrunks)
{
    for (const auto* name : {"star", "leaf-spine", "fat-tree", "rack-pair"})
    {
        TopologySpec spec;
        spec.name = name;
        EXPECT_EQ(MakeTopology(spec).trunks.empty(), !FindTopology(name).hasTrunks) << name;
    }
}

TEST(TopologyCatalog, SuggestsTheNameThatWasMeant)
{
    try
    {
        FindTopology("fattree");
        FAIL() << "an unknown topology was found";
    }
    catch (const InputError& error)
    {
        EXPECT_STREQ(error.what(), "cluster.topology: unknown 'fattree'; did you mean 'fat-tree'?");
    }
}

TEST(TopologyCatalog, RefusesASpecWithComplaints)
{
    TopologySpec spec;
    spec.name = "rack-pair";
    spec.trunks = 0;
    EXPECT_THROW(MakeTopology(spec), InputError);
}

} // namespace inca
