/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/run-experiment.h"
#include "plan/train-choice.h"
#include "record/precision.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Settings = std::vector<std::pair<std::string, std::string>>;

Scenario
Set(const Settings& settings)
{
    Scenario scenario;
    scenario.training.trace = "tensor:4MB";
    scenario.simulation.framesPerTrain = 8;
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

} // namespace

/* 11,680 bits of a full frame are 1,460 cycles of 8 bits at 100 MHz, 14.6 us, where the wire takes 1.23 us: servers
 * with shares were 13 % off behind such engines. Of 256 bits they are 46 cycles, 0.46 us. */
TEST(ChoiceOfTrains, AreNotMadeWhereEnginesAreSlowerThanWires)
{
    const Settings engines{{"codec.name", "truncate"}, {"engine.clock", "100MHz"}};
    auto slow = engines;
    slow.emplace_back("engine.width", "8");
    EXPECT_EQ(ChooseTrains(Set(slow)).frames, 1U);
    auto fast = engines;
    fast.emplace_back("engine.width", "256");
    EXPECT_EQ(ChooseTrains(Set(fast)).frames, 8U);
}

/* Up to 26 % off over trunks. */
TEST(ChoiceOfTrains, AreNotMadeWherePeersMeet)
{
    for (const auto* algorithm : {"tree", "halving-doubling", "sharded-parameter-server"})
    {
        EXPECT_EQ(ChooseTrains(Set({{"exchange.algorithm", algorithm}})).frames, 1U) << algorithm;
    }
    for (const auto* algorithm : {"ring", "parameter-server"})
    {
        EXPECT_EQ(ChooseTrains(Set({{"exchange.algorithm", algorithm}})).frames, 8U) << algorithm;
    }
}

} // namespace inca
