/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-warnings.h"

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
    return RunWarnings(scenario, Simulate(scenario, [](double) {}));
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

/* At 400 Gb/s a frame takes 30.76 ns and an acknowledgement 1.68; the round trip is 2 * (2 us + both),
 * 4064.88 ns or 133 frames, and 16 more wait for an acknowledgement: 149. */
TEST(RunWarnings, AWindowThatCannotFillTheLink)
{
    auto scenario = Tensor();
    scenario.cluster.bitsPerSecond = 400'000'000'000;
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre("transport.window: 64 frames cannot fill a link of 400Gbps over this "
                            "latency; it takes about 149"));
    scenario.transport.window = 149;
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
}

/* Over two leaves and a spine there are four links each way: 8129.76 ns or 265 frames, and 16 more. */
TEST(RunWarnings, AWindowThatCannotFillALongWay)
{
    auto scenario = Tensor();
    scenario.cluster.bitsPerSecond = 400'000'000'000;
    scenario.cluster.topology = "leaf-spine";
    scenario.cluster.hostsPerLeaf = 2;
    EXPECT_THAT(WarningsOf(scenario), ElementsAre(HasSubstr("it takes about 281")));
    scenario.transport.window = 281;
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
}

/* hdc's 2.6 MB fit one bucket of 25 MiB: there is nothing to overlap, to order or to have in flight. */
TEST(RunWarnings, KeysThatChangeNothingWithThisTrace)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    scenario.training.overlap = false;
    scenario.exchange.order = "priority";
    scenario.exchange.concurrent = 4;
    EXPECT_THAT(WarningsOf(scenario),
                ElementsAre(HasSubstr("training.overlap: has no effect"),
                            HasSubstr("exchange.order: has no effect"),
                            HasSubstr("exchange.concurrent: has no effect")));
    scenario.training.send = "layer";
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
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

TEST(RunWarnings, SizesThatStandOnOneGradient)
{
    Scenario scenario;
    scenario.training.trace = "hdc";
    scenario.codec.name = "inceptionn";
    EXPECT_THAT(WarningsOf(scenario), ElementsAre(HasSubstr("sizes only")));
    scenario.codec.name = "truncate"; // the same of every value
    EXPECT_THAT(WarningsOf(scenario), IsEmpty());
}

} // namespace inca
