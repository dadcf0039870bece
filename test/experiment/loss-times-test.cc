/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What exchanges take on links that lose frames, beside what is reckoned without ns-3.
#include "exchange/exchange-catalog.h"
#include "experiment/lossy-exchange.h"
#include "experiment/scenario-fixture.h"

#include <string>
#include <tuple>
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

/* Each of 64 pairs of worker and sharded server has one message each way, 9 frames of the 100 kB. Where the last
 * frame is lost a timeout is due, of 10 ms, as no round trip was measured: at 1 % loss per link in
 * 1 - 0.98^64 = 72 % of the runs in each direction, 14 ms in all, and more where a probe is lost. */
TEST_F(LossTimes, OfHosts)
{
    const std::tuple<const char*, std::uint64_t, double> rows[] = {
        {"ring", 50'000, 0.05},
        {"hierarchical-ring", 50'000, 0.05},
        {"worker-aggregator", 50'000, 0.05},
        {"hierarchical-aggregator", 50'000, 0.05},
        {"parameter-server", 50'000, 0.05},
        {"sharded-parameter-server", 100'000, 0.01},
    };
    for (const auto& [algorithm, bytes, leastLoss] : rows)
    {
        ExpectReckoned(algorithm, bytes, leastLoss);
        ExpectReckoned(algorithm, bytes, 0.1);
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
    ExpectReckoned(
        With(Tensor(50'000, "switch-tree"), "cluster.topology=leaf-spine cluster.hosts_per_leaf=2"),
        {{0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4}});
}

/* 4000 packets of a value, after 16 of exponents, through 16 slots, with a timeout of 10 ms: 251 packets of
 * each slot follow each other. A worker's timeout doubles after 100 timeouts, so here again and again,
 * unless sums set it back. */
TEST_F(LossTimes, OfFewSlots)
{
    const auto scenario = With(Tensor(16'000, "switch-slots"),
                               "switch.slots=16 switch.values_per_packet=1 switch.timeout=10ms");
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
    static Scenario Lossy(const std::string& algorithm, const std::string& settings)
    {
        return With(Bare("tensor:50kB", 8),
                    "cluster.loss_rate=0.1 exchange.algorithm=" + algorithm + " " + settings);
    }
};

TEST_F(HeavyLoss, EndsEveryExchange)
{
    for (const auto& algorithm : ExchangeNames())
    {
        // up to 6 links between two hosts
        const std::string topology = algorithm == "switch-slots" ? "star" : "fat-tree";
        auto scenario = Lossy(algorithm, "cluster.topology=" + topology);
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
    auto scenario = Lossy("ring", "cluster.workers=11 cluster.topology=fat-tree");
    for (scenario.simulation.seed = 1; scenario.simulation.seed <= 10; ++scenario.simulation.seed)
    {
        EXPECT_LT(EndPs(scenario), 10'000'000'000'000) << scenario.simulation.seed;
    }
}

/* A timeout longer than the watchdog's 10 s: it knows. */
TEST_F(HeavyLoss, OfATimeoutBeyondTheWatchdogs)
{
    EXPECT_NO_THROW(Run(Lossy("switch-slots", "cluster.workers=4 switch.timeout=20s")));
    EXPECT_NO_THROW(Run(Lossy("ring", "cluster.workers=4 transport.min_timeout=20s")));
}

} // namespace inca
