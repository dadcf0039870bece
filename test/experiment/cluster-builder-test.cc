/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What a run says of its network, and of itself when it ends or stands still: which slots wait for whom.
#include "base/errors.h"
#include "experiment/cluster-builder.h"
#include "experiment/network-seen.h"
#include "experiment/record-parts.h"
#include "experiment/run-experiment.h"
#include "experiment/switch-fixture.h"
#include "scenario/keys.h"
#include "support/why-not.h"

#include "ns3/config.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace inca
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using ClusterBuilder = SwitchFixture;

/* Trunks are as fast as workers unless they are set; a worker, and an aggregator, may have a rate of its own. */
TEST_F(ClusterBuilder, LinksHaveTheirRates)
{
    const auto trunkRate = [this] {
        return cluster.switches.front()->GetPort(cluster.trunks.front().lowerPort)->BitsPerSecond();
    };
    auto scenario = With(Tree(1), "cluster.bandwidth=25Gbps");
    Install(scenario);
    EXPECT_EQ(trunkRate(), 25'000'000'000U);
    Install(With(scenario, "cluster.trunk_bandwidth=40Gbps"));
    EXPECT_EQ(trunkRate(), 40'000'000'000U);
    scenario = With(Bare("tensor:4kB", 3),
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
    const auto& added = cluster.AggregationOf();
    EXPECT_EQ(added.clients.size(), 4U);
    EXPECT_EQ(std::count(added.programs.begin(), added.programs.end(), nullptr), 1);
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

using LinksSeen = SwitchFixture;

/* Those of hosts come first, of which servers lie behind workers; two cables between the same switches have names of their
 * own. */
TEST_F(LinksSeen, HaveNames)
{
    const std::pair<Scenario, std::vector<std::string>> rows[] = {
        {With(Bare("tensor:4kB"), "exchange.algorithm=sharded-parameter-server cluster.servers=1"),
         {"worker 0 -> switch",
          "switch -> worker 0",
          "worker 1 -> switch",
          "switch -> worker 1",
          "server 0 -> switch",
          "switch -> server 0"}},
        {With(Tree(1, 3), "cluster.spines=1 cluster.trunk_bandwidth=25Gbps"),
         {"worker 0 -> leaf 0",
          "leaf 0 -> worker 0",
          "worker 1 -> leaf 0",
          "leaf 0 -> worker 1",
          "worker 2 -> leaf 1",
          "leaf 1 -> worker 2",
          "leaf 0 -> spine 0",
          "spine 0 -> leaf 0",
          "leaf 1 -> spine 0",
          "spine 0 -> leaf 1"}},
        {With(Tree(1, 2), "cluster.topology=rack-pair cluster.trunks=2"),
         {"worker 0 -> rack 0",
          "rack 0 -> worker 0",
          "worker 1 -> rack 1",
          "rack 1 -> worker 1",
          "rack 1 -> rack 0 #1",
          "rack 0 -> rack 1 #1",
          "rack 1 -> rack 0 #2",
          "rack 0 -> rack 1 #2"}}};
    for (const auto& [scenario, expected] : rows)
    {
        Install(scenario);
        std::vector<std::string> names;
        for (const auto& link : LinksOf(cluster, HostNames(plan)))
        {
            const auto& [name, from, to, kind] = link.ends;
            names.push_back(name);
            EXPECT_EQ(name.rfind(from + " -> " + to, 0), 0U);
            const auto isHost = [](const std::string& end) {
                return end.rfind("worker", 0) == 0 || end.rfind("server", 0) == 0;
            };
            EXPECT_EQ(kind == LinkKind::FROM_HOST, isHost(from)) << name;
            EXPECT_EQ(kind == LinkKind::TO_HOST, isHost(to)) << name;
            const bool isFast = from.rfind("spine", 0) == 0 || to.rfind("spine", 0) == 0;
            EXPECT_EQ(link.bitsPerSecond, isFast ? 25'000'000'000U : 10'000'000'000U) << name;
        }
        EXPECT_EQ(names, expected);
    }
}

/* A tree's leaf sends one packet up for two of its workers. With 3 senders into one port at a threshold of two frames, some
 * are marked. */
TEST_F(LinksSeen, CountFramesAndMarks)
{
    for (const auto& link : Run(Tree(40)).links)
    {
        const bool unused = link.ends.name.find("spine 1") != std::string::npos;
        EXPECT_EQ(link.port.frames, unused ? 0U : 40U) << link.ends.name;
        EXPECT_EQ(link.port.congestedFrames, 0U);
    }
    auto scenario = With(Bare("tensor:100kB", 3), "exchange.algorithm=worker-aggregator");
    scenario.attributes = {{"inca::SwitchPort::EcnThreshold", "3000"}};
    std::uint64_t marked = 0;
    for (const auto& link : Run(scenario).links)
    {
        marked += link.port.congestedFrames;
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
    EXPECT_THROW(CheckSwitches(cluster, *plan.Job().job), InvariantError);
    ns3::Simulator::Run();
    EXPECT_NO_THROW(CheckSwitches(cluster, *plan.Job().job));
    const auto rows = SwitchesOf(cluster, JobId());
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].name, "switch");
    EXPECT_EQ(rows[0].packets.in, 80U);
    EXPECT_EQ(rows[0].packets.combined, 80U);
    EXPECT_EQ(rows[0].packets.forwarded + rows[0].packets.answered, 0U);
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
        EXPECT_EQ(row.packets.in, leaf ? 120U : 80U) << row.name;
        EXPECT_EQ(row.packets.combined, 80U) << row.name;
        EXPECT_EQ(row.packets.forwarded, leaf ? 40U : 0U) << row.name;
        EXPECT_EQ(row.packets.made, leaf ? 120U : 80U) << row.name;
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
    EXPECT_EQ(row.packets.in, 2 * PACKETS - 1 + 3);
    EXPECT_EQ(row.packets.combined, 2 * PACKETS);
    EXPECT_EQ(row.packets.answered, 2U);
    EXPECT_EQ(row.packets.duplicates, 0U);
    EXPECT_EQ(row.packets.made, 2 * PACKETS + 2); // each sum to both, and the answers
}

using RunWarningsTest = SwitchFixture;

TEST_F(RunWarningsTest, AreWhatWasSeen)
{
    struct Row
    {
        Scenario scenario;
        const char* settings;
        testing::Matcher<std::vector<std::string>> warnings;
        double worker1{1.0}; ///< is slower by so much
    };

    const Scenario plain;
    const auto late = With(Slots(1), "training.send=end training.trace=" + TwoLayers());
    const Row rows[] = {
        {plain, "training.trace=tensor:100kB", IsEmpty()},
        {Slots(40), "", IsEmpty()},
        {Tree(40), "", IsEmpty()},
        // A port of 4 KiB holds two frames.
        {plain,
         "training.trace=tensor:100kB exchange.algorithm=worker-aggregator cluster.buffer=4096B",
         ElementsAre(HasSubstr("frames were dropped"))},
        {plain,
         "training.trace=tensor:100kB exchange.algorithm=worker-aggregator cluster.buffer=4096B "
         "simulation.mode=flow",
         ElementsAre(HasSubstr("1 of the switches' ports, which hold 4.000 KiB, may drop frames"))},
        {plain,
         "training.trace=tensor:100kB exchange.algorithm=worker-aggregator simulation.mode=flow",
         IsEmpty()},
        // What is planned and what is seen, by topic: a window comes before drops, and those before sizes.
        {plain,
         "training.trace=hdc codec.name=inceptionn exchange.algorithm=worker-aggregator "
         "cluster.bandwidth=400Gbps cluster.buffer=2000B transport.window=64",
         ElementsAre(HasSubstr("transport.window"),
                     HasSubstr("frames were dropped"),
                     HasSubstr("sizes only"))},
        // Worker 1 is ready 54 us after worker 0, which asks again after 10.
        {late,
         "switch.timeout=10us",
         ElementsAre(AllOf(HasSubstr("though none was lost: 10us is shorter"),
                           HasSubstr("exchange.start = \"together\""))),
         10.0},
        {late, "switch.timeout=10us exchange.start=together", IsEmpty(), 10.0},
        // a sum is there 2.88 us after its packet has left
        {late,
         "switch.timeout=2us exchange.start=together",
         ElementsAre(HasSubstr("2us is shorter than a round trip")),
         10.0},
        {Slots(40),
         "training.values=true simulation.mode=packet switch.fixed_exponent=-20",
         testing::Contains(HasSubstr("they were clamped"))},
    };
    for (const auto& row : rows)
    {
        auto scenario = With(row.scenario, row.settings);
        if (row.worker1 != 1.0)
        {
            scenario.cluster.overrides = {{1, {}, row.worker1}};
        }
        EXPECT_THAT(RunWarnings(Simulate(MakePlan(scenario), [](double) {})), row.warnings)
            << row.settings;
    }
}

/* No scenario makes a pool smaller than what its workers use; a program of one's own may. */
TEST_F(RunWarningsTest, TellOfPoolsThatAreTooSmall)
{
    const auto scenario = Slots(40);
    auto outcome = Run(scenario);
    outcome.jobs[0].switches[0].packets.noSlot = 3;
    EXPECT_THAT(RunWarnings(outcome),
                ElementsAre("switch: 3 packets found none of its 128 slots free: its workers use "
                            "more"));
}

class RunStateTest : public SwitchFixture
{
  protected:
    static constexpr std::uint64_t HOPELESS_PS{3'000'000'000}; ///< three timeouts

    /** From ordinal @p first on, nothing gets through. */
    static std::list<std::uint32_t> AllFrom(std::uint32_t first)
    {
        constexpr std::uint32_t MANY{100'000};
        std::list<std::uint32_t> ordinals;
        for (auto i = first; i < MANY; ++i)
        {
            ordinals.push_back(i);
        }
        return ordinals;
    }

    std::string StateAfterAWhile()
    {
        ns3::Simulator::Stop(ns3::PicoSeconds(HOPELESS_PS));
        ns3::Simulator::Run();
        return DescribeState(cluster, {{*plan.Job().job, ranks}});
    }
};

TEST_F(RunStateTest, NamesWhoWaitsForWhom)
{
    struct Row
    {
        Scenario scenario;
        std::size_t link;
        unsigned side;
        std::list<std::uint32_t> lost;
        testing::Matcher<std::string> state;
        void (*spoil)(){[] {}};
    };

    const Row rows[] = {
        // Worker 1 dies after 10 of 40 packets: slots 10..39 of the switch wait for it, and so does worker 0.
        {Slots(40),
         1,
         0,
         AllFrom(10),
         AllOf(HasSubstr("worker 0: "),
               HasSubstr("30 packets are on the way, the oldest, 10,"),
               HasSubstr("switch: slot 10 (packet 10) waits for worker 1"),
               HasSubstr("and 26 more"),
               HasSubstr("; dropped so far: "),
               HasSubstr(" duplicate"))},
        // In a tree, the root waits for the leaf, and the leaf for the worker.
        {Tree(4),
         3,
         0,
         AllFrom(0),
         AllOf(HasSubstr("leaf 0: slot 0 (packet 0) waits for its sum from spine 0"),
               HasSubstr("leaf 1: slot 0 (packet 0) waits for worker 3"),
               HasSubstr("spine 0: slot 0 (packet 0) waits for leaf 1"))},
        // The workers send 40 packets ahead, the switch has 4 slots: the sum that worker 1 has lost is gone
        // when it asks again.
        {Slots(40),
         1,
         1,
         {0},
         AllOf(HasSubstr("1 frames were dropped so far"),
               HasSubstr("worker 1: "),
               HasSubstr("the oldest, 0,"),
               HasSubstr("switch: dropped so far: "),
               HasSubstr(" late")),
         [] { ns3::Config::SetDefault("inca::SlotProgram::Slots", ns3::UintegerValue(4)); }},
    };
    for (const auto& row : rows)
    {
        Install(row.scenario, row.spoil);
        Lose(cluster.links[row.link], row.side, row.lost);
        EXPECT_THAT(StateAfterAWhile(), row.state);
        ranks.clear();
        ns3::Simulator::Destroy();
    }
}

/* No port of a switch can hold a packet, so that no leaf's sum gets to the spine, however often it is
 * sent. Where links lose half of all frames, too, it takes longer to be sure of it. */
TEST_F(RunStateTest, EndsARunThatCannotEnd)
{
    auto scenario = Tree(4);
    scenario.cluster.bufferBytes = 1000; // which a reader refuses
    EXPECT_THROW(Run(With(scenario, "cluster.loss_rate=0.5")), RunError);
    EXPECT_THAT(WhyNot<RunError>([&] { Run(scenario); }),
                AllOf(HasSubstr("the run stands still: no progress since"),
                      HasSubstr("worker 3: "),
                      HasSubstr("4 packets are on the way, the oldest, 0,"),
                      HasSubstr("leaf 1: slot 0 (packet 0) waits for its sum from spine 0")));
}

/* Retransmissions are no progress: the watchdog ends a run in which there is nothing else. */
TEST_F(RunStateTest, CountsSumsAsProgress)
{
    Install(Slots(40));
    EXPECT_EQ(DeliveredBytes(cluster), 0U);
    Lose(cluster.links[1], 0, AllFrom(10));
    StateAfterAWhile();
    EXPECT_EQ(DeliveredBytes(cluster), 2U * 10 * 1024);
    EXPECT_GT(cluster.AggregationOf().clients[0]->RetransmittedFrames(), 30U);
}

} // namespace inca
