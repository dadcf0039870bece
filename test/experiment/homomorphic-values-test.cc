/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Real values, homomorphically compressed: every run compares what all workers decode with a replay.
#include "exchange/exchange-catalog.h"
#include "experiment/sketch-fixture.h"
#include "scenario/keys.h"
#include "trace/safetensors-writer.h"

#include <cmath>
#include <cstdio>
#include <ostream>
#include <vector>

namespace inca
{

namespace
{

struct SketchCase
{
    std::string algorithm;
    std::uint32_t workers;
    std::string index;
    std::string rounds;
    std::string adder{"int32"};   ///< of switches
    std::string scaling{"block"}; ///< of int32
};

std::ostream&
operator<<(std::ostream& out, const SketchCase& c)
{
    return out << c.algorithm << " of " << c.workers << ", " << c.index << ", " << c.rounds << ", "
               << c.adder << ", " << c.scaling;
}

std::vector<SketchCase>
AllCases()
{
    std::vector<SketchCase> cases;
    const std::pair<const char*, std::uint32_t> hosts[]{{"ring", 2},
                                                        {"ring", 3},
                                                        {"ring", 5},
                                                        {"hierarchical-ring", 4},
                                                        {"parameter-server", 3},
                                                        {"sharded-parameter-server", 4}};
    for (const auto& [algorithm, workers] : hosts)
    {
        for (const auto* index : {"bits-1", "bits-4", "bloom"})
        {
            cases.push_back({algorithm, workers, index, "dependent"});
            cases.push_back({algorithm, workers, index, "overlapped"});
        }
    }
    const std::pair<const char*, std::uint32_t> switches[]{
        {"switch-slots", 2}, {"switch-slots", 5}, {"switch-tree", 4}, {"switch-tree", 5}};
    for (const auto& [algorithm, workers] : switches)
    {
        for (const auto* index : {"bits-1", "bloom"})
        {
            cases.push_back({algorithm, workers, index, "dependent"});
            cases.push_back({algorithm, workers, index, "dependent", "int32-saturating"});
            cases.push_back({algorithm, workers, index, "dependent", "fp32"});
            cases.push_back({algorithm, workers, index, "overlapped", "fp32"});
            cases.push_back({algorithm, workers, index, "dependent", "int32", "fixed"});
            cases.push_back({algorithm, workers, index, "overlapped", "int32", "fixed"});
            cases.push_back({algorithm, workers, index, "dependent", "int32-saturating", "fixed"});
        }
    }
    return cases;
}

} // namespace

class HomomorphicValues : public SketchFixture, public testing::WithParamInterface<SketchCase>
{
  protected:
    static Scenario WithValues(const SketchCase& c)
    {
        auto scenario = Compressed(ThreeLayers(), c.algorithm, c.workers);
        scenario.training.values = true;
        scenario.simulation.mode = "packet"; // frames carry them
        scenario.codec.index = c.index;
        scenario.codec.rounds = c.rounds;
        scenario.codec.bloomBits = 1; // or it finds too much in rows where one value in ten is set
        scenario.codec.ratio = 1;
        SetKey(scenario, "switch.adder", c.adder);
        SetKey(scenario, "switch.scaling", c.scaling);
        SetKey(scenario, "switch.fixed_exponent", "-5");
        SetKey(scenario, "switch.timeout", "50us"); // a round trip of a tree is 8 us
        return scenario;
    }

    /**
     * The furthest that a sum may be off. Over int32 each of W values, below 2^-5, is rounded at a scale
     * of 2^31 / (W 2^-5), with headroom for at most 64 values in a counter (they hold 3 * 0.1 on
     * average, 3 of them of the dense layer), and the sum to fp32. Over fp32, peeling a value adds the
     * roundings of the others in its counters, each up to 2^-24 of a few times W 2^-5: 64 of them.
     */
    static double MostOff(const SketchCase& c)
    {
        const bool isOfIntegers = SumsInNetwork(FindExchange(c.algorithm)) && c.adder != "fp32";
        const auto largestSum = c.workers * std::ldexp(1.0, -5);
        const auto rounding = std::ldexp(largestSum, -24);
        const double headroom = c.adder == "int32-saturating" ? 64 : 1;
        const auto scale = std::floor(std::ldexp(1.0, 31) / (c.workers * headroom)) * 32 - 32;
        return isOfIntegers ? c.workers / (2 * scale) + rounding : 64 * rounding;
    }

    static void ExpectExact(const SketchCase& c, const Scenario& scenario)
    {
        const auto outcome = Run(scenario);
        EXPECT_EQ(outcome.comparedValues, VALUES * c.workers);
        ASSERT_TRUE(outcome.errors);
        EXPECT_EQ(outcome.errors->estimated, 0U);
        EXPECT_EQ(outcome.errors->replicaDifference, 0);
        EXPECT_EQ(outcome.errors->notFinite, 0U);
        EXPECT_LE(outcome.errors->largest, MostOff(c));
        EXPECT_GT(outcome.errors->largest, 0); // W values of 24 bits do not fit one
    }
};

/* 230 rows in as many counter rows, at a load below 0.1: of the sizes here, no two rows share what would
 * leave their values to guesses (at others, some values in 10^5 are: peeling-table.cc). */
TEST_P(HomomorphicValues, OfOneBucketAreExact)
{
    ExpectExact(GetParam(), WithValues(GetParam()));
}

/* 115 rows, and as many less the dense layer, and a last chunk of 93 values, which have no index; then 180
 * rows and the rest. */
TEST_P(HomomorphicValues, OfManyChunksAreExact)
{
    auto scenario = WithValues(GetParam());
    scenario.codec.skipDensity = 0.5;
    for (const std::uint64_t rows : {115, 180})
    {
        SCOPED_TRACE(rows);
        scenario.exchange.chunkBytes = rows * ROW * 4;
        ExpectExact(GetParam(), scenario);
    }
}

INSTANTIATE_TEST_SUITE_P(All, HomomorphicValues, testing::ValuesIn(AllCases()));

using HomomorphicLosses = HomomorphicValues;

/* Every link loses 2 % of its frames, each way, of some hundred. */
TEST_P(HomomorphicLosses, ChangeNoValue)
{
    auto scenario = WithValues(GetParam());
    scenario.cluster.lossRate = 0.02;
    scenario.training.iterations = 2;
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.comparedValues, 2 * VALUES * GetParam().workers);
    EXPECT_EQ(outcome.errors->estimated, 0U);
    EXPECT_LE(outcome.errors->largest, MostOff(GetParam()));
    EXPECT_GT(outcome.retransmittedFrames, 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Some,
    HomomorphicLosses,
    testing::Values(SketchCase{"ring", 3, "bits-4", "overlapped"},
                    SketchCase{"hierarchical-ring", 4, "bits-1", "dependent"},
                    SketchCase{"parameter-server", 3, "bits-1", "overlapped"},
                    SketchCase{"sharded-parameter-server", 3, "bloom", "dependent"},
                    SketchCase{"switch-slots", 3, "bits-1", "dependent"},
                    SketchCase{"switch-tree", 4, "bits-1", "dependent", "int32-saturating"},
                    SketchCase{"switch-tree", 5, "bloom", "overlapped", "fp32"}));

using HomomorphicEstimates = HomomorphicValues;

/* 230 rows in 3: some 5 values and more per lane, twice the limit. Wrong values are counted, the same
 * everywhere, and never beyond what is in a counter: W values below 2^-5 of each of 230 rows, three times. */
TEST_P(HomomorphicEstimates, AreCounted)
{
    auto scenario = WithValues(GetParam());
    scenario.codec.ratio = 100;
    scenario.training.iterations = 2;
    const auto outcome = Run(scenario);
    EXPECT_EQ(outcome.comparedValues, 2 * VALUES * GetParam().workers);
    EXPECT_GT(outcome.errors->estimated, 2 * DENSE);
    EXPECT_LT(outcome.errors->estimated, 2 * VALUES / 10);
    EXPECT_EQ(outcome.errors->replicaDifference, 0);
    EXPECT_GT(outcome.errors->largest, std::ldexp(1.0, -6));
    EXPECT_LT(outcome.errors->largest, GetParam().workers * std::ldexp(1.0, -5) * 230 * 3);
}

INSTANTIATE_TEST_SUITE_P(
    Some,
    HomomorphicEstimates,
    testing::Values(SketchCase{"ring", 2, "bits-1", "dependent"},
                    SketchCase{"sharded-parameter-server", 3, "bloom", "overlapped"},
                    SketchCase{"switch-slots", 3, "bits-1", "dependent"},
                    SketchCase{"switch-slots", 2, "bits-1", "dependent", "int32-saturating"},
                    SketchCase{"switch-tree", 4, "bits-1", "dependent", "fp32"}));

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
        auto scenario = Compressed(trace, algorithm, WORKERS);
        scenario.training.values = true;
        scenario.simulation.mode = "packet"; // frames carry them
        scenario.training.valuesFile = Path("{worker}");
        scenario.codec.ratio = 1;
        return scenario;
    }
};

/* No sum of 80 of them, nor of a counter's, needs 24 bits: nothing is ever rounded. */
TEST_F(WholeNumbers, AreExactOverFp32)
{
    for (const auto* algorithm : {"ring",
                                  "hierarchical-ring",
                                  "parameter-server",
                                  "sharded-parameter-server",
                                  "switch-slots",
                                  "switch-tree"})
    {
        auto scenario = WithFiles(algorithm);
        SetKey(scenario, "switch.adder", "fp32");
        const auto outcome = Run(scenario);
        EXPECT_EQ(outcome.comparedValues, WORKERS * COUNT) << algorithm;
        EXPECT_EQ(outcome.errors->estimated, 0U) << algorithm;
        EXPECT_EQ(outcome.errors->largest, 0) << algorithm;
    }
}

/* The largest is 99, below 2^7: 4 / (2 * 2^29 / 2^7) and 2^-24 of 4 * 99. */
TEST_F(WholeNumbers, AreNearOverIntegers)
{
    const auto outcome = Run(WithFiles("switch-tree"));
    EXPECT_EQ(outcome.errors->estimated, 0U);
    EXPECT_LE(outcome.errors->largest, std::ldexp(1.0, -21) + std::ldexp(396.0, -24));
}

/* An infinite gradient is clamped to the scale of the finite ones; its sum is no error of coding. */
TEST_F(WholeNumbers, MayStandBesideAnInfinity)
{
    const auto outcome = Run(WithFiles("switch-slots", INFINITY));
    EXPECT_EQ(outcome.comparedValues, WORKERS * COUNT);
    EXPECT_EQ(outcome.errors->notFinite, WORKERS);
    EXPECT_LE(outcome.errors->largest, std::ldexp(1.0, -21) + std::ldexp(396.0, -24));
}

/* One not-a-number spoils what shares a counter with it, and no more is said of that. */
TEST_F(WholeNumbers, MayStandBesideANan)
{
    for (const auto* algorithm : {"switch-slots", "ring"})
    {
        const auto outcome = Run(WithFiles(algorithm, NAN));
        EXPECT_EQ(outcome.comparedValues, WORKERS * COUNT);
        EXPECT_GE(outcome.errors->notFinite, WORKERS);
    }
}

} // namespace inca
