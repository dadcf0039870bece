/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sketch-plan.h"

#include "base/errors.h"
#include "codec/bitmap-index.h"
#include "codec/peeling-forecast.h"
#include "support/settings.h"
#include "trace/native-trace.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace inca
{

/**
 * 4 workers that find the same positions (union exponent 0), so that a union is as dense as a worker; on
 * GPUs that move a byte of memory in 1 ps and tell their host in 20 us.
 */
class SketchPlanTest : public testing::Test
{
  protected:
    static constexpr std::uint64_t ROW{1024};
    static constexpr std::int64_t CHECK_PS{20'000'000};

    SketchPlanTest()
    {
        SetKeys(scenario,
                "cluster.workers=4 training.union_exponent=0 codec.name=homomorphic "
                "codec.placement=gpu codec.ratio=2 gpu.memory_bandwidth=1000GBps");
    }

    void AddLayer(std::uint64_t values, const std::string& density)
    {
        rows += "l" + std::to_string(values) + "," + std::to_string(values) + ",0,0,0," + density +
                "\n";
        all += values;
    }

    GradientTrace Trace() const
    {
        return ParseTrace(
            "#inca-trace v1\nlayer,elements,forward_ns,backward_ns,update_ns,density\n" + rows,
            "t.csv");
    }

    PlannedSketch Plan(ElementRange chunk) const
    {
        const auto trace = Trace();
        return SketchPlanner(scenario, trace).Plan(chunk);
    }

    std::vector<PlannedSketch> PlanShards(
        const std::vector<std::vector<ElementRange>>& shards) const
    {
        const auto trace = Trace();
        return SketchPlanner(scenario, trace).PlanShards(shards);
    }

    PlannedSketch PlanAll() const
    {
        return Plan({0, all});
    }

    static void ExpectRange(const ElementRange& range, std::uint64_t begin, std::uint64_t count)
    {
        EXPECT_EQ(range.begin, begin);
        EXPECT_EQ(range.count, count);
    }

    Scenario scenario;
    std::string rows;
    std::uint64_t all{0};
};

/* 2048 rows in 1024 counter rows: of a quarter of the values, 512 per lane, so a load of 0.5, which takes 9
 * rounds and leaves nothing (peeling-table.cc). */
TEST_F(SketchPlanTest, ForeseesADecoding)
{
    AddLayer(2048 * ROW + 5, "0.25");
    const auto plan = PlanAll();
    EXPECT_EQ(plan.rows, 2048U);
    EXPECT_EQ(plan.counterRows, 1024U);
    EXPECT_EQ(plan.unionDensity, 0.25);
    EXPECT_EQ(plan.load, 0.5);
    EXPECT_EQ(plan.rounds, 9);
    EXPECT_EQ(plan.markedValues, 512.0 * ROW);
    EXPECT_EQ(plan.estimatedValues, 0);
    ASSERT_EQ(plan.spec.coded.size(), 1U);
    ExpectRange(plan.spec.coded[0], 0, 2048 * ROW + 5);
    EXPECT_TRUE(plan.spec.plain.empty());
    EXPECT_EQ(plan.spec.workers, 4U);
}

/* 256 counter rows: a load of 2, where 99.1696 % are left after 5 rounds. */
TEST_F(SketchPlanTest, ForeseesEstimates)
{
    scenario.codec.ratio = 8;
    AddLayer(2048 * ROW, "0.25");
    const auto plan = PlanAll();
    EXPECT_EQ(plan.load, 2);
    EXPECT_EQ(plan.rounds, 5);
    EXPECT_DOUBLE_EQ(plan.estimatedValues, 512.0 * ROW * 0.991696);
    ASSERT_TRUE(plan.safeRatio);
    EXPECT_EQ(*plan.safeRatio, *LargestSafeRatio(2048, 0.25));
    EXPECT_GT(*plan.safeRatio, 2);
    EXPECT_LT(*plan.safeRatio, 4); // a load of 1
}

/* What the densest of three bears; zeros behind the last one's end are nowhere. Values count from each one's first. */
TEST_F(SketchPlanTest, ShardsHaveOneSafeRatio)
{
    scenario.codec.ratio.reset();
    AddLayer(2048 * ROW, "0.01");
    AddLayer(2049 * ROW, "0.1");
    const auto plans =
        PlanShards({{{0, 1024 * ROW}}, {{1024 * ROW, 1024 * ROW}}, {{3072 * ROW, 1000 * ROW}}});
    ASSERT_EQ(plans.size(), 3U);
    for (const auto& plan : plans)
    {
        EXPECT_NEAR(plan.spec.settings.ratio, *LargestSafeRatio(1000, 0.1), 1e-6);
        ASSERT_EQ(plan.spec.coded.size(), 1U);
        EXPECT_EQ(plan.spec.coded.front().begin, 0U);
    }
    EXPECT_EQ(*plans[0].safeRatio, *LargestSafeRatio(1024, 0.01)); // alone it would bear more
    EXPECT_GT(*plans[0].safeRatio, plans[0].spec.settings.ratio);
    EXPECT_EQ(plans[2].rows, 1000U);
}

/* Of ranges that lie apart, as of a ring's channels, the second one's values follow those of the first. */
TEST_F(SketchPlanTest, AShardMayLieInPieces)
{
    AddLayer(3 * ROW, "0.25");
    AddLayer(4 * ROW, "0.5");
    scenario.codec.skipDensity = 0.4;
    const auto plan = PlanShards({{{ROW, ROW}, {4 * ROW, 2 * ROW}}}).front();
    ASSERT_EQ(plan.spec.coded.size(), 1U);
    ExpectRange(plan.spec.coded[0], 0, ROW);
    ASSERT_EQ(plan.spec.plain.size(), 1U);
    ExpectRange(plan.spec.plain[0], ROW, 2 * ROW);
    EXPECT_EQ(plan.unionDensity, 0.25);
}

/* A shard without zeros bears no ratio: nothing of the others is coded either, and a "safe" exchange travels as it is. */
TEST_F(SketchPlanTest, ShardsAreCodedTogetherOrNot)
{
    scenario.codec.ratio.reset();
    AddLayer(1024 * ROW, "0.01");
    AddLayer(1025 * ROW, "1");
    for (const auto& plan : PlanShards({{{0, 1024 * ROW}}, {{1024 * ROW, 1024 * ROW}}}))
    {
        EXPECT_EQ(plan.rows, 0U);
        EXPECT_TRUE(plan.spec.coded.empty());
        EXPECT_EQ(plan.spec.plain.size(), 1U);
    }
}

/* Independent positions: 1 - 0.9^4 = 0.3439 of the values, 0.6878 of 1024 counter rows. */
TEST_F(SketchPlanTest, LooksAtTheUnion)
{
    scenario.training.unionExponent.reset();
    AddLayer(2048 * ROW, "0.1");
    const auto plan = PlanAll();
    EXPECT_NEAR(plan.unionDensity, 0.3439, 1e-12);
    EXPECT_NEAR(plan.load, 0.6878, 1e-12);
}

/* A filter of one bit per value and one hash marks, of the others, about 1 - e^-0.25. */
TEST_F(SketchPlanTest, LooksAtWhatAFilterFinds)
{
    SetKeys(scenario, "codec.index=bloom codec.bloom_bits=1 codec.bloom_hashes=1");
    AddLayer(2048 * ROW, "0.25");
    const auto plan = PlanAll();
    const auto found = 0.25 + 0.75 * BloomFalsePositives({1, 1}, 0.25);
    EXPECT_NEAR(found, 0.25 + 0.75 * (1 - std::exp(-0.25)), 0.002);
    EXPECT_EQ(plan.unionDensity, 0.25);
    EXPECT_DOUBLE_EQ(plan.load, 2 * found);
    EXPECT_DOUBLE_EQ(plan.markedValues, found * 2048 * ROW);
}

/* Of 2^21 values 4 bytes each for the index; 4 and, of a quarter, 24 for the sketch; in each of 9 rounds 4,
 * and 28 of a quarter. The tail costs nothing. Each of 4 GPUs does a quarter; the host asks as often. */
TEST_F(SketchPlanTest, TimesWorkByMemoryTraffic)
{
    AddLayer(2048 * ROW + 5, "0.25");
    const auto spec = PlanAll().spec;
    EXPECT_EQ(spec.indexPs, 4 << 21);
    EXPECT_EQ(spec.sketchPs, 10 << 21);
    EXPECT_EQ(spec.decodePs, (43 << 21) + 9 * CHECK_PS);
    scenario.cluster.gpus = 4;
    const auto shared = PlanAll().spec;
    EXPECT_EQ(shared.indexPs, 1 << 21);
    EXPECT_EQ(shared.sketchPs, 10 << 19);
    EXPECT_EQ(shared.decodePs, (43 << 19) + 9 * CHECK_PS);
}

/* A worker sketches its own values, 0.1 of them: 6.4 bytes a value; it peels the union's. */
TEST_F(SketchPlanTest, SketchesOnesOwnValuesOnly)
{
    scenario.training.unionExponent.reset();
    AddLayer(2048 * ROW, "0.1");
    const auto plan = PlanAll();
    EXPECT_EQ(plan.spec.sketchPs, std::ceil(6.4 * (1 << 21)));
    const auto peeled = 28 * (plan.markedValues - plan.estimatedValues);
    const auto bytes = 4 * plan.rounds * (1 << 21) + peeled;
    EXPECT_NEAR(static_cast<double>(plan.spec.decodePs), bytes + plan.rounds * CHECK_PS, 2);
}

/* All plain bytes, with the tail's: 2^23 + 20 of them. Of encoding, 4 parts of 14 make the index. */
TEST_F(SketchPlanTest, MeasuredRatesReplaceTheTraffic)
{
    AddLayer(2048 * ROW + 5, "0.25");
    scenario.codec.encodeBytesPerSecond = 1'000'000'000'000;
    auto spec = PlanAll().spec;
    EXPECT_EQ(spec.indexPs, ((1 << 23) + 20) * 2 / 7);
    EXPECT_EQ(spec.indexPs + spec.sketchPs, (1 << 23) + 20);
    EXPECT_EQ(spec.decodePs, (43 << 21) + 9 * CHECK_PS);
    scenario.codec.decodeBytesPerSecond = 500'000'000'000;
    scenario.cluster.gpus = 2;
    spec = PlanAll().spec;
    EXPECT_EQ(spec.indexPs + spec.sketchPs, (1 << 22) + 10);
    EXPECT_EQ(spec.decodePs, (1 << 23) + 20);
    scenario.codec.placement = "cpu"; // one host, however many GPUs
    spec = PlanAll().spec;
    EXPECT_EQ(spec.indexPs + spec.sketchPs, (1 << 23) + 20);
    EXPECT_EQ(spec.decodePs, 2 * ((1 << 23) + 20));
}

/* At 0.5 and more a layer is left alone: 100 values between two layers, of which a chunk from value 24 of
 * the first on takes 1000 and 2000. */
TEST_F(SketchPlanTest, LeavesDenseLayersAlone)
{
    scenario.codec.skipDensity = 0.5;
    AddLayer(1024, "0.1");
    AddLayer(100, "0.5");
    AddLayer(2100, "0.4");
    const auto plan = Plan({24, 3100});
    ASSERT_EQ(plan.spec.coded.size(), 2U);
    ExpectRange(plan.spec.coded[0], 0, 1000);
    ExpectRange(plan.spec.coded[1], 1100, 2000);
    ASSERT_EQ(plan.spec.plain.size(), 1U);
    ExpectRange(plan.spec.plain[0], 1000, 100);
    EXPECT_EQ(plan.rows, 2U); // of 3000 coded values
    EXPECT_DOUBLE_EQ(plan.unionDensity, (0.1 * 1000 + 0.4 * 2000) / 3000);
}

/* Without a limit all are coded. A worker's own density counts, not the union's 0.9375. */
TEST_F(SketchPlanTest, SkipsByAWorkersDensity)
{
    AddLayer(1024, "0.5");
    AddLayer(100, "1");
    const auto whole = PlanAll();
    ASSERT_EQ(whole.spec.coded.size(), 1U);
    ExpectRange(whole.spec.coded[0], 0, 1124);
    scenario.training.unionExponent = 1;
    scenario.codec.skipDensity = 0.6;
    ASSERT_EQ(PlanAll().spec.plain.size(), 1U);
    ExpectRange(PlanAll().spec.plain[0], 1024, 100);
}

/* What is expected to decode whole has a lower load than what leaves one value in 1000. */
TEST_F(SketchPlanTest, TakesTheLargestRatioThatLeavesNothing)
{
    AddLayer(2048 * ROW, "0.05");
    scenario.codec.ratio.reset();
    const auto usual = PlanAll();
    EXPECT_GT(usual.estimatedValues, 0);
    scenario.codec.safeLeft = 0;
    const auto whole = PlanAll();
    EXPECT_EQ(whole.estimatedValues, 0);
    EXPECT_GT(whole.counterRows, usual.counterRows);
    EXPECT_EQ(*whole.safeRatio, *LargestSafeRatio(2048, 0.05, 0));
}

TEST_F(SketchPlanTest, TakesTheLargestSafeRatio)
{
    scenario.codec.ratio.reset();
    AddLayer(2048 * ROW, "0.05");
    const auto plan = PlanAll();
    EXPECT_EQ(plan.counterRows, std::lround(2048 / *LargestSafeRatio(2048, 0.05)));
    EXPECT_LE(plan.estimatedValues, 0.001 * plan.markedValues);
    // One counter row less is not safe.
    const auto fewer = plan.counterRows - 1;
    EXPECT_GT(ForecastPeeling(fewer, 0.05 * 2048 / fewer).leftShare, 0.001);
}

/* Of 2048 rows, half of whose values are set, a load of 0.75 takes 1365 counter rows: 4 * 1365 + 128 * 2048
 * / 1024 bytes a lane are less than 4 * 2048; with 4 bits, 1365 + 256 rows' worth are less, too. If all but a
 * twentieth are set, 1 / 0.79 as many counter rows as rows are more. */
TEST_F(SketchPlanTest, CodesNothingThatWouldNotGetSmaller)
{
    scenario.codec.ratio.reset();
    AddLayer(2048 * ROW + 7, "0.5");
    EXPECT_FALSE(PlanAll().spec.coded.empty());
    rows.clear();
    all = 0;
    AddLayer(2048 * ROW + 7, "0.95");
    const auto plan = PlanAll();
    EXPECT_TRUE(plan.spec.coded.empty());
    ASSERT_EQ(plan.spec.plain.size(), 1U);
    ExpectRange(plan.spec.plain[0], 0, 2048 * ROW + 7);
    EXPECT_EQ(plan.rows, 0U);
    EXPECT_EQ(plan.markedValues, 0);
    EXPECT_EQ(plan.spec.indexPs + plan.spec.sketchPs + plan.spec.decodePs, 0);
}

/* Dense rows around what skip_density leaves out: all travels as it is, in order. */
TEST_F(SketchPlanTest, KeepsThePlainValuesInOrder)
{
    scenario.codec.ratio.reset();
    scenario.codec.skipDensity = 0.97;
    AddLayer(2000 * ROW, "0.95");
    AddLayer(100, "1");
    AddLayer(2001 * ROW, "0.95");
    const auto plan = PlanAll();
    EXPECT_TRUE(plan.spec.coded.empty());
    std::uint64_t next = 0;
    for (const auto& range : plan.spec.plain)
    {
        EXPECT_EQ(range.begin, next);
        next = range.End();
    }
    EXPECT_EQ(next, all);
}

/* Less than a row is all tail, at any ratio. */
TEST_F(SketchPlanTest, HasNoRowsInALittleChunk)
{
    AddLayer(1023, "0.5");
    for (const auto ratio : {std::optional<double>(10), std::optional<double>()})
    {
        scenario.codec.ratio = ratio;
        const auto plan = PlanAll();
        EXPECT_EQ(plan.rows, 0U);
        EXPECT_EQ(plan.load, 0);
        EXPECT_EQ(plan.estimatedValues, 0);
        EXPECT_FALSE(plan.safeRatio);
        EXPECT_EQ(plan.spec.decodePs, 0);
    }
}

TEST_F(SketchPlanTest, KnowsWhatAddsCounters)
{
    AddLayer(2048, "0.5");
    SetKeys(scenario, "switch.scaling=fixed switch.fixed_exponent=-3");
    EXPECT_EQ(PlanAll().spec.adder, WordSum::FP32); // a ring's hosts, whatever switches do
    EXPECT_FALSE(PlanAll().spec.fixedExponent);
    scenario.exchange.algorithm = "switch-slots";
    EXPECT_EQ(PlanAll().spec.adder, WordSum::INT32);
    EXPECT_EQ(PlanAll().spec.fixedExponent, -3);
    SetKey(scenario, "switch.adder", "int32-saturating");
    EXPECT_EQ(PlanAll().spec.adder, WordSum::INT32_SATURATING);
    SetKey(scenario, "switch.scaling", "block");
    EXPECT_FALSE(PlanAll().spec.fixedExponent);
    SetKey(scenario, "switch.adder", "fp32");
    EXPECT_EQ(PlanAll().spec.adder, WordSum::FP32);
    EXPECT_FALSE(PlanAll().spec.overlaps);
    scenario.codec.rounds = "overlapped";
    EXPECT_TRUE(PlanAll().spec.overlaps);
}

TEST_F(SketchPlanTest, NeedsDensities)
{
    AddLayer(2048, "");
    EXPECT_THROW(PlanAll(), InputError);
}

} // namespace inca
