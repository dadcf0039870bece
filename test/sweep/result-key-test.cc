/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/result-key.h"

#include "base/errors.h"
#include "trace/trace-catalog.h"

#include <gtest/gtest.h>

#include <fstream>

namespace inca
{

namespace
{

Scenario
ScenarioOf(const std::string& trace)
{
    Scenario scenario;
    scenario.training.trace = trace;
    scenario.training.readTrace = std::make_shared<const GradientTrace>(FindTrace(trace));
    return scenario;
}

std::string
KeyOf(const Scenario& scenario)
{
    return ResultKey(ResultInputs().Of(scenario));
}

std::string
Copied(const std::string& name)
{
    auto path = testing::TempDir() + name;
    std::ofstream(path) << std::ifstream(INCA_SOURCE_DIR "/traces/hdc.csv").rdbuf();
    return path;
}

} // namespace

/* RFC 4122's version 5 in the version's place; the same ever after. */
TEST(ResultKey, IsAUuidOfItsInputs)
{
    const auto key = ResultKey({"a=1", "b=2"});
    EXPECT_EQ(key.size(), 36U);
    EXPECT_EQ(key[14], '5');
    EXPECT_EQ(key, ResultKey({"a=1", "b=2"}));
    EXPECT_NE(key, ResultKey({"a=1", "b=3"}));
}

TEST(ResultKey, IsOfWhatATraceHoldsNotOfItsName)
{
    const auto one = ScenarioOf(Copied("key-one.csv"));
    const auto same = ScenarioOf(Copied("key-same.csv"));
    const auto other = ScenarioOf("alexnet");
    EXPECT_EQ(KeyOf(one), KeyOf(same));
    EXPECT_NE(KeyOf(one), KeyOf(other));
    EXPECT_EQ(KeyOf(ScenarioOf("tensor:4MB")), KeyOf(ScenarioOf("tensor:4000kB")));
    EXPECT_NE(KeyOf(ScenarioOf("tensor:4MB")), KeyOf(ScenarioOf("tensor:4MiB")));
}

TEST(ResultKey, IsOfKeysSeedAndAttributes)
{
    const auto plain = ScenarioOf("tensor:4MB");
    auto changed = plain;
    changed.cluster.latencyPs += 1;
    EXPECT_NE(KeyOf(changed), KeyOf(plain));
    changed = plain;
    changed.simulation.seed = 2;
    EXPECT_NE(KeyOf(changed), KeyOf(plain));
    changed = plain;
    changed.attributes = {{"inca::Nic::A", "1"}};
    EXPECT_NE(KeyOf(changed), KeyOf(plain));
}

TEST(ResultKey, IsOfWhatFilesOfValuesHold)
{
    const auto path = testing::TempDir() + "key-values.safetensors";
    auto scenario = ScenarioOf("tensor:4MB");
    scenario.training.values = true;
    scenario.training.valuesFile = path;
    std::ofstream(path) << "one";
    const auto one = KeyOf(scenario);
    std::ofstream(path) << "two";
    EXPECT_NE(KeyOf(scenario), one);
    scenario.training.valuesFile = "/no/file";
    EXPECT_THROW(KeyOf(scenario), InputError);
}

} // namespace inca
