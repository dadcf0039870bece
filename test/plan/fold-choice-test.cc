/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/fold-choice.h"

#include "exchange/exchange-catalog.h"
#include "exchange/transport-catalog.h"
#include "plan/plan-maker.h"
#include "support/settings.h"
#include "support/why-not.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** A ring of 8 workers with 80 kB, or what @p settings make of it. */
FoldChoice
ChoiceOf(const std::string& settings)
{
    return MakePlan(With({}, "training.trace=tensor:80kB cluster.workers=8 " + settings))
        .Job()
        .fold;
}

/** @return why no rank stands for another */
std::string
WhyNot(const FoldChoice& choice)
{
    EXPECT_EQ(choice.simulated, choice.ranks);
    return choice.whyNot;
}

const std::string g_tree = "exchange.algorithm=switch-tree cluster.topology=leaf-spine ";
const std::string g_leaves = "cluster.topology=leaf-spine cluster.routing=d-mod-k ";
const std::string g_shards = "exchange.algorithm=switch-slots training.sharding=optimizer ";

/** Before anybody looks: a tree that says nothing of its ranks, and one that says that all are alike. */
const bool g_areRegistered = [] {
    ExchangeEntry tree{"honest-tree", "", [](const ExchangeSpec& spec, std::uint64_t elements) {
                           return ExchangeCatalog().Find("tree").make(spec, elements);
                       }};
    ExchangeCatalog().Register(tree);
    tree.name = "even-tree";
    tree.symmetry = [](const ExchangeSpec&, bool) { return ShiftSymmetry{1}; };
    ExchangeCatalog().Register(tree);
    TransportCatalog().Register({"claims-frames", "", "inca::Transport", 40, true});
    return true;
}();

} // namespace

TEST(FoldChoice, SaysHowManyStandForAll)
{
    const std::tuple<std::string, Rank, bool> rows[] = {
        {"", 1, true},
        // Neighbours take turns in what they do first.
        {"host.duplex=half", 2, true},
        // Whatever the values, workers, channels and chunks: blocks are padded until they are equal. What a codec
        // makes of a block depends on its layers, so these must not differ in one exchange.
        {"training.trace=tensor:80004B ring.channels=2", 1, true},
        {"training.trace=tensor:80004B ring.chunk_bytes=4kB", 1, true},
        {"training.trace=tensor:80004B ring.channels=5 cluster.workers=16", 1, true},
        {"training.trace=tensor:80004B cluster.workers=7 training.iterations=11", 1, true},
        {"training.trace=tensor:80004B cluster.workers=7 codec.name=truncate", 1, true},
        {"training.trace=tensor:80004B ring.channels=5 training.sharding=full", 1, true},
        {"training.trace=tensor:80004B exchange.algorithm=halving-doubling", 1, true},
        {"training.trace=resnet-50 cluster.workers=12 codec.name=inceptionn", 1, true},
        {"training.trace=fashion-cnn-200 codec.name=inceptionn training.send=end", 8, true},
        {"training.trace=fashion-cnn-200 codec.name=inceptionn training.send=layer", 1, true},
        {"transport.name=tcp transport.sockets=3", 1, true},
        // A group of a hierarchy; frames of two may come to a group's first member at one instant.
        {"exchange.algorithm=hierarchical-ring exchange.group_size=4", 4, false},
        // A leaf of 4 below 2 spines; 2 leaves of 2 make as many hosts as 4 spines need.
        {g_leaves, 4, true},
        {g_leaves + "cluster.hosts_per_leaf=2 cluster.spines=4", 4, true},
        {g_leaves + "exchange.algorithm=halving-doubling", 4, true},
        // One way up a tree.
        {g_tree + "cluster.hosts_per_leaf=2", 1, true},
        // 8 workers on leaves of 3, 3 and 2: one of the 6, and one of the 2. Which of both comes first to an
        // adder that takes its time is not known.
        {g_tree + "cluster.hosts_per_leaf=3", 2, true},
        {g_tree + "cluster.hosts_per_leaf=3 switch.adder_rate=300Mvalues/s", 2, false},
        // Values are replayed beside workers that stand for others, also those that switches add in fp32.
        {"training.values=true", 1, true},
        {"training.values=true exchange.algorithm=switch-slots switch.adder=fp32", 1, true},
    };
    for (const auto& [settings, simulated, exact] : rows)
    {
        const auto choice = ChoiceOf(settings);
        EXPECT_EQ(choice.simulated, simulated) << settings;
        EXPECT_EQ(choice.exact, exact) << settings;
    }
}

TEST(FoldChoice, SaysWhoStandsForHowMany)
{
    const auto ring = ChoiceOf("");
    EXPECT_EQ(ring.ranks, 8U);
    EXPECT_EQ(ring.Times(), std::vector<Rank>{8});
    EXPECT_EQ(ring.fold.plan.HostCount(), 1U);
    EXPECT_EQ(ChoiceOf(g_tree + "cluster.hosts_per_leaf=2").fold.plan.switches.size(), 2U);
    const auto uneven = ChoiceOf(g_tree + "cluster.hosts_per_leaf=3");
    EXPECT_EQ(uneven.Times(), (std::vector<Rank>{6, 2}));
    EXPECT_EQ(uneven.fold.plan.switches.size(), 3U);
}

TEST(FoldChoice, SimulatesAllWhoDifferOrWhoseValuesMatter)
{
    const std::pair<std::string, const char*> rows[] = {
        {"host.duplex=half cluster.workers=7", "no worker does what another does"},
        {"exchange.algorithm=halving-doubling cluster.workers=5",
         "no worker does what another does"},
        {"exchange.algorithm=hierarchical-ring exchange.chunk_bytes=8kB exchange.concurrent=4",
         "exchanges at the same time meet at a port"},
        // Of messages that come one after the other none meet, as long as there is one exchange: else queues differ.
        {"exchange.algorithm=two-shot exchange.chunk_bytes=8kB exchange.concurrent=3",
         "exchanges at the same time meet at a port"},
        {"exchange.algorithm=hierarchical-ring transport.name=tcp",
         "frames of two senders meet at a port, whose order decides what TCP makes of them"},
        {g_shards, "each worker has a part of what switches share out, in its turn"},
        {"simulation.mode=packet", "every frame is to be simulated"},
        {"cluster.loss_rate=0.01", "frames are lost"},
        {"exchange.algorithm=parameter-server", "aggregators or servers differ from workers"},
        {"cluster.topology=leaf-spine", "paths between workers differ"},
        {g_leaves + "cluster.workers=6", "leaves differ"},
        {g_leaves + "cluster.hosts_per_leaf=3 cluster.workers=9",
         "leaves differ"}, // 6 hosts for 2 spines
        {"cluster.topology=fat-tree cluster.routing=d-mod-k", "leaves differ"},
        {g_leaves + "transport.name=tcp",
         "what TCP makes of frames that meet at a port differs from leaf to leaf"},
        {"simulation.mode=flow", "every message is a flow of its own"},
        {"training.trace=alexnet training.jitter=normal training.jitter_sd=0.1",
         "compute times vary"},
        // Values travel where a host's codec makes messages of them; what engines make of them differs from
        // worker to worker.
        {"training.values=true codec.name=inceptionn",
         "engines make of each worker's values what they are"},
        {"training.values=true codec.name=inceptionn codec.placement=cpu codec.encode_rate=1GBps "
         "codec.decode_rate=1GBps",
         "values travel"},
    };
    for (const auto& [settings, why] : rows)
    {
        EXPECT_EQ(WhyNot(ChoiceOf(settings)), why) << settings;
    }
    auto slow = With({}, "training.trace=tensor:80kB cluster.workers=8");
    slow.cluster.overrides = {{3, std::nullopt, 2.0}};
    EXPECT_EQ(WhyNot(MakePlan(slow).Job().fold), "workers differ");
}

/* A tree, whose root and leaves differ, with a row that says that all ranks are alike. */
TEST(FoldChoice, RefusesARowThatClaimsTooMuch)
{
    EXPECT_EQ(
        MakePlan(
            With({}, "training.trace=tensor:80kB cluster.workers=8 exchange.algorithm=honest-tree"))
            .Job()
            .fold.whyNot,
        "in a honest-tree exchange ranks are not alike");
    EXPECT_EQ(inca::WhyNot<InvariantError>([] { ChoiceOf("exchange.algorithm=even-tree"); }),
              "exchange 'even-tree' says that rank r + 1 does what rank r does "
              "(ExchangeEntry::symmetry), but step 0 of rank 1 is not "
              "that of rank 0");
}

/* Nothing is known of a registered transport, whatever its row says: all are simulated, nothing is skipped. */
TEST(FoldChoice, KnowsNothingOfTransportsOfOthers)
{
    const auto plan = MakePlan(
        With({}, "training.trace=tensor:80kB cluster.workers=8 transport.name=claims-frames"));
    EXPECT_EQ(plan.Job().fold.whyNot, "what claims-frames does with equal messages is not known");
    EXPECT_FALSE(plan.Job().mayRepeat);
    EXPECT_TRUE(MakePlan(With({}, "training.trace=tensor:80kB cluster.workers=8")).Job().mayRepeat);
}

} // namespace inca
