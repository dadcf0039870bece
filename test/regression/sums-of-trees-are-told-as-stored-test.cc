/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/scenario-fixture.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"

#include <utility>
#include <vector>

namespace inca
{

/**
 * A tree's steps get what is added and what is put down, and all of it was told as the latter: the time left grew from
 * the middle of a run to its end. And sketches were told as messages, while workers coded them. All messages of 8 workers
 * are counted in estimates, so that a run does, part by part, what is estimated, but for what rounds blocks to
 * whole values.
 */
class TellsWork : public ScenarioFixture, public testing::WithParamInterface<const char*>
{
  protected:
    using Settings = std::vector<std::pair<const char*, const char*>>;

    static Scenario Values(const Settings& settings)
    {
        auto scenario = Bare("tensor:400kB", 8);
        SetKey(scenario, "training.values", "true");
        SetKey(scenario, "training.iterations", "2");
        SetKey(scenario, "simulation.mode", "packet");
        for (const auto& [key, value] : settings)
        {
            SetKey(scenario, key, value);
        }
        return scenario;
    }

    static void ExpectAll(double done, double all)
    {
        constexpr double rounding = 0.01; // a frame in a hundred
        EXPECT_NEAR(done, all, rounding * all);
    }

    static void ExpectAllDone(const Scenario& scenario)
    {
        const auto outcome = Run(scenario);
        const auto& work = outcome.plan.estimate.work;
        ExpectAll(outcome.seen->work.added, work.added);
        ExpectAll(outcome.seen->work.stored, work.stored);
        ExpectAll(outcome.seen->work.coded, work.coded);
    }
};

TEST_P(TellsWork, ByWhatBecomesOfMessages)
{
    ExpectAllDone(Values({{"exchange.algorithm", GetParam()}}));
}

INSTANTIATE_TEST_SUITE_P(OfExchanges,
                         TellsWork,
                         testing::Values("ring",
                                         "tree",
                                         "halving-doubling",
                                         "worker-aggregator",
                                         "parameter-server",
                                         "sharded-parameter-server"));

TEST_F(TellsWork, OfGathersBeforeSums)
{
    ExpectAllDone(Values({{"training.sharding", "full"}}));
}

/* Two iterations in which 8 workers encode 100,000 values for each of a sketch's two rounds, and decode their sums. */
TEST_F(TellsWork, OfSketchesThatWorkersCode)
{
    const auto scenario = Values({{"codec.name", "homomorphic"}, {"training.density", "0.05"}});
    const auto estimate = MakePlan(scenario).estimate;
    const auto ofValue = 2 * estimate.cost.perEncodedValue + estimate.cost.perDecodedValue;
    EXPECT_NEAR(estimate.work.coded, 1.6e6 * ofValue, 1e-9);
    ExpectAllDone(scenario);
}

} // namespace inca
