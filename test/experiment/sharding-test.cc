/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Training whose workers keep the optimizer's state of a part of the model each.
#include "experiment/run-experiment.h"
#include "experiment/scenario-fixture.h"
#include "scenario/checks.h"
#include "scenario/keys.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace inca
{

class Sharding : public ScenarioFixture
{
  protected:
    static constexpr std::int64_t UPDATE_PS{8'000'000'000};

    /** One layer of 40,000 values, whose update takes 8 ms. */
    static Scenario Of(const std::string& exchange, std::uint32_t workers)
    {
        const auto path = WriteTrace("sharding",
                                     "layer,elements,forward_ns,backward_ns,update_ns,exponents",
                                     "only,40000,1000,2000,8000000,121:1\n");
        Scenario scenario;
        scenario.training.trace = path;
        scenario.exchange.algorithm = exchange;
        scenario.cluster.workers = workers;
        return scenario;
    }

    static RunRecord Run(Scenario scenario, const std::string& sharding)
    {
        scenario.training.sharding = sharding;
        return RunExperiment(scenario, {});
    }
};

/* The same messages, and each of N workers updates an N-th of the weights: U (1 - 1/N) less. A gradient's
 * sum is updated before it goes round, so nothing is updated afterwards. */
TEST_F(Sharding, SavesAllButAShareOfTheUpdate)
{
    for (const auto* exchange : {"ring", "halving-doubling"})
    {
        for (const std::uint32_t workers : {2U, 4U, 8U})
        {
            const auto whole = Run(Of(exchange, workers), "none").results;
            const auto shard = Run(Of(exchange, workers), "optimizer").results;
            EXPECT_EQ(whole.iterationTimePs - shard.iterationTimePs,
                      UPDATE_PS - UPDATE_PS / workers)
                << exchange << " of " << workers;
            EXPECT_EQ(shard.wireBytes, whole.wireBytes);
            EXPECT_LE(*shard.lowerBoundPs, shard.iterationTimePs);
        }
    }
}

/* Gradients are compressed, weights are not: of 10 bits a value of 32 one way, all 32 the other. */
TEST_F(Sharding, CompressesNoWeights)
{
    auto scenario = Of("ring", 4);
    SetKey(scenario, "codec.name", "truncate");
    SetKey(scenario, "codec.drop_bits", "22");
    const auto plain = Run(Of("ring", 4), "none").results;
    const auto both = Run(scenario, "none").results;
    const auto one = Run(scenario, "optimizer").results;
    EXPECT_LT(both.wireBytes, one.wireBytes);
    EXPECT_LT(one.wireBytes, plain.wireBytes);
    // half of what the codec saves on both ways
    EXPECT_NEAR(static_cast<double>(plain.wireBytes - one.wireBytes),
                0.5 * static_cast<double>(plain.wireBytes - both.wireBytes),
                2);
}

TEST_F(Sharding, CarriesValues)
{
    for (const auto* exchange : {"ring", "halving-doubling"})
    {
        for (const auto* codec : {"none", "inceptionn"})
        {
            auto scenario = Of(exchange, 4);
            scenario.training.values = true;
            scenario.codec.name = codec;
            EXPECT_TRUE(Run(scenario, "optimizer").results.sumErrorMax.has_value());
        }
    }
}

/* Two iterations, slow and fast workers: each updates its shard at its own pace; the run ends. */
TEST_F(Sharding, TakesChannelsAndSlowWorkers)
{
    auto scenario = Of("ring", 4);
    scenario.training.iterations = 2;
    scenario.cluster.overrides = {{1, std::nullopt, 3.0}};
    SetKey(scenario, "ring.channels", "2");
    const auto whole = Run(scenario, "none").results;
    const auto shard = Run(scenario, "optimizer").results;
    EXPECT_LT(shard.iterationTimePs, whole.iterationTimePs);
}

TEST_F(Sharding, IsRefusedWhereNobodySumsAPart)
{
    for (const auto* exchange :
         {"tree", "parameter-server", "hierarchical-ring", "worker-aggregator"})
    {
        auto scenario = Of(exchange, 4);
        scenario.training.sharding = "optimizer";
        const auto complaints = Complaints(scenario);
        ASSERT_FALSE(complaints.empty()) << exchange;
        EXPECT_EQ(complaints.front().key, "training.sharding");
    }
    auto odd = Of("halving-doubling", 6);
    EXPECT_TRUE(Complaints(odd).empty());
    odd.training.sharding = "optimizer";
    EXPECT_EQ(Complaints(odd).front().key, "cluster.workers");
}

} // namespace inca
