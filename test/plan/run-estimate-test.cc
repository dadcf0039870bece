/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/run-estimate.h"

#include "base/errors.h"
#include "plan/plan-maker.h"
#include "scenario/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

using testing::HasSubstr;

namespace
{

/** A ring of 4 workers with 4 MB at packet level, or what @p settings make of it. */
Scenario
Ring(const std::vector<std::pair<std::string, std::string>>& settings = {})
{
    Scenario scenario;
    scenario.training.trace = "tensor:4MB";
    scenario.simulation.framesPerTrain = 1;
    for (const auto& [key, text] : settings)
    {
        SetKey(scenario, key, text);
    }
    return scenario;
}

std::string
ComplaintOf(const Scenario& scenario)
{
    try
    {
        MakePlan(scenario);
    }
    catch (const InputError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

/* Each of 4 workers gets 6 blocks of 1 MB: 24 messages, 24 MB. 1 MB are 684.93 payloads of 1460 bytes,
 * and a last frame is counted for each message: 24 * 685.93 frames. */
TEST(RunEstimate, CountsWhatTravels)
{
    const auto estimate = MakePlan(Ring()).estimate;
    EXPECT_DOUBLE_EQ(estimate.messages, 24);
    EXPECT_DOUBLE_EQ(estimate.payloadBytes, 24e6);
    EXPECT_NEAR(estimate.frames, 24 * (1e6 / 1460 + 1), 1e-6);
}

/* 24 messages of 1 MB: what one costs, 24 times, is what all do: all of it is done in the end. */
TEST(RunEstimate, IsTheSumOfWhatMessagesCost)
{
    const auto estimate = MakePlan(Ring()).estimate;
    EXPECT_EQ(estimate.work.added, 0);
    EXPECT_GT(estimate.work.stored, 0);
    EXPECT_NEAR(estimate.work.stored, 24 * estimate.cost.Of(1e6, true), 1e-12);
    EXPECT_GE(estimate.cpuSeconds, estimate.work.OfMessages());
}

/* Values cost where they are added: the same ring with them, 12 MB of 24. Stored ones stay where they are. */
TEST(RunEstimate, TellsAddedValuesFromStoredOnes)
{
    const auto plain = MakePlan(Ring()).estimate;
    const auto estimate = MakePlan(Ring({{"training.values", "true"}})).estimate;
    EXPECT_DOUBLE_EQ(estimate.addedBytes, 12e6);
    EXPECT_DOUBLE_EQ(estimate.work.stored, plain.work.stored / 2);
    EXPECT_NEAR(estimate.work.stored, 12 * estimate.cost.Of(1e6, false), 1e-12);
    EXPECT_NEAR(estimate.work.added, 12 * estimate.cost.Of(1e6, true), 1e-12);
    EXPECT_NEAR(estimate.cpuSeconds,
                plain.cpuSeconds + estimate.work.OfMessages() - plain.work.stored +
                    estimate.work.verified,
                1e-12);
}

/* One of the 4 stands for all; 5 iterations are 5 times as much. */
TEST(RunEstimate, CountsWhoIsSimulated)
{
    const auto folded = MakePlan(Ring({{"simulation.frames_per_train", "auto"}})).estimate;
    EXPECT_DOUBLE_EQ(folded.messages, 6);
    const auto longer = MakePlan(Ring({{"training.iterations", "5"}})).estimate;
    EXPECT_DOUBLE_EQ(longer.messages, 120);
}

/* Two workers, each half of 4 GB twice: 4 messages of 1.4 million frames, of which 6 windows of 64 are
 * expected to be simulated, and of one worker only. */
TEST(RunEstimate, ExpectsLongMessagesToRepeatThemselves)
{
    const auto settings = [](const char* mode) {
        return Ring({{"training.trace", "tensor:4GB"},
                     {"cluster.workers", "2"},
                     {"simulation.frames_per_train", mode}});
    };
    EXPECT_DOUBLE_EQ(MakePlan(settings("auto")).estimate.frames, 2 * 6 * 64);
    EXPECT_NEAR(MakePlan(settings("1")).estimate.frames, 4 * (2e9 / 1460 + 1), 1e-3);
}

/* 64 workers: 16 of them are counted, and stand for 4 each. The server gets 64 tensors of 4 MB. */
TEST(RunEstimate, LetsSomeRanksStandForOthers)
{
    const auto estimate =
        MakePlan(Ring({{"exchange.algorithm", "parameter-server"}, {"cluster.workers", "64"}}))
            .estimate;
    EXPECT_DOUBLE_EQ(estimate.messages, 128);
    EXPECT_DOUBLE_EQ(estimate.payloadBytes, 128 * 4e6);
}

/* A gather and sums, of 3 steps each, are an all-reduce's 24 messages, in every micro-batch. */
TEST(RunEstimate, CountsExchangedMicroBatches)
{
    const auto of = [](const char* accumulation) {
        return MakePlan(
                   Ring({{"training.sharding", "full"}, {"training.accumulation", accumulation}}))
            .estimate.messages;
    };
    EXPECT_DOUBLE_EQ(of("1"), 24);
    EXPECT_DOUBLE_EQ(of("3"), 72);
}

/* What stands for weights is kept twice where it travels, by its owner and to verify it: 2 * 4 MB. */
TEST(RunEstimate, KeepsWeights)
{
    const auto memoryOf = [](const char* sharding, const char* values) {
        return MakePlan(Ring({{"training.sharding", sharding}, {"training.values", values}}))
            .estimate.memoryBytes;
    };
    const auto ofValues = [memoryOf](const char* sharding) {
        return memoryOf(sharding, "true") - memoryOf(sharding, "false");
    };
    EXPECT_NEAR(ofValues("full") - ofValues("optimizer"), 2 * 4e6, 1);
}

/*
 * 4 MB and 4 workers. Each of a ring adds a quarter at once, a server all four gradients; they end with one copy, or,
 * where switches tell each its sum, with four: 8, 20 and 16 MB, of which 1.2 times as much is in memory.
 */
TEST(RunEstimate, KeepsWhatFramesBring)
{
    const auto memoryOf = [](const char* exchange, const char* values) {
        return MakePlan(Ring({{"exchange.algorithm", exchange}, {"training.values", values}}))
            .estimate.memoryBytes;
    };
    const auto ofValues = [memoryOf](const char* exchange) {
        return memoryOf(exchange, "true") - memoryOf(exchange, "false");
    };
    const double windows = 4e6; // of 4 ranks
    EXPECT_NEAR(ofValues("ring"), 1.2 * 8e6 + windows, 1);
    EXPECT_NEAR(ofValues("parameter-server"), 1.2 * 20e6 + windows + 1e6, 1);
    EXPECT_NEAR(ofValues("switch-slots"), 1.2 * 16e6 + windows, 1);
}

/* 1 million values in packets of 256: 3,907, from each of 4 workers. */
TEST(RunEstimate, CountsSumsOfSwitches)
{
    const auto estimate =
        MakePlan(Ring({{"exchange.algorithm", "switch-slots"}, {"switch.scaling", "fixed"}}))
            .estimate;
    EXPECT_DOUBLE_EQ(estimate.payloadBytes, 16e6);
    EXPECT_GE(estimate.frames, 4 * 3907);
}

TEST(RunEstimate, RefusesWhatTakesTooLong)
{
    EXPECT_THAT(ComplaintOf(Ring({{"simulation.max_cpu_time", "1ms"}})),
                HasSubstr("simulation.max_cpu_time: this run has about"));
    EXPECT_THAT(ComplaintOf(Ring({{"simulation.max_memory", "1kB"}})),
                HasSubstr("simulation.max_memory: this run has about"));
    EXPECT_THAT(ComplaintOf(Ring({{"simulation.max_cpu_time", "1ms"}})),
                HasSubstr("simulation.frames_per_train = \"auto\""));
    EXPECT_EQ(ComplaintOf(Ring()), "");
}

/* 65,536 workers send 8.6 billion messages round a ring: refused at once. */
TEST(RunEstimate, RefusesWhatGrowsWithTheSquare)
{
    EXPECT_THAT(ComplaintOf(Ring({{"cluster.workers", "65536"}})),
                HasSubstr("simulation.max_cpu_time"));
}

} // namespace inca
