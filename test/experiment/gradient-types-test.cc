/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/word-sum.h"
#include "codec/codec-catalog.h"
#include "exchange/exchange-catalog.h"
#include "experiment/scenario-fixture.h"
#include "trace/safetensors-writer.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Names = std::vector<std::string>;

Names
Exchanges()
{
    Names exchanges;
    for (const auto& name : ExchangeCatalog().Names())
    {
        const auto settings = "exchange.algorithm=" + name;
        if (name.rfind("switch-", 0) != 0)
        {
            exchanges.push_back(settings);
            exchanges.push_back(settings + " training.sharding=optimizer");
            continue;
        }
        const auto* const tree = " cluster.topology=leaf-spine cluster.hosts_per_leaf=2";
        for (const auto& adder : AdderNames())
        {
            exchanges.push_back(settings + (name == "switch-tree" ? tree : "") +
                                " switch.adder=" + adder);
        }
    }
    return exchanges;
}

/** With only sizes, values that are replayed beside them, and values in frames. */
Names
AllSettings()
{
    Names codecs{" codec.name=none"};
    for (const auto& name : CodecNames())
    {
        for (const auto* placement : {"nic", "cpu", "gpu"})
        {
            // no statistics tell the size of what netzip makes
            codecs.push_back(" codec.name=" + name + " codec.placement=" + placement +
                             (name == "netzip" ? " codec.bits_per_value=28" : ""));
        }
    }
    Names all;
    for (const auto& exchange : Exchanges())
    {
        for (const auto& codec : codecs)
        {
            for (const auto* values :
                 {"", " training.values=true", " training.values=true simulation.mode=packet"})
            {
                all.push_back(exchange + codec + values);
            }
        }
    }
    return all;
}

} // namespace

using GradientTypes = ScenarioFixture;

/*
 * Every exchange, sharded or not, adder, codec and place, by size and with values: each run proves its sums to the bit, and
 * what cannot run is refused whatever the type; nothing else may come of it. Gradients of 16 bits are half as large, as are
 * weights. What a codec or a switch takes it takes as words of 4 bytes, so where only sizes count as much travels; without
 * either, half.
 */
TEST_F(GradientTypes, RunWithEveryExchangeAdderAndCodec)
{
    constexpr std::uint64_t elements = 2348;
    constexpr std::uint64_t workers = 4;
    const auto trace =
        WriteTrace("types",
                   "layer,elements,tensors,forward_ns,backward_ns,update_ns,density,exponents",
                   "sparse,2048,,1000,2000,500,0.02,0:0.98;118:0.02\n"
                   "dense,300,200 100,1000,2000,500,1,117:0.25;118:0.5;119:0.25\n");
    std::size_t runs = 0;
    for (const auto& settings : AllSettings())
    {
        std::optional<Outcome> fp32;
        for (const std::string type : {"fp32", "bf16", "fp16"})
        {
            SCOPED_TRACE(settings + " " + type);
            const auto scenario =
                With({},
                     "training.trace=" + trace +
                         " exchange.group_size=2 training.gradient_type=" + type + " " + settings);
            const bool mayRun = Complaints(scenario).empty();
            EXPECT_TRUE(type == "fp32" || mayRun == fp32.has_value());
            if (!mayRun)
            {
                continue;
            }
            auto outcome = Run(scenario);
            const auto& job = *outcome.plan.Job().job;
            EXPECT_EQ(outcome.Job().comparedValues, job.HasValues() ? elements * workers : 0);
            EXPECT_LE(outcome.plan.Job().alone.iterationPs,
                      outcome.Job().seen->iterationEndPs.back());
            if (!fp32)
            {
                fp32 = std::move(outcome);
                ++runs;
                continue;
            }
            const auto& halves = *outcome.Job().seen;
            const auto& words = *fp32->Job().seen;
            EXPECT_EQ(2 * halves.GradientPlainBytes(), words.GradientPlainBytes());
            EXPECT_EQ(2 * halves.OwnPlainBytes(), words.OwnPlainBytes());
            if (job.bytesPerElement == 2 || !job.HasValues())
            {
                EXPECT_EQ((job.bytesPerElement == 2 ? 2 : 1) * halves.gradientWireBytes,
                          words.gradientWireBytes);
            }
        }
    }
    // Six exchanges over hosts, and more that came later: none, truncate, cast and inceptionn in three places, homomorphic in two, which
    // hosts that aggregate do not add up (2 of the six); two over switches with three adders: none, and
    // homomorphic in two places, which fp32 and int32 adders add: at least.
    EXPECT_GE(runs, 3 * (6 * (1 + 3 * 3) + 4 * 2 + 2 * 3));
}

/*
 * Weights that travel in a type of their own are the same on all workers, and as near to the sums as rounding to both types
 * leaves them: runs prove it. Sums of three GPUs' bf16 are no bf16.
 */
TEST_F(GradientTypes, WeightsAndSumsMayDiffer)
{
    const auto trace =
        WriteTrace("differ",
                   "layer,elements,forward_ns,backward_ns,update_ns,density,exponents",
                   "first,2048,1000,2000,500,0.02,0:0.98;118:0.02\n"
                   "second,300,1000,2000,500,1,117:0.25;118:0.5;119:0.25\n");
    for (const std::string exchange : {"ring", "halving-doubling", "two-shot", "switch-slots"})
    {
        for (const std::string sharding : {"none", "optimizer", "full"})
        {
            for (const std::string codec : {"none", "homomorphic", "inceptionn"})
            {
                for (const std::string types :
                     {"weight_type=bf16",
                      "weight_type=fp16",
                      "gradient_type=bf16 training.reduce_type=fp32 cluster.gpus=3",
                      "reduce_type=bf16 training.weight_type=fp16",
                      "gradient_type=fp16 training.weight_type=fp32 simulation.mode=packet"})
                {
                    const auto settings =
                        "training.values=true training.iterations=2 training.trace=" + trace +
                        " exchange.algorithm=" + exchange + " training.sharding=" + sharding +
                        " codec.name=" + codec + " training." + types;
                    SCOPED_TRACE(settings);
                    const auto scenario = With({}, settings);
                    if (Complaints(scenario).empty())
                    {
                        EXPECT_GT(Run(scenario).Job().comparedValues, 0U);
                    }
                }
            }
        }
    }
}

/** Three workers with the same three values each: 256, 1 and 1. */
class RoundedSums : public ScenarioFixture
{
  protected:
    static SumErrors Errors(const std::string& settings)
    {
        const auto values = testing::TempDir() + "rounded-" + std::to_string(getpid()) + "-";
        const std::vector<float> own{256, 1, 1};
        for (std::size_t worker = 0; worker < own.size(); ++worker)
        {
            WriteSafetensors(values + std::to_string(worker),
                             {{"all", {3}, std::vector<float>(3, own[worker])}});
        }
        const auto trace = WriteTrace(
            "three", "layer,elements,forward_ns,backward_ns,update_ns", "all,3,1000,2000,500\n");
        return *Run(With(Bare(trace, 3),
                         "training.values=true training.values_file=" + values + "{worker} " +
                             settings))
                    .Job()
                    .errors;
    }
};

/* Steps of bf16 are 2 above 256. Each worker's block begins on another one of the ring: (256 + 1) + 1 and (1 +
 * 256) + 1 round to 256 twice, as halves go to the even neighbour, (1 + 1) + 256 is 258. So two of three
 * values are off by 2. Whoever has all of them adds 258 in fp32, which is a bf16. Over int32 each value is rounded to
 * 2^8 / floor((2^31 - 1) / 3), which bf16 hides. fp16 has 11 significant bits: nothing is lost. */
TEST_F(RoundedSums, RingsRoundEachTimeAndServersOnce)
{
    for (const std::string mode : {"auto", "packet"})
    {
        const auto bf16 = "simulation.mode=" + mode + " training.gradient_type=bf16 ";
        const auto ring = Errors(bf16 + "exchange.algorithm=ring");
        EXPECT_EQ(ring.largest, 2.0);
        EXPECT_EQ(ring.Mean(), 4.0 / 3);
        for (const std::string settings : {"exchange.algorithm=parameter-server",
                                           "exchange.algorithm=sharded-parameter-server",
                                           "exchange.algorithm=worker-aggregator",
                                           "exchange.algorithm=switch-slots switch.adder=fp32",
                                           "exchange.algorithm=switch-slots switch.adder=int32",
                                           "exchange.algorithm=ring training.gradient_type=fp16"})
        {
            EXPECT_EQ(Errors(bf16 + settings).largest, 0) << settings;
        }
    }
}

} // namespace inca
