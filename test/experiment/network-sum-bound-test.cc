/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-sum-bound.h"

#include "exchange/slot-scheme.h"
#include "experiment/switch-fixture.h"
#include "scenario/keys.h"

#include <functional>

namespace inca
{

/** Simulated runs beside their bounds. */
class NetworkSumBound : public SwitchFixture
{
  protected:
    using Change = std::function<void(Scenario&)>;

    /** Expects that the bound holds for @p scenario, and is at least @p share of the simulated time. */
    static void Holds(const Scenario& scenario, const std::string& what, double share = 0)
    {
        const auto outcome = Run(scenario);
        const auto meanPs = static_cast<double>(outcome.breakdown.TotalPs()) /
                            (scenario.training.iterations - scenario.simulation.warmup);
        const auto boundPs = static_cast<double>(outcome.plan.lowerBound.iterationPs);
        EXPECT_LE(boundPs, meanPs) << what;
        EXPECT_GE(boundPs, share * meanPs) << what;
    }

    /** Every combination of one change out of each list. */
    static void HoldsForAll(const Scenario& scenario,
                            const std::vector<std::vector<Change>>& lists,
                            const std::string& what = "",
                            std::size_t list = 0)
    {
        if (list == lists.size())
        {
            Holds(scenario, what);
            return;
        }
        for (std::size_t i = 0; i < lists[list].size(); ++i)
        {
            auto changed = scenario;
            lists[list][i](changed);
            HoldsForAll(changed, lists, what + " " + std::to_string(i), list + 1);
        }
    }

    static std::vector<Change> Clusters()
    {
        return {[](Scenario&) {},
                [](Scenario& s) { s.cluster.topology = "fat-tree"; },
                [](Scenario& s) { s.cluster.topology = "rack-pair"; },
                [](Scenario& s) { s.cluster.trunkBitsPerSecond = 2'000'000'000; },
                [](Scenario& s) {
                    s.cluster.overrides = {{1, 3'000'000'000, 2.0}};
                }};
    }

    static std::vector<Change> Switches()
    {
        return {[](Scenario&) {},
                [](Scenario& s) { SetKey(s, "switch.scaling", "block"); },
                [](Scenario& s) { SetKey(s, "switch.adder", "fp32"); },
                [](Scenario& s) { SetKey(s, "switch.adder_rate", "200000000values/s"); },
                [](Scenario& s) { SetKey(s, "switch.slots", "3"); }};
    }

    static std::vector<Change> Exchanges()
    {
        return {[](Scenario&) {},
                [](Scenario& s) { s.exchange.chunkBytes = 8000; },
                [](Scenario& s) {
                    s.exchange.chunkBytes = 8000;
                    s.exchange.concurrent = 3;
                }};
    }

    static std::vector<Change> Iterations()
    {
        return {[](Scenario&) {},
                [](Scenario& s) { s.training.iterations = 3; },
                [](Scenario& s) {
                    s.training.iterations = 4;
                    s.simulation.warmup = 2;
                    s.exchange.start = "together";
                }};
    }

    static std::vector<Change> Hosts()
    {
        return {[](Scenario&) {},
                [](Scenario& s) {
                    s.host.byteBytesPerSecond = 500'000'000;
                    s.host.frameCostPs = 100'000;
                    s.host.messageCostPs = 500'000;
                    s.host.copyBytesPerSecond = 3'000'000'000;
                    s.host.duplex = 0;
                }};
    }
};

/* 5 x 5 x 3 x 3 x 2 runs of a tensor of 40 kB, 40 packets of 256 values but for 96. */
TEST_F(NetworkSumBound, HoldsForTensors)
{
    auto scenario = Tree(1, 4);
    scenario.training.trace = "tensor:40000B";
    HoldsForAll(scenario, {Clusters(), Switches(), Exchanges(), Iterations(), Hosts()});
}

TEST_F(NetworkSumBound, HoldsForATraceWithCompute)
{
    auto scenario = Tree(1, 4);
    scenario.training.trace =
        WriteTrace("bounded-sums",
                   "layer,elements,forward_ns,backward_ns,update_ns",
                   "a,3000,1000,2000,500\nb,5000,4000,6000,900\nc,2000,10,20,30\n");
    HoldsForAll(scenario,
                {Clusters(),
                 Switches(),
                 {[](Scenario&) {},
                  [](Scenario& s) { s.training.send = "layer"; },
                  [](Scenario& s) { s.training.overlap = false; }},
                 Iterations()});
}

/* 5 x 5 x 2 x 3 x 2 runs whose workers keep a part each. */
TEST_F(NetworkSumBound, HoldsForShards)
{
    auto scenario = Tree(1, 4);
    scenario.training.trace =
        WriteTrace("bounded-shards",
                   "layer,elements,forward_ns,backward_ns,update_ns",
                   "a,3000,1000,2000,500\nb,5001,4000,6000,900\nc,20,10,20,30\n");
    scenario.training.send = "layer";
    HoldsForAll(scenario,
                {Clusters(),
                 Switches(),
                 {[](Scenario& s) { s.training.sharding = "optimizer"; },
                  [](Scenario& s) { s.training.sharding = "full"; }},
                 Iterations(),
                 Hosts()});
}

/* As long sums; with few slots and a slow adder, too, though a bound knows less of these. */
TEST_F(NetworkSumBound, IsNearLongShards)
{
    auto star = Slots(1000, 4);
    star.training.sharding = "optimizer";
    Holds(star, "slots", 0.9999);
    auto tree = Tree(1000);
    tree.training.sharding = "optimizer";
    Holds(tree, "tree", 0.99);
    SetKey(star, "switch.slots", "3");
    Holds(star, "few slots", 0.99);
    SetKey(star, "switch.slots", "128");
    SetKey(star, "switch.adder_rate", "256000000values/s");
    Holds(star, "adder", 0.99);
}

/* 1000 packets: two round trips of a tree, 7.5 us, beside 884.8 us are less than 1 %. */
TEST_F(NetworkSumBound, IsNearLongSums)
{
    Holds(Slots(1000), "slots", 0.99);
    Holds(Tree(1000), "tree", 0.99);
    auto adder = Slots(1000);
    SetKey(adder, "switch.adder_rate", "256000000values/s");
    Holds(adder, "adder", 0.99);
    auto trunk = Tree(1000);
    trunk.cluster.trunkBitsPerSecond = 1'000'000'000;
    SetKey(trunk, "switch.timeout", "10ms"); // 128 packets wait up to 1.13 ms before the trunk
    Holds(trunk, "trunk", 0.99);
}

/* 1000 values are 4 packets of 256, 5000 are 20: 2 * 4 + 20 frames of 1106 bytes. With 6 slots, 4 and 6
 * without values go ahead, of 84 bytes. */
TEST_F(NetworkSumBound, CountsWholeFrames)
{
    SchemeSpec spec;
    const auto bytes = [&spec] {
        return SlotScheme(spec).TrafficOf({{1000, 2}, {5000, 1}}).wireBytes;
    };
    spec.values["switch.slots"] = "6";
    spec.values["switch.scaling"] = "fixed";
    EXPECT_EQ(bytes(), 28U * 1106);
    spec.values["switch.scaling"] = "block";
    EXPECT_EQ(bytes(), 28U * 1106 + (2 * 4 + 6) * 84);
    spec.values["switch.adder"] = "fp32"; // values as they are
    EXPECT_EQ(bytes(), 28U * 1106);
    spec.values["switch.adder"] = "int32";
    spec.wordsAsTheyAre = true;
    EXPECT_EQ(bytes(), 28U * 1106);
}

/* 10 packets each. Host: 1 us per frame is longer than 884.8 ns on the link; the last of 10 us goes over
 * two links, 884.8 ns and 1 us each, and takes 1 us of the host that gets it. */
TEST_F(NetworkSumBound, SaysWhatLimits)
{
    EXPECT_EQ(Run(Slots(10)).plan.lowerBound.limitedBy, "link");
    auto host = Slots(10);
    host.host.frameCostPs = 1'000'000;
    const auto outcome = Run(host);
    EXPECT_EQ(outcome.plan.lowerBound.limitedBy, "host");
    EXPECT_NEAR(static_cast<double>(outcome.plan.lowerBound.iterationPs), 14'769'600, 1);
}

/* 3 children of 1000 values at 1000 per second are 3 s; the trunk takes 4 frames of 8848 bits at 8848
 * bit/s, 4 s; at 88480 bit/s the adder is slower. */
TEST_F(NetworkSumBound, TakesTheSlowestSwitch)
{
    auto scenario = Slots(1, 3);
    SetKey(scenario, "switch.adder_rate", "1kvalues/s");
    NetworkSpeed network;
    network.linkBitsPerSecond = {1'000'000, 1'000'000, 1'000'000};
    network.levels = 2;
    network.switches = {{3, 0}, {2, 8848}};
    network.trunkBitsPerSecond = 8848;
    const NetworkSums sums{{1000, 1}};
    constexpr double SECOND{1e12};
    const auto trunk = NetworkSumTimes(scenario, network).Together(sums);
    EXPECT_DOUBLE_EQ(trunk.Ps(), 4 * SECOND);
    EXPECT_GT(trunk.Gain(Limit::LINK), 0);
    network.trunkBitsPerSecond = 88'480;
    const auto adder = NetworkSumTimes(scenario, network).Together(sums);
    EXPECT_DOUBLE_EQ(adder.Ps(), 3 * SECOND);
    EXPECT_GT(adder.Gain(Limit::ADDER), 0);
}

} // namespace inca
