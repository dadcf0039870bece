/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/lower-bound.h"

#include "experiment/scenario-fixture.h"
#include "scenario/specs.h"

#include <vector>

namespace inca
{

/** A simulated run beside its bound. */
class LowerBoundTest : public ScenarioFixture
{
  protected:
    /** What the bound is of: the mean of the measured iterations. (ps) */
    static double MeanPs(const Scenario& scenario, const Outcome& outcome)
    {
        return static_cast<double>(outcome.breakdown.TotalPs()) /
               (scenario.training.iterations - scenario.simulation.warmup);
    }

    /** Expects that the bound holds, and is at least @p share of the simulated time. */
    static void Holds(const Scenario& scenario, const std::string& what, double share = 0)
    {
        const auto outcome = Run(scenario);
        const auto boundPs = static_cast<double>(outcome.plan.lowerBound.iterationPs);
        EXPECT_LE(boundPs, MeanPs(scenario, outcome)) << what;
        EXPECT_GE(boundPs, share * MeanPs(scenario, outcome)) << what;
    }

    static std::string LimitedBy(const Scenario& scenario)
    {
        return Run(scenario).plan.lowerBound.limitedBy;
    }

    /** The scenarios that @p change makes of every one of @p scenarios, behind them. */
    template <typename Change>
    static void Vary(std::vector<Scenario>& scenarios, Change change)
    {
        const auto count = scenarios.size();
        for (std::size_t i = 0; i < count; ++i)
        {
            auto changed = scenarios[i];
            change(changed);
            scenarios.push_back(changed);
        }
    }

    static std::vector<Scenario> AllExchanges(const std::string& trace)
    {
        std::vector<Scenario> scenarios;
        const auto add = [&](const char* algorithm, const char* broadcast, std::uint32_t workers) {
            auto scenario = Bare(trace, workers);
            scenario.exchange.algorithm = algorithm;
            scenario.exchange.broadcast = broadcast;
            scenario.exchange.groupSize = 2;
            scenario.exchange.segmentBytes = 4096;
            scenarios.push_back(scenario);
        };
        for (const auto workers : {2U, 3U, 4U})
        {
            add("ring", "flat", workers);
            add("worker-aggregator", "flat", workers);
            add("worker-aggregator", "binomial", workers);
            add("worker-aggregator", "chain", workers);
            add("parameter-server", "flat", workers);
            add("sharded-parameter-server", "flat", workers);
            scenarios.back().cluster.servers = 5 - workers; // 3, 2, 1
        }
        add("sharded-parameter-server", "flat", 3); // as many
        add("hierarchical-aggregator", "binomial", 4);
        add("hierarchical-ring", "flat", 4);
        return scenarios;
    }

    static std::string Describe(const Scenario& scenario)
    {
        const auto& exchange = scenario.exchange;
        return exchange.algorithm + "/" + exchange.broadcast +
               " N=" + std::to_string(scenario.cluster.workers) +
               " servers=" + std::to_string(scenario.cluster.servers.value_or(0)) +
               " duplex=" + std::to_string(scenario.host.duplex) + " codec=" + scenario.codec.name +
               "@" + Placement(scenario) +
               " rate=" + std::to_string(scenario.cluster.bitsPerSecond) +
               " sum=" + std::to_string(scenario.host.sumBytesPerSecond) +
               " byte=" + std::to_string(scenario.host.byteBytesPerSecond) +
               " chunk=" + std::to_string(exchange.chunkBytes) +
               " concurrent=" + std::to_string(exchange.concurrent) +
               " iterations=" + std::to_string(scenario.training.iterations) +
               " overrides=" + std::to_string(scenario.cluster.overrides.size()) +
               " trace=" + scenario.training.trace;
    }

    static void HoldsForAll(std::vector<Scenario> scenarios)
    {
        Vary(scenarios, [](Scenario& s) { s.host.duplex = 0; });
        Vary(scenarios, [](Scenario& s) { s.training.iterations = 3; });
        Vary(scenarios, [](Scenario& s) { s.exchange.chunkBytes = 8000; });
        const auto count = scenarios.size();
        for (std::size_t i = count / 2; i < count; ++i) // of those with chunks
        {
            scenarios.push_back(scenarios[i]);
            scenarios.back().exchange.concurrent = 3;
        }
        for (const auto& scenario : scenarios)
        {
            Holds(scenario, Describe(scenario));
        }
    }

    static void CostlyHosts(Scenario& scenario)
    {
        scenario.host.sumBytesPerSecond = 2'000'000'000;
        scenario.host.copyBytesPerSecond = 3'000'000'000;
        scenario.host.byteBytesPerSecond = 1'500'000'000;
        scenario.host.messageCostPs = 500'000;
        scenario.host.frameCostPs = 100'000;
    }
};

TEST_F(LowerBoundTest, HoldsForBareExchanges)
{
    HoldsForAll(AllExchanges("tensor:40000B"));
}

TEST_F(LowerBoundTest, HoldsWithCostlyHosts)
{
    auto scenarios = AllExchanges("tensor:40000B");
    for (auto& scenario : scenarios)
    {
        CostlyHosts(scenario);
    }
    HoldsForAll(scenarios);
}

TEST_F(LowerBoundTest, HoldsWithEngines)
{
    auto scenarios = AllExchanges("tensor:40000B");
    for (auto& scenario : scenarios)
    {
        scenario.codec.name = "inceptionn";
    }
    Vary(scenarios, [](Scenario& s) { s.cluster.bitsPerSecond = 100'000'000'000; });
    HoldsForAll(scenarios);
}

TEST_F(LowerBoundTest, HoldsWithACodecOnTheHost)
{
    auto scenarios = AllExchanges("tensor:40000B");
    for (auto& scenario : scenarios)
    {
        scenario.codec.name = "truncate";
        scenario.codec.placement = "cpu";
        scenario.codec.encodeBytesPerSecond = 2'000'000'000;
        scenario.codec.decodeBytesPerSecond = 1'000'000'000;
    }
    HoldsForAll(scenarios);
}

/* Worker 1 on a tenth of the bandwidth with sums that are longer than a fast message: its sums hide
 * behind what it still sends. */
TEST_F(LowerBoundTest, HoldsWithASlowLink)
{
    auto scenarios = AllExchanges("tensor:40000B");
    for (auto& scenario : scenarios)
    {
        CostlyHosts(scenario);
        scenario.host.sumBytesPerSecond = 300'000'000;
        scenario.cluster.overrides = {{1, 1'000'000'000, 1.5}};
    }
    HoldsForAll(scenarios);
}

TEST_F(LowerBoundTest, HoldsForATraceWithCompute)
{
    const auto trace = WriteTrace("bounded",
                                  "layer,elements,forward_ns,backward_ns,update_ns",
                                  "a,3000,1000,2000,500\nb,5000,4000,6000,900\nc,2000,10,20,30\n");
    auto scenarios = AllExchanges(trace);
    Vary(scenarios, [](Scenario& s) { s.training.send = "layer"; });
    Vary(scenarios, [](Scenario& s) { s.training.overlap = false; });
    HoldsForAll(scenarios);
}

TEST_F(LowerBoundTest, HoldsAfterAWarmup)
{
    auto scenarios = AllExchanges("tensor:40000B");
    for (auto& scenario : scenarios)
    {
        scenario.training.iterations = 4;
        scenario.simulation.warmup = 2;
        Holds(scenario, Describe(scenario));
    }
}

/* A ring of 2 with 1 MB blocks: 2 steps of 685 frames of 1230.4 ns. A step's last frame crosses the
 * switch, 2 links, and 44 acknowledgements at most share each of two wires: 1 % in all. */
TEST_F(LowerBoundTest, IsNearALongRing)
{
    Holds(Bare("tensor:2MB"), "ring", 0.985);
}

/* 4 gradients of 1 MB into the aggregator, 4 copies out of it: latencies of 4 hops, less than 1 %,
 * and acknowledgements beside the copies, 44 of 67.2 ns per 685 frames of 1230.4 ns, 0.4 %. */
TEST_F(LowerBoundTest, IsNearALongWorkerAggregator)
{
    auto scenario = Bare("tensor:1MB", 4);
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.exchange.broadcast = "flat";
    Holds(scenario, "flat", 0.985);
}

/* The same over one server; over 4, each takes and returns 4 blocks of 250 kB, 2 * 4 * 172 frames in
 * 1693 us: latencies of 4 hops, 9 us, are half a percent of that. */
TEST_F(LowerBoundTest, IsNearLongParameterServers)
{
    auto scenario = Bare("tensor:1MB", 4);
    scenario.exchange.algorithm = "parameter-server";
    Holds(scenario, "one", 0.985);
    scenario.exchange.algorithm = "sharded-parameter-server";
    Holds(scenario, "four", 0.985);
}

TEST_F(LowerBoundTest, SaysWhatLimits)
{
    EXPECT_EQ(LimitedBy(Bare("tensor:1MB")), "link");

    // 100 Gb/s of link carry the small streams faster than 25.6 Gb/s of engine make them; to raise one
    // engine only leaves the other
    auto engines = Bare("tensor:1MB");
    engines.codec.name = "inceptionn";
    EXPECT_EQ(LimitedBy(engines), "both engines");
    engines.attributes = {{"inca::CompressionEngine::Clock", "200MHz"}};
    EXPECT_EQ(LimitedBy(engines), "decompression engine");
    engines.attributes = {{"inca::DecompressionEngine::Clock", "200MHz"}};
    EXPECT_EQ(LimitedBy(engines), "compression engine");
    engines.attributes.clear();
    engines.codec.name = "truncate"; // half the bytes: at 10 Gb/s as 20 Gb/s, below the engine
    EXPECT_EQ(LimitedBy(engines), "link");
    engines.cluster.bitsPerSecond = 100'000'000'000;
    EXPECT_EQ(LimitedBy(engines), "both engines");

    auto host = Bare("tensor:1MB");
    host.host.byteBytesPerSecond = 1'000'000'000; // 8 Gb/s
    EXPECT_EQ(LimitedBy(host), "host");

    EXPECT_EQ(LimitedBy(Bare(WriteTrace("slow-compute",
                                        "layer,elements,forward_ns,backward_ns,update_ns",
                                        "a,100,100000,200000,500\n"))),
              "compute");
}

/* An engine of 12 bits at 100 MHz: a frame of 1460 bytes takes 974 cycles of 10 ns. In a ring of 2, each
 * step sends 342 such frames and one of 680 bytes, 454 cycles: twice 342 * 9.74 us + 4.54 us. The last
 * frame goes on over two links, 418 bytes and 1 us each, and through an engine of 256 bits, 22 cycles: twice
 * 2.8888 us more. Then the second step begins. */
TEST_F(LowerBoundTest, KnowsEnginesThatAreNoWholeBytesWide)
{
    auto scenario = Bare("tensor:1MB");
    scenario.codec.name = "truncate";
    scenario.attributes = {{"inca::CompressionEngine::Width", "12"}};
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.plan.lowerBound.iterationPs, 2 * (342 * 9'740'000LL + 4'540'000 + 2'888'800));
    EXPECT_LE(outcome.plan.lowerBound.iterationPs, outcome.seen->iterationEndPs.back());
}

/* What [attributes] make of the links counts, as the key would. */
TEST_F(LowerBoundTest, KnowsLinksThatAttributesSet)
{
    auto scenario = Bare("tensor:1MB");
    scenario.attributes = {{"inca::Nic::DataRate", "100Gbps"}};
    Holds(scenario, "100 Gb/s by attribute", 0.9);
}

/* Attributes set keys: the bound is that of what is built. */
TEST(LowerBoundOfAttributes, HoldsWhereTheyMakeThingsFaster)
{
    Scenario scenario;
    scenario.training.trace = "tensor:1MB";
    scenario.attributes = {{"inca::RankApplication::SumRate", "0"}, {"inca::Nic::Mtu", "9000"}};
    const auto outcome = Simulate(scenario, [](double) {});
    EXPECT_LE(outcome.plan.lowerBound.iterationPs, outcome.seen->iterationEndPs.back());
    EXPECT_EQ(outcome.plan.lowerBound.limitedBy, "link");
}

} // namespace inca
