/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What exchanges take on links that lose frames, beside what is reckoned without ns-3.
#include "experiment/lossy-exchange.h"
#include "experiment/scenario-fixture.h"

#include "exchange/exchange-catalog.h"
#include "scenario/keys.h"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace inca
{

/**
 * Means over seeds, in seconds. Both sides are means of runs that vary: so many are taken that twice
 * the standard error of each is below a tenth.
 */
class LossTimes : public ScenarioFixture
{
  protected:
    static constexpr std::uint64_t BYTES{50'000};
    static constexpr Rank WORKERS{8};

    template <typename OneRun>
    static double Mean(std::uint64_t runs, const OneRun& endPsOf)
    {
        double sum = 0;
        for (std::uint64_t seed = 1; seed <= runs; ++seed)
        {
            sum += 1e-12 * static_cast<double>(endPsOf(seed));
        }
        return sum / static_cast<double>(runs);
    }

    static double Simulated(Scenario scenario, double loss, std::uint64_t runs)
    {
        scenario.cluster.lossRate = loss;
        return Mean(runs, [&](std::uint64_t seed) {
            scenario.simulation.seed = seed;
            return EndPs(scenario);
        });
    }

    /** A frame passes two links. What a loss costs is added to what the exchange takes without. */
    static double Reckoned(const Scenario& scenario, double loss, std::uint64_t runs)
    {
        ExchangeSpec spec;
        spec.algorithm = scenario.exchange.algorithm;
        spec.workers = scenario.cluster.workers;
        const auto plan = MakeStepPlan(spec, BYTES / 4);
        LossyPath path;
        const auto withoutPs = LossyExchangePs(*plan, path, 1);
        path.loss = 1 - (1 - loss) * (1 - loss);
        return 1e-12 * static_cast<double>(EndPs(scenario) - withoutPs) +
               Mean(runs, [&](std::uint64_t seed) { return LossyExchangePs(*plan, path, seed); });
    }

    static void ExpectReckoned(double loss, std::uint64_t runs)
    {
        for (const auto* algorithm : {"ring",
                                      "hierarchical-ring",
                                      "worker-aggregator",
                                      "hierarchical-aggregator",
                                      "parameter-server",
                                      "sharded-parameter-server"})
        {
            auto scenario = Bare("tensor:" + std::to_string(BYTES) + "B", WORKERS);
            scenario.exchange.algorithm = algorithm;
            const auto reckoned = Reckoned(scenario, loss, 10 * runs);
            EXPECT_NEAR(Simulated(scenario, loss, runs) / reckoned, 1, 0.2) << algorithm;
            printf("%s %g reckoned %g simulated %g\n",
                   algorithm,
                   loss,
                   reckoned,
                   Simulated(scenario, loss, runs));
        }
    }
};

TEST_F(LossTimes, AreReckonedAtOnePercent)
{
    ExpectReckoned(0.01, 300);
}

TEST_F(LossTimes, AreReckonedAtTenPercent)
{
    ExpectReckoned(0.1, 50);
}

/* 49 packets of 256 values, each in a slot of its own: what counts is the one that takes longest. */
TEST_F(LossTimes, OfSlots)
{
    auto scenario = Bare("tensor:50kB", WORKERS);
    scenario.exchange.algorithm = "switch-slots";
    SetKey(scenario, "switch.scaling", "fixed");
    LossyTree tree{std::vector<std::size_t>(WORKERS + 1, 0), 0, 49, 49, 884'800 + LINK_PS};
    for (const double loss : {0.01, 0.1})
    {
        tree.loss = loss;
        const auto reckoned =
            Mean(500, [&](std::uint64_t seed) { return LossySlotsPs(tree, seed); });
        const auto simulated = Simulated(scenario, loss, 50);
        EXPECT_NEAR(simulated / reckoned, 1, 0.2) << loss;
        printf("slots %g reckoned %g simulated %g\n", loss, reckoned, simulated);
    }
}

/* 4000 packets of a value, after 16 of exponents, through 16 slots, with a timeout of 10 ms: 251 packets
 * of each slot follow each other. The timeout doubles after 100, and falls back at once. */
TEST_F(LossTimes, OfFewSlots)
{
    auto scenario = Bare("tensor:16kB", WORKERS);
    scenario.exchange.algorithm = "switch-slots";
    SetKey(scenario, "switch.slots", "16");
    SetKey(scenario, "switch.values_per_packet", "1");
    SetKey(scenario, "switch.timeout", "10ms");
    const LossyTree tree{
        std::vector<std::size_t>(WORKERS + 1, 0), 0.1, 4016, 16, 67'200 + LINK_PS, 10'000'000'000};
    const auto reckoned = Mean(20, [&](std::uint64_t seed) { return LossySlotsPs(tree, seed); });
    const auto simulated = Simulated(scenario, 0.1, 5);
    EXPECT_NEAR(simulated / reckoned, 1, 0.2);
    printf("few reckoned %g simulated %g\n", reckoned, simulated);
}

/* Four leaves of two workers each, and a spine: nodes 0, 1 to 4, and 5 to 12. */
TEST_F(LossTimes, OfATreeOfSwitches)
{
    auto scenario = Bare("tensor:50kB", WORKERS);
    scenario.exchange.algorithm = "switch-tree";
    scenario.cluster.topology = "leaf-spine";
    scenario.cluster.hostsPerLeaf = 2;
    SetKey(scenario, "switch.scaling", "fixed");
    LossyTree tree{{0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4}, 0, 49, 49, 884'800 + LINK_PS};
    for (const double loss : {0.01, 0.1})
    {
        tree.loss = loss;
        const auto reckoned =
            Mean(500, [&](std::uint64_t seed) { return LossySlotsPs(tree, seed); });
        const auto simulated = Simulated(scenario, loss, 50);
        EXPECT_NEAR(simulated / reckoned, 1, 0.2) << loss;
        printf("tree %g reckoned %g simulated %g\n", loss, reckoned, simulated);
    }
}

} // namespace inca
