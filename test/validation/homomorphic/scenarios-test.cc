/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/homomorphic/scenarios.h"

#include "exchange/slot-scheme.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "validation/switch/slot-times.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Every setting, defaults included, a line each. */
std::string
Text(const Scenario& scenario)
{
    std::string text;
    for (const auto& setting : ResolvedSettings(scenario))
    {
        text += setting.table + "." + setting.key + " = " + setting.text + "\n";
    }
    return text;
}

void
ExpectReadAsMade(const Scenario& scenario)
{
    const auto read = ParseScenario(FormatScenario(scenario), "made", {});
    EXPECT_EQ(Text(read.scenario), Text(scenario));
    EXPECT_TRUE(read.warnings.empty()) << read.warnings.front();
}

TEST(HomomorphicScenarios, ModelsAreWhatTheReaderTakes)
{
    for (const auto& exchange : HomomorphicExchanges())
    {
        const ModelNetwork network{"ncf", exchange, 25};
        for (const bool overlap : {false, true})
        {
            ExpectReadAsMade(ModelBaseline(network, overlap));
            for (const auto& sparsity : HomomorphicSparsities())
            {
                ExpectReadAsMade(ModelCompressed(network, sparsity, overlap));
            }
        }
    }
}

TEST(HomomorphicScenarios, BenchmarksAreWhatTheReaderTakes)
{
    ExpectReadAsMade(BenchmarkBaseline(40));
    for (const auto& setup : BenchmarkSetups())
    {
        ExpectReadAsMade(BenchmarkCompressed(setup, 8));
    }
}

/* The example's GPUs add at host.sum_rate; the validation's hosts cost nothing. */
TEST(HomomorphicScenarios, BenchmarkIsWhatTheExampleSaysButForHosts)
{
    auto example =
        ReadScenario(INCA_SOURCE_DIR "/examples/homomorphic/benchmark.toml", {}).scenario;
    example.host.sumBytesPerSecond = 0;
    EXPECT_EQ(Text(example), Text(BenchmarkCompressed({"bits-4", "dependent", 100}, 10)));
}

/* An IP packet holds 9000 bytes; a frame of 2229 values is 8998 on the wire. */
TEST(HomomorphicScenarios, FillJumboFrames)
{
    const auto scenario = ModelBaseline({"lstm", "switch-slots", 100}, true);
    EXPECT_EQ(scenario.cluster.mtu, 9000U);
    EXPECT_EQ(SlotFrameBytes(ReadSlotSettings(scenario.aggregation).valuesPerPacket), 8998U);
}

TEST(HomomorphicScenarios, SparsitiesAreNaturalAndOneInTwenty)
{
    const auto& sparsities = HomomorphicSparsities();
    ASSERT_EQ(sparsities.size(), 5U);
    const auto natural = ModelCompressed({"lstm", "ring", 10}, sparsities[0], true);
    EXPECT_FALSE(natural.training.density.has_value());
    EXPECT_EQ(natural.training.unionExponent, 1.0);
    const auto sparse = ModelCompressed({"lstm", "ring", 10}, sparsities[3], true);
    EXPECT_EQ(sparse.training.density, 0.05);
    EXPECT_EQ(sparse.training.unionExponent, 0.0);
    EXPECT_FALSE(sparse.codec.ratio.has_value()) << "the safe one";
    EXPECT_EQ(ModelCompressed({"lstm", "ring", 10}, sparsities[4], true).codec.ratio, 10.0);
}

} // namespace

} // namespace inca
