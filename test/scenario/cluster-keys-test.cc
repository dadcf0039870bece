/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/units.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

namespace inca
{

namespace
{

std::string
ColumnOf(const Scenario& scenario, const std::string& name)
{
    for (const auto& column : SettingColumns(scenario))
    {
        if (column.name == name)
        {
            return column.text;
        }
    }
    return "no such column";
}

void
Set(Scenario& scenario, const char* key, const char* text)
{
    FindKey(key)->set(scenario, text);
}

} // namespace

TEST(ClusterKeys, OfATopologyMatterInIt)
{
    Scenario scenario;
    const auto matters = [&scenario](const char* name) {
        return IdleReason(*FindKey(name), scenario).empty();
    };
    EXPECT_EQ(IdleReason(*FindKey("cluster.spines"), scenario), "cluster.topology is star");
    EXPECT_FALSE(matters("cluster.trunk_bandwidth") || matters("cluster.ecmp_seed"));
    scenario.cluster.topology = "leaf-spine";
    EXPECT_TRUE(matters("cluster.hosts_per_leaf") && matters("cluster.spines"));
    EXPECT_TRUE(matters("cluster.trunk_bandwidth") && matters("cluster.ecmp_seed"));
    EXPECT_FALSE(matters("cluster.fat_tree_k") || matters("cluster.trunks"));
    scenario.cluster.topology = "fat-tree";
    EXPECT_TRUE(matters("cluster.fat_tree_k"));
    EXPECT_FALSE(matters("cluster.hosts_per_leaf") || matters("cluster.trunks"));
    scenario.cluster.topology = "rack-pair";
    scenario.cluster.trunks = 2;
    EXPECT_TRUE(matters("cluster.trunks") && matters("cluster.ecmp_seed"));
    scenario.cluster.trunks = 1;
    EXPECT_EQ(IdleReason(*FindKey("cluster.ecmp_seed"), scenario),
              "there is one path between any two hosts");
}

/* Sums go up one tree, over the first of several equal trunks. */
TEST(ClusterKeys, ThatSpreadFlowsCannotMatterToSums)
{
    Scenario scenario;
    scenario.cluster.topology = "leaf-spine";
    scenario.exchange.algorithm = "switch-tree";
    for (const auto* name : {"cluster.spines", "cluster.ecmp_seed"})
    {
        EXPECT_EQ(IdleReason(*FindKey(name), scenario),
                  "with switch-tree nothing travels but what switches add");
    }
    EXPECT_EQ(IdleReason(*FindKey("cluster.trunk_bandwidth"), scenario), "");
}

TEST(ClusterKeys, AWorkerMayHaveSeveralGpus)
{
    Scenario scenario;
    EXPECT_EQ(ColumnOf(scenario, "gpus"), "1");
    EXPECT_EQ(IdleReason(*FindKey("cluster.gpu_bandwidth"), scenario), "cluster.gpus is 1");
    Set(scenario, "cluster.gpus", "2");
    EXPECT_EQ(ColumnOf(scenario, "gpu_bandwidth_bytes_per_s"), "12000000000");
    Set(scenario, "cluster.gpu_bandwidth", "300GBps");
    EXPECT_EQ(ColumnOf(scenario, "gpu_bandwidth_bytes_per_s"), "300000000000");
    Set(scenario, "cluster.gpus", "1024");
    EXPECT_THROW(Set(scenario, "cluster.gpus", "0"), UnitError);
    EXPECT_THROW(Set(scenario, "cluster.gpus", "1025"), UnitError);
    EXPECT_THROW(Set(scenario, "cluster.gpu_bandwidth", "12Gbps"), UnitError); // bits
}

TEST(ClusterKeys, TrunksAreAsFastAsAWorkersLinkUnlessSaid)
{
    Scenario scenario;
    EXPECT_EQ(ColumnOf(scenario, "trunk_bandwidth_gbps"), ""); // a star has none
    scenario.cluster.topology = "leaf-spine";
    EXPECT_EQ(ColumnOf(scenario, "trunk_bandwidth_gbps"), "10"); // not given: as the workers'
    Set(scenario, "cluster.trunk_bandwidth", "40Gbps");
    EXPECT_EQ(ColumnOf(scenario, "trunk_bandwidth_gbps"), "40");
}

} // namespace inca
