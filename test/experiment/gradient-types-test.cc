/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/word-sum.h"
#include "codec/codec-catalog.h"
#include "exchange/exchange-catalog.h"
#include "experiment/scenario-fixture.h"
#include "experiment/switch-fixture.h"
#include "scenario/keys.h"
#include "scenario/scenario-reader.h"
#include "trace/safetensors-writer.h"

#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Settings = std::vector<std::string>;

const std::vector<std::string> g_types{"fp32", "bf16", "fp16"};

/** Only sizes; values that are replayed beside them; values in frames. */
const std::vector<Settings> g_values{
    {},
    {"training.values=true"},
    {"training.values=true", "simulation.mode=packet"},
};

std::vector<Settings>
Exchanges()
{
    std::vector<Settings> exchanges;
    for (const auto& name : ExchangeNames())
    {
        Settings settings{"exchange.algorithm=" + name};
        if (name == "switch-tree")
        {
            settings.insert(settings.end(),
                            {"cluster.topology=leaf-spine", "cluster.hosts_per_leaf=2"});
        }
        if (name.rfind("switch-", 0) != 0)
        {
            exchanges.push_back(settings);
            settings.emplace_back("training.sharding=optimizer");
            exchanges.push_back(settings);
            continue;
        }
        for (const auto& adder : AdderNames())
        {
            exchanges.push_back(settings);
            exchanges.back().push_back("switch.adder=" + adder);
        }
    }
    return exchanges;
}

std::vector<Settings>
Codecs()
{
    std::vector<Settings> codecs{{"codec.name=none"}};
    for (const auto& name : CodecNames())
    {
        for (const auto* placement : {"nic", "cpu", "gpu"})
        {
            codecs.push_back({"codec.name=" + name, std::string("codec.placement=") + placement});
        }
    }
    return codecs;
}

std::string
Joined(const Settings& settings)
{
    std::string text;
    for (const auto& setting : settings)
    {
        text += setting + " ";
    }
    return text;
}

} // namespace

class GradientTypes : public ScenarioFixture
{
  protected:
    static constexpr std::uint64_t ELEMENTS{2348};
    static constexpr std::uint64_t WORKERS{4};

    /** @return what came of it; null where it is refused */
    static std::unique_ptr<const Outcome> RunIfMay(const Settings& settings)
    {
        try
        {
            return std::make_unique<const Outcome>(
                Run(ParseScenario("", "test.toml", settings).scenario));
        }
        catch (const InputError&)
        {
            return nullptr;
        }
    }

    /** The same settings with every type, in the order of g_types. */
    std::vector<std::unique_ptr<const Outcome>> RunAll(const std::vector<Settings>& parts) const
    {
        std::vector<std::unique_ptr<const Outcome>> outcomes;
        for (const auto& type : g_types)
        {
            Settings settings{"training.trace=" + m_trace,
                              "training.gradient_type=" + type,
                              "exchange.group_size=2"};
            for (const auto& part : parts)
            {
                settings.insert(settings.end(), part.begin(), part.end());
            }
            SCOPED_TRACE(Joined(settings));
            outcomes.push_back(RunIfMay(settings));
            if (outcomes.back())
            {
                Check(*outcomes.back());
            }
        }
        return outcomes;
    }

    /** All that Simulate does not prove itself. */
    static void Check(const Outcome& outcome)
    {
        const bool hasValues = outcome.plan.Job().prepared.job->HasValues();
        EXPECT_EQ(outcome.comparedValues, hasValues ? ELEMENTS * WORKERS : 0);
        EXPECT_LE(outcome.plan.lowerBound.iterationPs, outcome.seen->iterationEndPs.back());
    }

    /**
     * Gradients of 16 bits are half as large, as are weights, and run where those of fp32 do. What a codec or a switch takes
     * it takes as words of 4 bytes, so where only sizes count as much travels; without either, half.
     */
    static void Compare(const std::vector<std::unique_ptr<const Outcome>>& outcomes)
    {
        const auto& fp32 = outcomes.front();
        for (const auto& half : outcomes)
        {
            ASSERT_EQ(half == nullptr, fp32 == nullptr);
            if (half == nullptr || half == fp32)
            {
                continue;
            }
            const auto& job = *half->plan.Job().prepared.job;
            const auto& halves = *half->seen;
            const auto& words = *fp32->seen;
            EXPECT_EQ(2 * halves.GradientPlainBytes(), words.GradientPlainBytes());
            EXPECT_EQ(2 * halves.OwnPlainBytes(), words.OwnPlainBytes());
            if (job.bytesPerElement == 2)
            {
                EXPECT_EQ(2 * halves.gradientWireBytes, words.gradientWireBytes);
            }
            else if (!job.HasValues())
            {
                EXPECT_EQ(halves.gradientWireBytes, words.gradientWireBytes);
            }
        }
    }

    const std::string m_trace =
        WriteTrace("types",
                   "layer,elements,tensors,forward_ns,backward_ns,update_ns,density,exponents",
                   "sparse,2048,,1000,2000,500,0.02,0:0.98;118:0.02\n"
                   "dense,300,200 100,1000,2000,500,1,117:0.25;118:0.5;119:0.25\n");
};

/* Every exchange, sharded or not, adder, codec and place, by size and with values: each run proves its sums to the bit, and
 * what cannot run is refused whatever the type; nothing else may come of it. */
TEST_F(GradientTypes, RunWithEveryExchangeAdderAndCodec)
{
    std::size_t runs = 0;
    for (const auto& exchange : Exchanges())
    {
        for (const auto& codec : Codecs())
        {
            for (const auto& values : g_values)
            {
                SCOPED_TRACE(Joined(exchange) + Joined(codec) + Joined(values));
                const auto outcomes = RunAll({exchange, codec, values});
                Compare(outcomes);
                runs += outcomes.front() != nullptr ? 1 : 0;
            }
        }
    }
    // Six exchanges over hosts, and more that came later: none, truncate, cast and inceptionn in three places, homomorphic in two, which
    // hosts that aggregate do not add up (2 of the six); two over switches with three adders: none, and
    // homomorphic in two places, which fp32 and int32 adders add: at least.
    EXPECT_GE(runs, 3 * (6 * (1 + 3 * 3) + 4 * 2 + 2 * 3));
}

/** Three workers with the same three values each: 256, 1 and 1. */
class RoundedSums : public ScenarioFixture
{
  protected:
    static SumErrors Errors(const std::string& type,
                            const std::string& algorithm,
                            const std::string& adder,
                            bool inFrames)
    {
        const auto values = testing::TempDir() + "rounded-" + std::to_string(getpid()) + "-";
        const std::vector<float> own{256, 1, 1};
        for (std::size_t worker = 0; worker < own.size(); ++worker)
        {
            WriteSafetensors(values + std::to_string(worker),
                             {{"all", {3}, std::vector<float>(3, own[worker])}});
        }
        auto scenario = Bare(WriteTrace("three",
                                        "layer,elements,forward_ns,backward_ns,update_ns",
                                        "all,3,1000,2000,500\n"),
                             3);
        scenario.training.gradientType = type;
        scenario.training.values = true;
        scenario.training.valuesFile = values + "{worker}";
        scenario.exchange.algorithm = algorithm;
        SetKey(scenario, "switch.adder", adder);
        if (inFrames)
        {
            scenario.simulation.mode = "packet";
        }
        return *Run(scenario).errors;
    }
};

/* Steps of bf16 are 2 above 256. Each worker's block begins on another one of the ring: (256 + 1) + 1 and (1 +
 * 256) + 1 round to 256 twice, as halves go to the even neighbour, (1 + 1) + 256 is 258. So two of three
 * values are off by 2. Whoever has all of them adds 258 in fp32, which is a bf16. */
TEST_F(RoundedSums, RingsRoundEachTimeAndServersOnce)
{
    for (const bool inFrames : {false, true})
    {
        const auto ring = Errors("bf16", "ring", "fp32", inFrames);
        EXPECT_EQ(ring.largest, 2.0);
        EXPECT_EQ(ring.mean, 4.0 / 3);
        for (const auto* algorithm :
             {"parameter-server", "sharded-parameter-server", "worker-aggregator"})
        {
            EXPECT_EQ(Errors("bf16", algorithm, "fp32", inFrames).largest, 0) << algorithm;
        }
        EXPECT_EQ(Errors("bf16", "switch-slots", "fp32", inFrames).largest, 0);
        // Over int32 each value is rounded to 2^8 / floor((2^31 - 1) / 3), which bf16 hides.
        EXPECT_EQ(Errors("bf16", "switch-slots", "int32", inFrames).largest, 0);
        // fp16 has 11 significant bits: nothing is lost.
        EXPECT_EQ(Errors("fp16", "ring", "fp32", inFrames).largest, 0);
    }
}

class HalfPrecisionGradients : public SwitchFixture
{
  protected:
    /** A trace like @p path, of another type. */
    static std::string OfType(const std::string& type, const std::string& path)
    {
        std::stringstream text;
        text << std::ifstream(path).rdbuf();
        const auto typed = path + "." + type + ".csv";
        std::ofstream(typed) << std::regex_replace(text.str(), std::regex("fp32"), type);
        return typed;
    }
};

/* "worker 0 has got 800 of 400 bytes of sums" ended such runs: switches add words of 4 bytes, so that
 * gradients of 2 bytes travel in as many words, and take as long as those of fp32. */
TEST_F(HalfPrecisionGradients, TravelAsWordsWhereSwitchesAdd)
{
    const auto trace = TwoLayers();
    for (const auto* adder : {"int32", "fp32"})
    {
        for (auto scenario : {Slots(1), Tree(1)})
        {
            SetKey(scenario, "switch.adder", adder);
            scenario.training.trace = trace;
            const auto fp32 = Run(scenario);
            for (const auto* type : {"bf16", "fp16"})
            {
                scenario.training.trace = OfType(type, trace);
                const auto outcome = Run(scenario);
                EXPECT_EQ(outcome.seen->iterationEndPs, fp32.seen->iterationEndPs) << type;
                EXPECT_EQ(outcome.plan.lowerBound.iterationPs, fp32.plan.lowerBound.iterationPs);
            }
        }
    }
}

} // namespace inca
