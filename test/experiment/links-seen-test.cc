/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/links-seen.h"

#include "experiment/switch-fixture.h"

#include <gmock/gmock.h>

#include <set>

namespace inca
{

using testing::ElementsAre;

class LinksSeen : public SwitchFixture
{
  protected:
    std::vector<std::string> Names()
    {
        std::vector<std::string> names;
        for (const auto& link : LinksOf(cluster, *plan.Job().prepared.job))
        {
            names.push_back(link.name);
            EXPECT_EQ(link.name.rfind(link.from + " -> " + link.to, 0), 0U);
            EXPECT_EQ(link.leavesSwitch, link.from.rfind("worker", 0) != 0) << link.name;
        }
        return names;
    }
};

TEST_F(LinksSeen, OfAStarLeadToTheSwitch)
{
    Install(Slots(1));
    EXPECT_THAT(Names(),
                ElementsAre("worker 0 -> switch",
                            "switch -> worker 0",
                            "worker 1 -> switch",
                            "switch -> worker 1"));
}

TEST_F(LinksSeen, BetweenSwitchesComeLast)
{
    auto scenario = Tree(1, 3);
    scenario.cluster.spines = 1;
    scenario.cluster.trunkBitsPerSecond = 25'000'000'000;
    Install(scenario);
    EXPECT_THAT(Names(),
                ElementsAre("worker 0 -> leaf 0",
                            "leaf 0 -> worker 0",
                            "worker 1 -> leaf 0",
                            "leaf 0 -> worker 1",
                            "worker 2 -> leaf 1",
                            "leaf 1 -> worker 2",
                            "leaf 0 -> spine 0",
                            "spine 0 -> leaf 0",
                            "leaf 1 -> spine 0",
                            "spine 0 -> leaf 1"));
    EXPECT_EQ(LinksOf(cluster, *plan.Job().prepared.job).back().bitsPerSecond, 25'000'000'000U);
}

/* Two cables between the same switches have names of their own. */
TEST_F(LinksSeen, TellParallelCablesApart)
{
    auto scenario = Tree(1, 2);
    scenario.cluster.topology = "rack-pair";
    scenario.cluster.trunks = 2;
    Install(scenario);
    const auto names = Names();
    ASSERT_EQ(names.size(), 8U);
    EXPECT_THAT(names[4], testing::EndsWith(" #1"));
    EXPECT_THAT(names[7], testing::EndsWith(" #2"));
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

/* A tree's leaf sends one packet up for two of its workers. */
TEST_F(LinksSeen, CountFrames)
{
    const auto outcome = Run(Tree(40));
    for (const auto& link : outcome.links)
    {
        const bool unused = link.name.find("spine 1") != std::string::npos;
        EXPECT_EQ(link.frames, unused ? 0U : 40U) << link.name;
        EXPECT_EQ(link.markedFrames, 0U);
    }
}

/* 2 workers and 3 servers: a server's links lie behind the workers', and are named as such. */
TEST_F(LinksSeen, ServersAreCalledServers)
{
    auto scenario = Bare("tensor:4kB");
    scenario.exchange.algorithm = "sharded-parameter-server";
    scenario.cluster.servers = 3;
    const auto links = Run(scenario).links;
    ASSERT_EQ(links.size(), 2 * 5U);
    EXPECT_EQ(links[2].name, "worker 1 -> switch");
    EXPECT_EQ(links[4].name, "server 0 -> switch");
    EXPECT_EQ(links[9].name, "switch -> server 2");
}

/* 3 senders into one port at a threshold of two frames: some are marked. */
TEST_F(LinksSeen, CountMarks)
{
    auto scenario = Bare("tensor:100kB", 3);
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.attributes = {{"inca::SwitchPort::EcnThreshold", "3000"}};
    std::uint64_t marked = 0;
    for (const auto& link : Run(scenario).links)
    {
        marked += link.markedFrames;
    }
    EXPECT_GT(marked, 0U);
}

} // namespace inca
