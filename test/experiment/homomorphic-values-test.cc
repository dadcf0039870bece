/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Real values, homomorphically compressed: every run compares what all workers decode with a replay.
#include "experiment/sketch-fixture.h"
#include "scenario/specs.h"
#include "trace/safetensors-writer.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace inca
{

namespace
{

/** Exchange, workers, index, rounds, and of switches their adder, and of int32 its scaling: as settings. */
const std::string g_cases[]{
    "ring cluster.workers=2 codec.index=bits-1",
    "ring cluster.workers=3 codec.index=bits-4 codec.rounds=overlapped",
    "ring cluster.workers=5 codec.index=bloom",
    "hierarchical-ring cluster.workers=4 codec.index=bits-1",
    "parameter-server cluster.workers=3 codec.index=bits-1 codec.rounds=overlapped",
    "sharded-parameter-server cluster.workers=4 codec.index=bloom codec.rounds=overlapped",
    "sharded-parameter-server cluster.workers=3 codec.index=bits-4",
    "switch-slots cluster.workers=2 codec.index=bloom switch.adder=int32-saturating",
    "switch-slots cluster.workers=3 codec.index=bits-1",
    "switch-slots cluster.workers=5 codec.index=bits-1 switch.scaling=fixed "
    "codec.rounds=overlapped",
    "switch-tree cluster.workers=4 codec.index=bits-1 switch.adder=int32-saturating",
    "switch-tree cluster.workers=5 codec.index=bloom switch.adder=fp32 codec.rounds=overlapped",
    "switch-tree cluster.workers=4 codec.index=bits-1 switch.adder=fp32",
    "switch-tree cluster.workers=5 codec.index=bloom switch.scaling=fixed",
    "switch-slots cluster.workers=2 codec.index=bits-1 switch.scaling=fixed "
    "switch.adder=int32-saturating",
};

} // namespace

class HomomorphicValues : public SketchFixture, public testing::WithParamInterface<std::string>
{
  protected:
    /** @param more behind those of the case */
    static Scenario WithValues(const std::string& more = "")
    {
        const auto& settings = GetParam();
        const auto algorithm = settings.substr(0, settings.find(' '));
        auto scenario = With(Compressed(ThreeLayers(), algorithm, 2),
                             "training.values=true simulation.mode=packet codec.ratio=1 "
                             "switch.fixed_exponent=-5 switch.timeout=50us exchange.algorithm=" +
                                 settings + " " + more); // a round trip of a tree is 8 us
        scenario.codec.bloomBits = 1; // or it finds too much in rows where one value in ten is set
        return scenario;
    }

    /**
     * The furthest that a sum may be off. Over int32 each of W values, below 2^-5, is rounded at a scale
     * of 2^31 / (W 2^-5), with headroom for at most 64 values in a counter (they hold 3 * 0.1 on
     * average, 3 of them of the dense layer), and the sum to fp32. Over fp32, peeling a value adds the
     * roundings of the others in its counters, each up to 2^-24 of a few times W 2^-5: 64 of them.
     */
    static double MostOff(const Scenario& scenario)
    {
        const auto set = scenario.rowSettings.find("switch.adder");
        const auto adder = set == scenario.rowSettings.end() ? "int32" : set->second;
        const auto workers = scenario.cluster.workers;
        const bool isOfIntegers = ReducesInNetwork(scenario) && adder != "fp32";
        const auto largestSum = workers * std::ldexp(1.0, -5);
        const auto rounding = std::ldexp(largestSum, -24);
        const double headroom = adder == "int32-saturating" ? 64 : 1;
        const auto scale = std::floor(std::ldexp(1.0, 31) / (workers * headroom)) * 32 - 32;
        return isOfIntegers ? workers / (2 * scale) + rounding : 64 * rounding;
    }

    static void ExpectExact(const Scenario& scenario)
    {
        const auto outcome = Run(scenario);
        EXPECT_EQ(outcome.Job().comparedValues, VALUES * scenario.cluster.workers);
        ASSERT_TRUE(outcome.Job().errors);
        EXPECT_EQ(outcome.Job().errors->estimated, 0U);
        EXPECT_EQ(outcome.Job().errors->replicaDifference, 0);
        EXPECT_EQ(outcome.Job().errors->notFinite, 0U);
        EXPECT_LE(outcome.Job().errors->largest, MostOff(scenario));
        EXPECT_GT(outcome.Job().errors->largest, 0); // W values of 24 bits do not fit one
    }
};

/* 230 rows in as many counter rows, at a load below 0.1: of the sizes here, no two rows share what would
 * leave their values to guesses (at others, some values in 10^5 are: peeling-table.cc). */
TEST_P(HomomorphicValues, OfOneBucketAreExact)
{
    ExpectExact(WithValues());
}

/* 115 rows, and as many less the dense layer, and a last chunk of 93 values, which have no index; then 180
 * rows and the rest. */
TEST_P(HomomorphicValues, OfManyChunksAreExact)
{
    auto scenario = WithValues();
    scenario.codec.skipDensity = 0.5;
    for (const std::uint64_t rows : {115, 180})
    {
        SCOPED_TRACE(rows);
        scenario.exchange.chunkBytes = rows * ROW * 4;
        ExpectExact(scenario);
    }
}

/* Every link loses 2 % of its frames, each way, of some hundred. */
TEST_P(HomomorphicValues, SurviveLosses)
{
    const auto scenario = WithValues("cluster.loss_rate=0.02 training.iterations=2");
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.Job().comparedValues, 2 * VALUES * scenario.cluster.workers);
    EXPECT_EQ(outcome.Job().errors->estimated, 0U);
    EXPECT_LE(outcome.Job().errors->largest, MostOff(scenario));
    EXPECT_GT(outcome.retransmittedFrames, 0U);
}

/* 230 rows in 3: some 5 values and more per lane, twice the limit. Wrong values are counted, the same
 * everywhere, and never beyond what is in a counter: W values below 2^-5 of each of 230 rows, three times. */
TEST_P(HomomorphicValues, ThatAreEstimatedAreCounted)
{
    const auto scenario = WithValues("codec.ratio=100 training.iterations=2");
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.Job().comparedValues, 2 * VALUES * scenario.cluster.workers);
    EXPECT_GT(outcome.Job().errors->estimated, 2 * DENSE);
    EXPECT_LT(outcome.Job().errors->estimated, 2 * VALUES / 10);
    EXPECT_EQ(outcome.Job().errors->replicaDifference, 0);
    EXPECT_GT(outcome.Job().errors->largest, std::ldexp(1.0, -6));
    EXPECT_LT(outcome.Job().errors->largest,
              scenario.cluster.workers * std::ldexp(1.0, -5) * 230 * 3);
}

INSTANTIATE_TEST_SUITE_P(All, HomomorphicValues, testing::ValuesIn(g_cases));

/** Gradients of whole numbers below 100 at every 50th place, others on each worker. */
class WholeNumbers : public SketchFixture
{
  protected:
    static constexpr std::uint32_t WORKERS{4};
    static constexpr std::uint64_t COUNT{80 * ROW + 5};

    ~WholeNumbers() override
    {
        for (std::uint32_t worker = 0; worker < WORKERS; ++worker)
        {
            std::remove(Path(std::to_string(worker)).c_str());
        }
    }

    static std::string Path(const std::string& worker)
    {
        return testing::TempDir() + "whole-numbers-" + std::to_string(getpid()) + "-" + worker;
    }

    /** @param special of worker 1's first value */
    static Scenario WithFiles(const std::string& algorithm, float special = 1)
    {
        for (std::uint32_t worker = 0; worker < WORKERS; ++worker)
        {
            std::vector<float> values(COUNT, 0);
            for (std::uint64_t i = worker; i < COUNT; i += 50)
            {
                values[i] = static_cast<float>(static_cast<int>(i * 7 % 199) - 99);
            }
            values[0] = worker == 1 ? special : 0;
            WriteSafetensors(Path(std::to_string(worker)), {{"all", {COUNT}, values}});
        }
        const auto rows = "all," + std::to_string(COUNT) + ",0,0,0,0.02\n";
        const auto trace = WriteTrace(
            "whole-numbers", "layer,elements,forward_ns,backward_ns,update_ns,density", rows);
        return With(Compressed(trace, algorithm, WORKERS),
                    "training.values=true simulation.mode=packet codec.ratio=1 "
                    "training.values_file=" +
                        Path("{worker}"));
    }
};

/* No sum of 80 of them, nor of a counter's, needs 24 bits: nothing is ever rounded over fp32. Over integers the largest
 * is 99, below 2^7: 4 / (2 * 2^29 / 2^7) and 2^-24 of 4 * 99. An infinite gradient is clamped to the scale of the finite
 * ones; its sum is no error of coding. One not-a-number spoils what shares a counter with it, and no more is said of that. */
TEST_F(WholeNumbers, AreExactOrNear)
{
    struct Row
    {
        const char* algorithm;
        const char* adder;
        float special;
        double mostOff;
    };

    const auto near = std::ldexp(1.0, -21) + std::ldexp(396.0, -24);
    const Row rows[] = {
        {"ring", "fp32", 1, 0},
        {"hierarchical-ring", "fp32", 1, 0},
        {"parameter-server", "fp32", 1, 0},
        {"sharded-parameter-server", "fp32", 1, 0},
        {"switch-slots", "fp32", 1, 0},
        {"switch-tree", "fp32", 1, 0},
        {"switch-tree", "int32", 1, near},
        {"switch-slots", "int32", INFINITY, near},
        {"switch-slots", "int32", NAN, INFINITY},
        {"ring", "int32", NAN, INFINITY},
    };
    for (const auto& row : rows)
    {
        SCOPED_TRACE(std::string(row.algorithm) + " " + row.adder + std::to_string(row.special));
        auto scenario = WithFiles(row.algorithm, row.special);
        SetKey(scenario, "switch.adder", row.adder);
        const auto outcome = Run(scenario);
        EXPECT_EQ(outcome.Job().comparedValues, WORKERS * COUNT);
        EXPECT_LE(outcome.Job().errors->largest, row.mostOff);
        if (std::isnan(row.special))
        {
            EXPECT_GE(outcome.Job().errors->notFinite, WORKERS);
            continue;
        }
        EXPECT_EQ(outcome.Job().errors->estimated, 0U);
        EXPECT_EQ(outcome.Job().errors->notFinite, std::isinf(row.special) ? WORKERS : 0);
    }
}

} // namespace inca
