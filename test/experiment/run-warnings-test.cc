/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-warnings.h"

#include "experiment/simulation.h"
#include "experiment/switch-fixture.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string>
WarningsOf(const Scenario& scenario)
{
    return RunWarnings(Simulate(MakePlan(scenario), [](double) {}));
}

Scenario
Tensor()
{
    Scenario scenario;
    scenario.training.trace = "tensor:100kB";
    return scenario;
}

} // namespace

TEST(RunWarnings, AreNoneForAPlainRun)
{
    EXPECT_THAT(WarningsOf(Tensor()), IsEmpty());
}

/* A port of 4 KiB holds two frames. */
TEST(RunWarnings, DropsAreCounted)
{
    auto scenario = Tensor();
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.cluster.bufferBytes = 4096;
    const auto warnings = WarningsOf(scenario);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_THAT(warnings[0], HasSubstr("frames were dropped"));
}

/* What is planned and what is seen, by topic: a window comes before drops, and those before sizes. */
TEST(RunWarnings, GoByTopic)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    scenario.codec.name = "inceptionn";
    scenario.exchange.algorithm = "worker-aggregator";
    scenario.cluster.bitsPerSecond = 400'000'000'000;
    scenario.cluster.bufferBytes = 2000;
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre(HasSubstr("transport.window"),
                            HasSubstr("frames were dropped"),
                            HasSubstr("sizes only")));
}

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SumWarnings : public SwitchFixture
{
  protected:
    static std::vector<std::string> WarningsOf(const Scenario& scenario)
    {
        return RunWarnings(Run(scenario));
    }
};

TEST_F(SumWarnings, AreNoneForAPlainRun)
{
    EXPECT_THAT(WarningsOf(Slots(40)), IsEmpty());
    EXPECT_THAT(WarningsOf(Tree(40)), IsEmpty());
}

/* Worker 1 is ready 54 us after worker 0, which asks again after 10. */
TEST_F(SumWarnings, WorkersThatAreNotReadyTogether)
{
    auto scenario = Slots(1);
    scenario.training.trace = TwoLayers();
    scenario.training.send = "end";
    SetKey(scenario, "switch.timeout", "10us");
    scenario.cluster.overrides = {{1, {}, 10.0}};
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre(testing::AllOf(HasSubstr("though none was lost: 10us is shorter"),
                                           HasSubstr("exchange.start = \"together\""))));
    scenario.exchange.start = "together";
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
    SetKey(scenario, "switch.timeout", "2us"); // a sum is there 2.88 us after its packet has left
    EXPECT_THAT(WarningsOf(scenario), ElementsAre(HasSubstr("2us is shorter than a round trip")));
}

TEST_F(SumWarnings, ValuesThatAreClamped)
{
    auto scenario = Slots(40);
    scenario.training.values = true;
    scenario.simulation.mode = "packet"; // frames carry them
    SetKey(scenario, "switch.fixed_exponent", "-20");
    EXPECT_THAT(WarningsOf(scenario), testing::Contains(HasSubstr("they were clamped")));
}

/* No scenario makes a pool smaller than what its workers use; a program of one's own may. */
TEST_F(SumWarnings, PoolsThatAreTooSmall)
{
    const auto scenario = Slots(40);
    auto outcome = Run(scenario);
    outcome.switches[0].droppedNoSlot = 3;
    EXPECT_THAT(RunWarnings(outcome),
                ElementsAre("switch: 3 packets found none of its 128 slots free: its workers use "
                            "more"));
}

} // namespace inca
