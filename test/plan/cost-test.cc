/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/cost.h"

#include "plan/plan-maker.h"
#include "support/settings.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace inca
{

using testing::HasSubstr;
using testing::Not;

namespace
{

/** A ring of 4 workers with 4 MB at packet level, or what @p settings make of it. */
Scenario
Ring(const std::string& settings = "")
{
    return With({}, "training.trace=tensor:4MB simulation.mode=packet " + settings);
}

std::string
ComplaintOf(const std::string& settings)
{
    return WhyNot([&settings] { CostOf(Ring(settings)); });
}

} // namespace

/* Each of 4 workers gets 6 blocks of 1 MB, and computes one layer. 1 MB are 684.93 payloads of 1460 bytes,
 * and a last frame is counted for each message: 24 * 685.93 frames, over 2 links each. */
TEST(Cost, IsTheSumOfFramesTimesHopsAndMessages)
{
    const auto cost = CostOf(Ring());
    EXPECT_DOUBLE_EQ(cost.messages, 24 + 4);
    EXPECT_DOUBLE_EQ(cost.payloadBytes, 24e6);
    EXPECT_NEAR(cost.frames, 24 * (1e6 / 1460 + 1), 1e-6);
    EXPECT_NEAR(cost.cpuSeconds, cost.frames * 2 * 0.3e-6 + cost.messages * 3e-6, 1e-12);
    EXPECT_EQ(cost.valueSeconds, 0);
}

/* One of the 4 stands for all; 5 iterations are 5 times as much; of 16 micro-batches, one is exchanged. */
TEST(Cost, CountsWhatIsSimulated)
{
    const auto bytesOf = [](const std::string& settings) {
        return CostOf(Ring(settings)).payloadBytes;
    };
    EXPECT_DOUBLE_EQ(bytesOf("simulation.mode=auto"), 6e6);
    EXPECT_DOUBLE_EQ(bytesOf("training.iterations=5"), 120e6);
    EXPECT_DOUBLE_EQ(bytesOf("training.accumulation=16"), 24e6);
    EXPECT_DOUBLE_EQ(bytesOf("training.sharding=full training.accumulation=3"), 72e6);
}

TEST(Cost, ExpectsLongMessagesToRepeatThemselves)
{
    const auto framesOf = [](const std::string& mode) {
        return CostOf(Ring("exchange.algorithm=parameter-server simulation.mode=" + mode)).frames;
    };
    const auto all = 4 * (4e6 / 1460 + 1);
    // After six windows of 64 frames; a server, after six of each of its four workers.
    EXPECT_DOUBLE_EQ(framesOf("auto"), 4 * 6 * 64 * 4 + 4 * 6 * 64);
    EXPECT_NEAR(framesOf("packet"), 2 * all, 1e-3);
}

/* 64 workers: 16 of them are counted, and stand for 4 each. The server gets 64 tensors of 4 MB. */
TEST(Cost, LetsSomeRanksStandForOthers)
{
    const auto cost = CostOf(Ring("exchange.algorithm=parameter-server cluster.workers=64"));
    EXPECT_DOUBLE_EQ(cost.messages, 128 + 64);
    EXPECT_DOUBLE_EQ(cost.payloadBytes, 128 * 4e6);
}

/* 1 million values in packets of 256: 3,907, from each of 4 workers. */
TEST(Cost, CountsSumsOfSwitches)
{
    const auto cost = CostOf(Ring("exchange.algorithm=switch-slots switch.scaling=fixed"));
    EXPECT_DOUBLE_EQ(cost.payloadBytes, 16e6);
    EXPECT_GE(cost.frames, 4 * 3907);
}

/* 4 workers' own 1 million values, and the 6 million that a ring moves; carried ones cost more time each, and memory: 5.6
 * bytes of each of the 4 million of all workers. */
TEST(Cost, CountsValues)
{
    const auto with = [](const std::string& values, const std::string& mode) {
        return CostOf(Ring("training.values=" + values + " simulation.mode=" + mode));
    };
    EXPECT_NEAR(with("true", "packet").valueSeconds, 10e6 * 5e-9, 1e-9);
    EXPECT_NEAR(with("true", "auto").valueSeconds, 10e6 * 1.2e-9, 1e-9);
    EXPECT_NEAR(with("true", "auto").memoryBytes - with("false", "auto").memoryBytes, 16e6, 1);
    EXPECT_NEAR(with("true", "packet").memoryBytes - with("false", "packet").memoryBytes,
                16e6 + 5.6 * 4e6,
                1);
}

TEST(Cost, RefusesWhatTakesTooMuchAndSaysWhatHelps)
{
    const std::pair<const char*, const char*> rows[] = {
        {"simulation.max_cpu_time=1ms", "simulation.max_cpu_time: this run has about"},
        {"simulation.max_memory=1kB", "simulation.max_memory: this run has about"},
        {"simulation.max_cpu_time=1ms", "simulation.mode = \"auto\""},
        {"simulation.max_cpu_time=1ms training.iterations=2", "; fewer iterations,"},
        {"cluster.workers=65536", "a larger simulation.max_cpu_time lets it run"},
    };
    for (const auto& [settings, said] : rows)
    {
        EXPECT_THAT(ComplaintOf(settings), HasSubstr(said));
    }
    EXPECT_THAT(ComplaintOf("simulation.max_cpu_time=1ms"), Not(HasSubstr("fewer iterations")));
    EXPECT_EQ(ComplaintOf(""), "");
}

} // namespace inca
