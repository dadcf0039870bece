/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/fold-choice.h"

#include "plan/plan-maker.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

#include <string>

namespace inca
{

namespace
{

/** A ring of 8 workers with 80 kB, or what @p settings make of it. */
Scenario
Ring(const std::vector<std::pair<std::string, std::string>>& settings = {})
{
    Scenario scenario;
    scenario.training.trace = "tensor:80kB";
    scenario.cluster.workers = 8;
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

FoldChoice
ChoiceOf(const Scenario& scenario)
{
    return MakePlan(scenario).fold;
}

std::string
WhyNot(const Scenario& scenario)
{
    const auto choice = ChoiceOf(scenario);
    EXPECT_EQ(choice.simulated, choice.ranks);
    return choice.whyNot;
}

} // namespace

TEST(FoldChoice, LetsOneWorkerStandForAllOfARing)
{
    const auto choice = ChoiceOf(Ring());
    EXPECT_EQ(choice.ranks, 8U);
    EXPECT_EQ(choice.simulated, 1U);
    EXPECT_EQ(choice.Times(), std::vector<Rank>{8});
    EXPECT_TRUE(choice.exact);
    EXPECT_EQ(choice.fold.plan.HostCount(), 1U);
}

/* Neighbours take turns in what they do first. */
TEST(FoldChoice, TakesTwoWhereHostsAlternate)
{
    EXPECT_EQ(ChoiceOf(Ring({{"host.duplex", "half"}})).simulated, 2U);
    EXPECT_EQ(WhyNot(Ring({{"host.duplex", "half"}, {"cluster.workers", "7"}})),
              "no worker does what another does");
}

/* Whatever the values, workers, channels and chunks: blocks are padded until they are equal. What a codec makes of a
 * block depends on its layers, so these must not differ in one exchange. */
TEST(FoldChoice, LetsOneStandForAllWhateverDividesNothing)
{
    using Settings = std::vector<std::pair<std::string, std::string>>;
    for (const auto& settings : {Settings{{"ring.channels", "2"}},
                                 Settings{{"ring.chunk_bytes", "4kB"}},
                                 Settings{{"ring.channels", "5"}, {"cluster.workers", "16"}},
                                 Settings{{"cluster.workers", "7"}, {"training.iterations", "11"}},
                                 Settings{{"cluster.workers", "7"}, {"codec.name", "truncate"}},
                                 Settings{{"ring.channels", "5"}, {"training.sharding", "full"}},
                                 Settings{{"exchange.algorithm", "halving-doubling"}},
                                 Settings{{"training.trace", "resnet-50"},
                                          {"cluster.workers", "12"},
                                          {"codec.name", "inceptionn"}}})
    {
        auto scenario = Ring({{"training.trace", "tensor:80004B"}});
        for (const auto& [key, text] : settings)
        {
            SetKey(scenario, key, text);
        }
        EXPECT_EQ(ChoiceOf(scenario).simulated, 1U) << settings.front().first;
    }
    EXPECT_EQ(WhyNot(Ring({{"exchange.algorithm", "halving-doubling"}, {"cluster.workers", "5"}})),
              "no worker does what another does");
    const Settings fashion{{"training.trace", "fashion-cnn-200"}, {"codec.name", "inceptionn"}};
    for (const auto& [send, simulated] : {std::pair{"end", 8U}, {"layer", 1U}})
    {
        auto scenario = Ring(fashion);
        scenario.training.send = send;
        EXPECT_EQ(ChoiceOf(scenario).simulated, simulated) << send;
    }
}

TEST(FoldChoice, TakesAGroupOfAHierarchy)
{
    const auto choice =
        ChoiceOf(Ring({{"exchange.algorithm", "hierarchical-ring"}, {"exchange.group_size", "4"}}));
    EXPECT_EQ(choice.simulated, 4U);
    EXPECT_FALSE(choice.exact); // frames of two may come to a group's first member at one instant
}

TEST(FoldChoice, TakesNoGroupOfExchangesAtTheSameTime)
{
    EXPECT_EQ(WhyNot(Ring({{"exchange.algorithm", "hierarchical-ring"},
                           {"exchange.chunk_bytes", "8kB"},
                           {"exchange.concurrent", "4"}})),
              "exchanges at the same time meet at a port");
}

TEST(FoldChoice, TakesOneWayUpATree)
{
    const auto tree = ChoiceOf(Ring({{"exchange.algorithm", "switch-tree"},
                                     {"cluster.topology", "leaf-spine"},
                                     {"cluster.hosts_per_leaf", "2"}}));
    EXPECT_EQ(tree.simulated, 1U);
    EXPECT_EQ(tree.fold.plan.switches.size(), 2U);
    EXPECT_TRUE(tree.exact);
}

/* 8 workers on leaves of 3, 3 and 2: one of the 6, and one of the 2. Which of both comes first to an adder
 * that takes its time is not known. */
TEST(FoldChoice, TakesOneOfEachKindOfATree)
{
    std::vector<std::pair<std::string, std::string>> settings{{"exchange.algorithm", "switch-tree"},
                                                              {"cluster.topology", "leaf-spine"},
                                                              {"cluster.hosts_per_leaf", "3"}};
    const auto tree = ChoiceOf(Ring(settings));
    EXPECT_EQ(tree.simulated, 2U);
    EXPECT_EQ(tree.Times(), (std::vector<Rank>{6, 2}));
    EXPECT_EQ(tree.fold.plan.switches.size(), 3U);
    EXPECT_TRUE(tree.exact);
    settings.push_back({"switch.adder_rate", "300Mvalues/s"});
    EXPECT_FALSE(ChoiceOf(Ring(settings)).exact);
}

/* 8 workers' weights come in 7 packets of 884.8 ns and one of 67.2 ns: 782.6 ns in the mean. A round trip of 2 (1 us + 884.8
 * ns) takes 5 slots, and 8 more keep workers from waiting for each other. 20,000 values are 80 packets, less than 200. */
TEST(FoldChoice, TakesThreeOfOneSwitchThatSharesOut)
{
    using Settings = std::vector<std::pair<std::string, std::string>>;
    const auto shards = [](const Settings& more) {
        auto scenario = Ring({{"exchange.algorithm", "switch-slots"},
                              {"training.sharding", "optimizer"},
                              {"switch.slots", "13"}});
        for (const auto& [key, text] : more)
        {
            SetKey(scenario, key, text);
        }
        return scenario;
    };
    const auto choice = ChoiceOf(shards({}));
    EXPECT_EQ(choice.simulated, 3U);
    EXPECT_EQ(choice.Times(), (std::vector<Rank>{6, 1, 1}));
    EXPECT_EQ(choice.partsOf, (std::vector<Rank>{0, 6, 7}));
    EXPECT_FALSE(choice.exact);
    EXPECT_EQ(WhyNot(shards({{"switch.slots", "12"}})),
              "workers wait for slots, and for each other's parts in them");
    EXPECT_EQ(WhyNot(shards({{"cluster.workers", "3"}})), "no worker does what another does");
    EXPECT_EQ(WhyNot(shards({{"switch.adder_rate", "300Mvalues/s"}})),
              "hosts or adders take their time for each of few packets");
    EXPECT_EQ(WhyNot(shards({{"exchange.algorithm", "switch-tree"},
                             {"cluster.topology", "leaf-spine"},
                             {"cluster.hosts_per_leaf", "4"}})),
              "switches share out sums level by level");
}

TEST(FoldChoice, SimulatesAllWhoDiffer)
{
    EXPECT_EQ(WhyNot(Ring({{"simulation.mode", "packet"}})), "every frame is to be simulated");
    EXPECT_EQ(WhyNot(Ring({{"cluster.loss_rate", "0.01"}})), "frames are lost");
    EXPECT_EQ(WhyNot(Ring({{"exchange.algorithm", "parameter-server"}})),
              "aggregators or servers differ from workers");
    EXPECT_EQ(WhyNot(Ring({{"cluster.topology", "leaf-spine"}})), "paths between workers differ");
    auto slow = Ring();
    slow.cluster.overrides = {{3, std::nullopt, 2.0}};
    EXPECT_EQ(WhyNot(slow), "workers differ");
    auto jitter = Ring({{"training.trace", "alexnet"},
                        {"training.jitter", "normal"},
                        {"training.jitter_sd", "0.1"}});
    EXPECT_EQ(WhyNot(jitter), "compute times vary");
}

/* Values are replayed beside workers that stand for others, also those that switches add in fp32. They travel where a
 * host's codec makes messages of them; what engines make of them differs from worker to worker. */
TEST(FoldChoice, SimulatesAllWhoseValuesMatter)
{
    EXPECT_EQ(ChoiceOf(Ring({{"training.values", "true"}})).simulated, 1U);
    EXPECT_EQ(ChoiceOf(Ring({{"training.values", "true"},
                             {"exchange.algorithm", "switch-slots"},
                             {"switch.adder", "fp32"}}))
                  .simulated,
              1U);
    EXPECT_EQ(WhyNot(Ring({{"training.values", "true"}, {"codec.name", "inceptionn"}})),
              "engines make of each worker's values what they are");
    EXPECT_EQ(WhyNot(Ring({{"training.values", "true"},
                           {"codec.name", "inceptionn"},
                           {"codec.placement", "cpu"},
                           {"codec.encode_rate", "1GBps"},
                           {"codec.decode_rate", "1GBps"}})),
              "values travel");
}

} // namespace inca
