/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/switch/validation.h"

#include "base/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using testing::Each;
using testing::HasSubstr;

/** Remembers what was run; an exchange takes a millisecond, iterations end 100 ms after each other. */
class FakeRuns
{
  public:
    ValidationRequest Request(std::vector<std::string> models,
                              std::vector<std::string> settings = {})
    {
        ValidationRequest request;
        request.models = std::move(models);
        request.settings = std::move(settings);
        request.seeds = 2;
        request.run = [this](const Scenario& scenario, const RunProgress&) {
            runs.push_back(scenario.training.trace);
            latencies.push_back(scenario.cluster.latencyPs);
            RunRecord record;
            record.results.exchangeTimePs = 1'000'000'000;
            for (std::int64_t i = 1; i <= 10; ++i)
            {
                const auto seed = static_cast<std::int64_t>(scenario.simulation.seed);
                record.results.iterationEndsPs.push_back(i * 100'000'000'000 + seed);
            }
            return record;
        };
        return request;
    }

    std::vector<std::string> runs;
    std::vector<std::int64_t> latencies;
};

/* 4 line rates, then 3 pools of slots and 3 rings. */
TEST(ValidateSwitch, RunsThePartsThatAreAskedForInItsOrder)
{
    FakeRuns fake;
    const auto report = ValidateSwitch(fake.Request({"switchml", "line-rate"}));
    EXPECT_EQ(fake.runs.size(), 10U);
    ASSERT_EQ(report.comparisons.size(), 10U);
    EXPECT_EQ(report.comparisons.front().model, "line-rate");
    EXPECT_EQ(report.comparisons.back().model, "switchml");
    EXPECT_EQ(report.name, "switch");
}

/* Twice 1 run without a reference; twice 1 + 2 seeds with one. */
TEST(ValidateSwitch, DrawsSeedsOnlyWhereThereIsAReference)
{
    FakeRuns fake;
    ValidateSwitch(fake.Request({"googlenet-a100", "alexnet-a100"}));
    EXPECT_EQ(fake.runs.size(), 2U + 6U);
    EXPECT_EQ(fake.runs.front(), "alexnet-a100");
    EXPECT_EQ(fake.runs.back(), "googlenet-a100");
}

TEST(ValidateSwitch, HasTheTenModelsAndThreeParts)
{
    EXPECT_EQ(SwitchPartNames().size(), 13U);
    EXPECT_EQ(SwitchPartNames().front(), "alexnet-a100");
    EXPECT_EQ(SwitchPartNames().back(), "switchml");
}

TEST(ValidateSwitch, ChangesWhatIsSetInEveryRun)
{
    FakeRuns fake;
    const auto report = ValidateSwitch(fake.Request({"line-rate"}, {"cluster.latency=3us"}));
    EXPECT_THAT(report.title, HasSubstr("\n  with cluster.latency=3us"));
    EXPECT_THAT(fake.latencies, Each(3'000'000));
}

TEST(ValidateSwitch, RefusesWhatItSetsItself)
{
    FakeRuns fake;
    for (const auto* setting :
         {"cluster.workers=4", "switch.slots=64", "simulation.seed=2", "training.jitter=none"})
    {
        EXPECT_THROW(ValidateSwitch(fake.Request({"line-rate"}, {setting})), InputError);
    }
    EXPECT_TRUE(fake.runs.empty());
}

TEST(ValidateSwitch, RefusesAnUnknownPart)
{
    FakeRuns fake;
    EXPECT_THROW(ValidateSwitch(fake.Request({"line-rat"})), InputError);
    EXPECT_TRUE(fake.runs.empty());
}

} // namespace

} // namespace inca
