/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-warnings.h"

#include "experiment/simulation.h"
#include "plan/plan-maker.h"

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

} // namespace inca
