/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology/leaf-spine.h"

#include "topology/plan-walk.h"

namespace inca
{

namespace
{

TopologySpec
LeafSpineOf(std::uint32_t hosts, std::uint32_t hostsPerLeaf, std::uint32_t spines)
{
    TopologySpec spec;
    spec.hosts = hosts;
    spec.hostsPerLeaf = hostsPerLeaf;
    spec.spines = spines;
    return spec;
}

} // namespace

/* 10 hosts fill leaves of 4, 4 and 2; each leaf has a trunk to each of 2 spines. */
TEST(LeafSpine, FillsItsLeavesInOrder)
{
    const auto plan = MakeLeafSpine(LeafSpineOf(10, 4, 2));
    EXPECT_EQ(plan.hostSwitch, (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2}));
    ASSERT_EQ(plan.switches.size(), 5U);
    EXPECT_EQ(plan.switches[2].name, "leaf 2");
    EXPECT_EQ(plan.switches[4].name, "spine 1");
    ASSERT_EQ(plan.trunks.size(), 6U);
    EXPECT_EQ(plan.trunks[2 * 2 + 1].lower, 2U);
    EXPECT_EQ(plan.trunks[2 * 2 + 1].upper, 4U);
    ExpectConnected(plan);
}

/* Within a leaf no trunk; to another leaf one up and one down, over any of 3 spines. */
TEST(LeafSpine, HasAPathOverEachSpine)
{
    const PlanWalk walk(MakeLeafSpine(LeafSpineOf(8, 4, 3)));
    EXPECT_EQ(walk.Between(0, 3), (Paths{1, 0, 0, 0}));
    EXPECT_EQ(walk.Between(0, 4), (Paths{3, 0, 2, 2}));
}

TEST(LeafSpine, MayHaveASingleLeaf)
{
    const auto spec = LeafSpineOf(3, 4, 2);
    EXPECT_TRUE(LeafSpineComplaints(spec).empty());
    const auto plan = MakeLeafSpine(spec);
    EXPECT_EQ(plan.switches.size(), 3U);
    ExpectConnected(plan);
}

TEST(LeafSpine, NamesTheKeyThatIsOutOfRange)
{
    EXPECT_EQ(LeafSpineComplaints(LeafSpineOf(4, 0, 0)),
              (std::vector<std::string>{"cluster.hosts_per_leaf: must be 1..4294967295, got 0",
                                        "cluster.spines: must be 1..64, got 0"}));
    EXPECT_EQ(LeafSpineComplaints(LeafSpineOf(4, 4, 65)),
              std::vector<std::string>{"cluster.spines: must be 1..64, got 65"});
}

/* 65,536 trunks / 64 spines = 1024 leaves; 65,536 hosts on 1024 leaves are 64 each. */
TEST(LeafSpine, SaysHowManyHostsPerLeafWouldDo)
{
    EXPECT_EQ(LeafSpineComplaints(LeafSpineOf(65'536, 4, 64)),
              std::vector<std::string>{
                  "cluster.hosts_per_leaf: 16384 leaves and 64 spines need 1048576 trunks, the "
                  "most are 65536; 64 hosts per leaf would do"});
    EXPECT_TRUE(LeafSpineComplaints(LeafSpineOf(65'536, 64, 64)).empty());
    EXPECT_FALSE(LeafSpineComplaints(LeafSpineOf(65'536, 63, 64)).empty());
}

} // namespace inca
