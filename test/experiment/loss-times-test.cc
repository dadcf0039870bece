/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What exchanges take on links that lose frames, beside what is reckoned without ns-3.
#include "exchange/exchange-catalog.h"
#include "experiment/lossy-exchange.h"
#include "experiment/scenario-fixture.h"
#include "scenario/keys.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * Means over seeds, in seconds. A run varies by up to twice their mean (one timeout, or none), so of both
 * sides as many are taken as make the standard error of their mean a twentieth: the 0.2 that may lie
 * between them is nearly three times that of their ratio.
 */
class LossTimes : public ScenarioFixture
{
  protected:
    static constexpr Rank WORKERS{8};
    static constexpr std::uint64_t FEWEST_RUNS{50}; ///< some of which wait for a timeout

    static Scenario Tensor(std::uint64_t bytes, const std::string& algorithm)
    {
        auto scenario = Bare("tensor:" + std::to_string(bytes) + "B", WORKERS);
        scenario.exchange.algorithm = algorithm;
        return scenario;
    }

    template <typename OneRun>
    static double Mean(const OneRun& endPsOf, std::uint64_t fewestRuns = FEWEST_RUNS)
    {
        double sum = 0;
        double squares = 0;
        for (std::uint64_t runs = 1;; ++runs)
        {
            const auto seconds = 1e-12 * static_cast<double>(endPsOf(runs));
            sum += seconds;
            squares += seconds * seconds;
            const auto count = static_cast<double>(runs);
            const auto mean = sum / count;
            if (runs >= fewestRuns && squares / count - mean * mean <= count * mean * mean / 400)
            {
                return mean;
            }
        }
    }

    static double Simulated(Scenario scenario, double loss, std::uint64_t fewestRuns = FEWEST_RUNS)
    {
        scenario.cluster.lossRate = loss;
        return Mean(
            [&](std::uint64_t seed) {
                scenario.simulation.seed = seed;
                return EndPs(scenario);
            },
            fewestRuns);
    }

    /** A frame passes two links. What losses cost is added to what the exchange takes without. */
    static double Reckoned(const Scenario& scenario, std::uint64_t bytes, double loss)
    {
        ExchangeSpec spec;
        spec.algorithm = scenario.exchange.algorithm;
        spec.workers = WORKERS;
        const auto plan = MakeStepPlan(spec, bytes / 4);
        LossyPath path;
        const auto withoutPs = EndPs(scenario) - LossyExchangePs(*plan, path, 1);
        path.loss = 1 - (1 - loss) * (1 - loss);
        return Mean(
            [&](std::uint64_t seed) { return withoutPs + LossyExchangePs(*plan, path, seed); });
    }

    static void ExpectReckoned(const std::string& algorithm, std::uint64_t bytes, double loss)
    {
        const auto scenario = Tensor(bytes, algorithm);
        EXPECT_NEAR(Simulated(scenario, loss) / Reckoned(scenario, bytes, loss), 1, 0.2)
            << algorithm << " " << loss;
    }

    /** @p tree is what switches make of 50 kB of 256 values a packet: 49, each in a slot of its own. */
    static void ExpectReckoned(Scenario scenario, LossyTree tree)
    {
        SetKey(scenario, "switch.scaling", "fixed");
        tree.packets = 49;
        tree.slots = 49;
        tree.hopPs = FramePs(256) + 4 * 800 + LINK_PS; // 82 bytes beside the values, not 78
        for (const double loss : {0.01, 0.1})
        {
            tree.loss = loss;
            const auto reckoned =
                Mean([&](std::uint64_t seed) { return LossySlotsPs(tree, seed); });
            EXPECT_NEAR(Simulated(scenario, loss) / reckoned, 1, 0.2) << loss;
        }
    }
};

TEST_F(LossTimes, OfRings)
{
    for (const double loss : {0.05, 0.1})
    {
        ExpectReckoned("ring", 50'000, loss);
        ExpectReckoned("hierarchical-ring", 50'000, loss);
    }
}

TEST_F(LossTimes, OfAggregators)
{
    for (const double loss : {0.05, 0.1})
    {
        ExpectReckoned("worker-aggregator", 50'000, loss);
        ExpectReckoned("hierarchical-aggregator", 50'000, loss);
    }
}

/* Each of 64 pairs of worker and server has one message each way, 9 frames of the 100 kB. Where the last
 * frame is lost a timeout is due, of 10 ms, as no round trip was measured: at 1 % loss per link in
 * 1 - 0.98^64 = 72 % of the runs in each direction, 14 ms in all, and more where a probe is lost. */
TEST_F(LossTimes, OfServers)
{
    ExpectReckoned("parameter-server", 50'000, 0.05);
    ExpectReckoned("parameter-server", 50'000, 0.1);
    for (const double loss : {0.01, 0.1})
    {
        ExpectReckoned("sharded-parameter-server", 100'000, loss);
    }
}

/* All workers are below one switch, node 0. */
TEST_F(LossTimes, OfSlots)
{
    ExpectReckoned(Tensor(50'000, "switch-slots"), {std::vector<std::size_t>(WORKERS + 1, 0)});
}

/* Four leaves of two workers each, and a spine: nodes 1 to 4, 5 to 12, and 0. */
TEST_F(LossTimes, OfATreeOfSwitches)
{
    auto scenario = Tensor(50'000, "switch-tree");
    scenario.cluster.topology = "leaf-spine";
    scenario.cluster.hostsPerLeaf = 2;
    ExpectReckoned(scenario, {{0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4}});
}

/* 4000 packets of a value, after 16 of exponents, through 16 slots, with a timeout of 10 ms: 251 packets of
 * each slot follow each other. A worker's timeout doubles after 100 timeouts, so here again and again,
 * unless sums set it back. */
TEST_F(LossTimes, OfFewSlots)
{
    auto scenario = Tensor(16'000, "switch-slots");
    SetKey(scenario, "switch.slots", "16");
    SetKey(scenario, "switch.values_per_packet", "1");
    SetKey(scenario, "switch.timeout", "10ms");
    const LossyTree tree{
        std::vector<std::size_t>(WORKERS + 1, 0), 0.1, 4016, 16, 67'200 + LINK_PS, 10'000'000'000};
    const auto reckoned = Mean([&](std::uint64_t seed) { return LossySlotsPs(tree, seed); });
    EXPECT_NEAR(Simulated(scenario, 0.1, 5) / reckoned, 1, 0.2); // of 251 packets each
}

/**
 * A tenth of all frames is lost on every link. Timeouts doubled with nothing heard, a repetition that was
 * lost waited for one, too, and in the end one took longer than the watchdog waits: exit 4.
 */
class HeavyLoss : public ScenarioFixture
{
  protected:
    static Scenario Lossy(const std::string& algorithm, std::uint32_t workers)
    {
        auto scenario = Bare("tensor:50kB", workers);
        scenario.exchange.algorithm = algorithm;
        scenario.cluster.lossRate = 0.1;
        return scenario;
    }
};

TEST_F(HeavyLoss, EndsEveryExchange)
{
    for (const auto& algorithm : ExchangeNames())
    {
        auto scenario = Lossy(algorithm, 8);
        if (algorithm != "switch-slots")
        {
            scenario.cluster.topology = "fat-tree"; // up to 6 links between two hosts
        }
        for (scenario.simulation.seed = 1; scenario.simulation.seed <= 10;
             ++scenario.simulation.seed)
        {
            EXPECT_NO_THROW(Run(scenario)) << algorithm << " " << scenario.simulation.seed;
        }
    }
}

/* Half of all round trips over 6 links and back fail, and a timeout of 1 ms doubles to 64 ms at most. 20
 * steps with some of them take less than a second; it was 263 s where it ended. */
TEST_F(HeavyLoss, TakesNoMinutesInARing)
{
    auto scenario = Lossy("ring", 11);
    scenario.cluster.topology = "fat-tree";
    for (scenario.simulation.seed = 1; scenario.simulation.seed <= 10; ++scenario.simulation.seed)
    {
        EXPECT_LT(EndPs(scenario), 10'000'000'000'000) << scenario.simulation.seed;
    }
}

/* A timeout longer than the watchdog's 10 s: it knows. */
TEST_F(HeavyLoss, OfATimeoutBeyondTheWatchdogs)
{
    auto scenario = Lossy("switch-slots", 4);
    SetKey(scenario, "switch.timeout", "20s");
    EXPECT_NO_THROW(Run(scenario));
    scenario = Lossy("ring", 4);
    SetKey(scenario, "transport.min_timeout", "20s");
    EXPECT_NO_THROW(Run(scenario));
}

} // namespace inca
