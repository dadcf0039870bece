/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a run says of its network: links, switches, and how they were built.
#include "base/errors.h"
#include "experiment/cluster-builder.h"
#include "experiment/links-seen.h"
#include "experiment/run-experiment.h"
#include "experiment/switch-fixture.h"
#include "experiment/switches-seen.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace inca
{

class ClusterBuilder : public SwitchFixture
{
  protected:
    std::uint64_t TrunkRate()
    {
        return cluster.switches.front()->GetPort(cluster.trunks.front().lowerPort)->BitsPerSecond();
    }
};

TEST_F(ClusterBuilder, TrunksAreAsFastAsWorkersUnlessTold)
{
    const auto scenario = With(Tree(1), "cluster.bandwidth=25Gbps");
    Install(scenario);
    EXPECT_EQ(TrunkRate(), 25'000'000'000U);
    Install(With(scenario, "cluster.trunk_bandwidth=40Gbps"));
    EXPECT_EQ(TrunkRate(), 40'000'000'000U);
}

TEST_F(ClusterBuilder, HostsHaveTheirOwnRates)
{
    auto scenario =
        With(Bare("tensor:4kB", 3),
             "exchange.algorithm=worker-aggregator cluster.aggregator_bandwidth=40Gbps");
    scenario.cluster.overrides = {{1, 1'000'000'000, 1.0}};
    Install(scenario);
    EXPECT_EQ(cluster.nics[0]->BitsPerSecond(), 10'000'000'000U);
    EXPECT_EQ(cluster.nics[1]->BitsPerSecond(), 1'000'000'000U);
    EXPECT_EQ(cluster.PortTo(1)->BitsPerSecond(), 1'000'000'000U);
    EXPECT_EQ(cluster.nics[3]->BitsPerSecond(), 40'000'000'000U);
}

/* 4 workers, 2 on a leaf: each has a client, and of 2 leaves and 2 spines all but the second spine add. */
TEST_F(ClusterBuilder, SwitchesAddOnlyForExchangesThatAskForIt)
{
    Install(Tree(1));
    EXPECT_EQ(cluster.AggregationOf().clients.size(), 4U);
    EXPECT_EQ(std::count(cluster.AggregationOf().programs.begin(),
                         cluster.AggregationOf().programs.end(),
                         nullptr),
              1);
    Install(With(Tree(1), "exchange.algorithm=ring"));
    EXPECT_TRUE(cluster.AggregationOf().clients.empty());
    EXPECT_TRUE(cluster.AggregationOf().programs.empty());
}

/* 128 slots, twice, of 256 values are 256 KiB. */
TEST_F(ClusterBuilder, RefusesAMemoryThatIsTooSmall)
{
    EXPECT_NO_THROW(Install(With(Slots(1), "switch.memory=262144B")));
    EXPECT_THROW(Install(With(Slots(1), "switch.memory=262143B")), InputError);
}

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

TEST_F(LinksSeen, OfHostsComeBeforeThoseBetweenSwitches)
{
    Install(Slots(1));
    EXPECT_THAT(Names(),
                ElementsAre("worker 0 -> switch",
                            "switch -> worker 0",
                            "worker 1 -> switch",
                            "switch -> worker 1"));
    Install(With(Tree(1, 3), "cluster.spines=1 cluster.trunk_bandwidth=25Gbps"));
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
    Install(With(Tree(1, 2), "cluster.topology=rack-pair cluster.trunks=2"));
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
    const auto links = Run(With(Bare("tensor:4kB"),
                                "exchange.algorithm=sharded-parameter-server cluster.servers=3"))
                           .links;
    ASSERT_EQ(links.size(), 2 * 5U);
    EXPECT_EQ(links[2].name, "worker 1 -> switch");
    EXPECT_EQ(links[4].name, "server 0 -> switch");
    EXPECT_EQ(links[9].name, "switch -> server 2");
}

/* 3 senders into one port at a threshold of two frames: some are marked. */
TEST_F(LinksSeen, CountMarks)
{
    auto scenario = With(Bare("tensor:100kB", 3), "exchange.algorithm=worker-aggregator");
    scenario.attributes = {{"inca::SwitchPort::EcnThreshold", "3000"}};
    std::uint64_t marked = 0;
    for (const auto& link : Run(scenario).links)
    {
        marked += link.markedFrames;
    }
    EXPECT_GT(marked, 0U);
}

class SwitchesSeen : public SwitchFixture
{
  protected:
    static constexpr std::uint64_t PACKETS{40};
};

/* No loss: 2 workers, 40 packets each are all added, and 40 sums are made. A worker without its sums would be found. */
TEST_F(SwitchesSeen, AreCounted)
{
    Install(Slots(PACKETS));
    EXPECT_THROW(CheckSwitches(cluster, *plan.Job().prepared.job), InvariantError);
    ns3::Simulator::Run();
    EXPECT_NO_THROW(CheckSwitches(cluster, *plan.Job().prepared.job));
    const auto rows = SwitchesOf(cluster, JobId());
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].name, "switch");
    EXPECT_EQ(rows[0].packetsIn, 80U);
    EXPECT_EQ(rows[0].combined, 80U);
    EXPECT_EQ(rows[0].forwarded + rows[0].answered, 0U);
    EXPECT_EQ(rows[0].slots, 128U);
    EXPECT_EQ(rows[0].memoryBytes, 128U * 2 * 256 * 4);
}

/* Leaves take 80 contributions and 40 sums, and send 40 up and 80 down; the spine takes 80. */
TEST_F(SwitchesSeen, OfATreeAddAndForward)
{
    const auto record = RunExperiment(Tree(PACKETS), {});
    ASSERT_EQ(record.switches.size(), 3U);
    for (const auto& row : record.switches)
    {
        const bool leaf = row.name.rfind("leaf", 0) == 0;
        EXPECT_EQ(row.packetsIn, leaf ? 120U : 80U) << row.name;
        EXPECT_EQ(row.combined, 80U) << row.name;
        EXPECT_EQ(row.forwarded, leaf ? 40U : 0U) << row.name;
        EXPECT_EQ(row.packetsMade, leaf ? 120U : 80U) << row.name;
    }
}

/* Worker 1 is 54 us late: by then worker 0 has a packet in each of 8 slots. */
TEST_F(SwitchesSeen, SlotsPeakIsTheFullestSwitchs)
{
    auto scenario = With(Slots(PACKETS), "switch.slots=8");
    scenario.training.trace = WriteTrace(
        "late-layer", "layer,elements,forward_ns,backward_ns,update_ns", "a,10240,2000,4000,0\n");
    scenario.cluster.overrides = {{1, {}, 10.0}};
    EXPECT_EQ(RunExperiment(scenario, {}).results.slotsPeak, 8U);
    scenario.exchange.algorithm = "ring";
    EXPECT_FALSE(RunExperiment(scenario, {}).results.slotsPeak);
}

/* Worker 0's packet 1 is lost, and of its sums the 3rd, that of packet 3. A timeout later both workers send
 * packet 1 again, worker 0 first: it completes the sum, so that worker 1's is answered, as is packet 3. */
TEST_F(SwitchesSeen, RepeatedPacketsAreCounted)
{
    Install(Slots(PACKETS));
    Lose(cluster.links[0], 0, {1});
    Lose(cluster.links[0], 1, {2});
    ns3::Simulator::Run();
    EXPECT_EQ(ClientsOf(cluster, JobId()).retransmittedFrames, 3U);
    const auto row = SwitchesOf(cluster, JobId()).front();
    EXPECT_EQ(row.packetsIn, 2 * PACKETS - 1 + 3);
    EXPECT_EQ(row.combined, 2 * PACKETS);
    EXPECT_EQ(row.answered, 2U);
    EXPECT_EQ(row.droppedDuplicate, 0U);
    EXPECT_EQ(row.packetsMade, 2 * PACKETS + 2); // each sum to both, and the answers
}

} // namespace inca
