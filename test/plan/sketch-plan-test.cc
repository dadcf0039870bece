/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/sketch-plan.h"

#include "base/errors.h"
#include "codec/bitmap-index.h"
#include "codec/peeling-forecast.h"
#include "support/settings.h"
#include "trace/native-trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

using testing::ElementsAre;
using testing::IsEmpty;

namespace
{

constexpr std::uint64_t ROW{1024};
constexpr std::int64_t CHECK_PS{20'000'000};

/** Values and density of each. */
using Layers = std::vector<std::pair<std::uint64_t, std::string>>;

/**
 * Plans of 4 workers that find the same positions (union exponent 0), so that a union is as dense as a worker; on GPUs
 * that move a byte of memory in 1 ps and tell their host in 20 us. @p settings may say other things.
 */
std::vector<PlannedSketch>
PlansOf(const std::string& settings,
        const Layers& layers,
        const std::vector<std::vector<ElementRange>>& shards)
{
    std::string rows = "#inca-trace v1\nlayer,elements,forward_ns,backward_ns,update_ns,density\n";
    for (const auto& [values, density] : layers)
    {
        const auto count = std::to_string(values);
        rows += "l" + count + "," + count + ",0,0,0," + density + "\n";
    }
    auto scenario = With({},
                         "cluster.workers=4 training.union_exponent=0 codec.name=homomorphic "
                         "codec.placement=gpu codec.ratio=2 gpu.memory_bandwidth=1000GBps " +
                             settings);
    scenario.training.readTrace = std::make_shared<const GradientTrace>(ParseTrace(rows, "t.csv"));
    return SketchPlanner(*Resolve(scenario)).Plan(shards);
}

/** Of all layers together. */
PlannedSketch
PlanOf(const std::string& settings, const Layers& layers)
{
    std::uint64_t all = 0;
    for (const auto& layer : layers)
    {
        all += layer.first;
    }
    return PlansOf(settings, layers, {{{0, all}}}).front();
}

} // namespace

TEST(SketchPlan, ForecastsDecoding)
{
    struct Row
    {
        const char* settings;
        const char* density;
        double unionDensity;
        double found; ///< share of values that are marked
        double load;
        std::optional<double> rounds;
        double leftShare;
    };

    // A filter of one bit per value and one hash marks, of the others, about 1 - e^-0.25.
    const auto found = 0.25 + 0.75 * BloomFalsePositives({1, 1}, 0.25);
    EXPECT_NEAR(found, 0.25 + 0.75 * (1 - std::exp(-0.25)), 0.002);
    const Row rows[] = {
        // 2048 rows in 1024 counter rows: of a quarter of the values, 512 per lane, so a load of 0.5, which takes
        // 9 rounds and leaves nothing (peeling-table.cc).
        {"", "0.25", 0.25, 0.25, 0.5, 9, 0},
        // 256 counter rows: a load of 2, where 99.1696 % are left after 5 rounds.
        {"codec.ratio=8", "0.25", 0.25, 0.25, 2, 5, 0.991696},
        // Independent positions: 1 - 0.9^4 = 0.3439 of the values, 0.6878 of 1024 counter rows.
        {"training.union_exponent=1", "0.1", 0.3439, 0.3439, 0.6878, std::nullopt, 0},
        {"codec.ratio=8 codec.index=bloom codec.bloom_bits=1 codec.bloom_hashes=1",
         "0.25",
         0.25,
         found,
         8 * found,
         std::nullopt,
         ForecastPeeling(256, 8 * found).leftShare},
    };
    for (const auto& row : rows)
    {
        const auto plan = PlanOf(row.settings, {{2048 * ROW + 5, row.density}});
        EXPECT_EQ(plan.rows, 2048U) << row.settings;
        EXPECT_NEAR(plan.unionDensity, row.unionDensity, 1e-12) << row.settings;
        EXPECT_NEAR(plan.load, row.load, 1e-12) << row.settings;
        EXPECT_EQ(plan.rounds, row.rounds.value_or(plan.rounds)) << row.settings;
        EXPECT_NEAR(plan.markedValues, row.found * 2048 * ROW, 1e-6) << row.settings;
        EXPECT_NEAR(plan.estimatedValues, row.leftShare * plan.markedValues, 1e-6) << row.settings;
        EXPECT_THAT(plan.spec.coded, ElementsAre(ElementRange{0, 2048 * ROW + 5}));
        EXPECT_THAT(plan.spec.plain, IsEmpty());
        EXPECT_EQ(plan.spec.workers, 4U);
    }
    EXPECT_EQ(PlanOf("", {{2048 * ROW, "0.25"}}).counterRows, 1024U);
    const auto safe = PlanOf("codec.ratio=8", {{2048 * ROW, "0.25"}}).safeRatio;
    ASSERT_TRUE(safe);
    EXPECT_EQ(*safe, *LargestSafeRatio(2048, 0.25));
    EXPECT_GT(*safe, 2);
    EXPECT_LT(*safe, 4); // a load of 1
}

/* What the densest of three bears; zeros behind the last one's end are nowhere. Values count from each one's first. */
TEST(SketchPlan, ShardsHaveOneSafeRatio)
{
    const auto plans =
        PlansOf("codec.ratio=safe",
                {{2048 * ROW, "0.01"}, {2049 * ROW, "0.1"}},
                {{{0, 1024 * ROW}}, {{1024 * ROW, 1024 * ROW}}, {{3072 * ROW, 1000 * ROW}}});
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

/* A shard without zeros bears no ratio: nothing of the others is coded either, and a "safe" exchange travels as it is. */
TEST(SketchPlan, ShardsAreCodedTogetherOrNot)
{
    for (const auto& plan : PlansOf("codec.ratio=safe",
                                    {{1024 * ROW, "0.01"}, {1025 * ROW, "1"}},
                                    {{{0, 1024 * ROW}}, {{1024 * ROW, 1024 * ROW}}}))
    {
        EXPECT_EQ(plan.rows, 0U);
        EXPECT_THAT(plan.spec.coded, IsEmpty());
        EXPECT_EQ(plan.spec.plain.size(), 1U);
    }
}

/* By memory traffic: of 2^21 values 4 bytes each for the index; 4 and, of a quarter, 24 for the sketch; in each of 9
 * rounds 4, and 28 of a quarter. The tail costs nothing. Each of 4 GPUs does a quarter; the host asks as often.
 * By measured rates: all plain bytes, with the tail's, 2^23 + 20 of them. Of encoding, 4 parts of 14 make the index. A
 * CPU is one, however many GPUs there are. */
TEST(SketchPlan, TimesItsWork)
{
    struct Row
    {
        const char* settings;
        std::int64_t indexPs;
        std::int64_t encodePs;
        std::int64_t decodePs;
    };

    constexpr std::int64_t plain = (1 << 23) + 20;
    const Row rows[] = {
        {"", 4 << 21, 14 << 21, (43 << 21) + 9 * CHECK_PS},
        {"cluster.gpus=4", 1 << 21, 14 << 19, (43 << 19) + 9 * CHECK_PS},
        {"codec.encode_rate=1000GBps", plain * 2 / 7, plain, (43 << 21) + 9 * CHECK_PS},
        {"codec.encode_rate=1000GBps codec.decode_rate=500GBps cluster.gpus=2",
         plain / 2 * 2 / 7,
         plain / 2,
         plain},
        {"codec.encode_rate=1000GBps codec.decode_rate=500GBps cluster.gpus=2 codec.placement=cpu",
         plain * 2 / 7,
         plain,
         2 * plain},
    };
    for (const auto& row : rows)
    {
        const auto spec = PlanOf(row.settings, {{2048 * ROW + 5, "0.25"}}).spec;
        EXPECT_EQ(spec.indexPs, row.indexPs) << row.settings;
        EXPECT_EQ(spec.indexPs + spec.sketchPs, row.encodePs) << row.settings;
        EXPECT_EQ(spec.decodePs, row.decodePs) << row.settings;
    }
}

/* A worker sketches its own values, 0.1 of them: 6.4 bytes a value; it peels the union's. */
TEST(SketchPlan, SketchesOnesOwnValuesOnly)
{
    const auto plan = PlanOf("training.union_exponent=1", {{2048 * ROW, "0.1"}});
    EXPECT_EQ(plan.spec.sketchPs, std::ceil(6.4 * (1 << 21)));
    const auto peeled = 28 * (plan.markedValues - plan.estimatedValues);
    const auto bytes = 4 * plan.rounds * (1 << 21) + peeled;
    EXPECT_NEAR(static_cast<double>(plan.spec.decodePs), bytes + plan.rounds * CHECK_PS, 2);
}

TEST(SketchPlan, LeavesDenseLayersAlone)
{
    // At 0.5 and more a layer is left alone: 100 values between two layers, of which a chunk from value 24 of the first
    // on takes 1000 and 2000.
    const auto plan = PlansOf("codec.skip_density=0.5",
                              {{1024, "0.1"}, {100, "0.5"}, {2100, "0.4"}},
                              {{{24, 3100}}})
                          .front();
    EXPECT_THAT(plan.spec.coded, ElementsAre(ElementRange{0, 1000}, ElementRange{1100, 2000}));
    EXPECT_THAT(plan.spec.plain, ElementsAre(ElementRange{1000, 100}));
    EXPECT_EQ(plan.rows, 2U); // of 3000 coded values
    EXPECT_DOUBLE_EQ(plan.unionDensity, (0.1 * 1000 + 0.4 * 2000) / 3000);
    // Without a limit all are coded. A worker's own density counts, not the union's 0.9375.
    const Layers dense{{1024, "0.5"}, {100, "1"}};
    EXPECT_THAT(PlanOf("", dense).spec.coded, ElementsAre(ElementRange{0, 1124}));
    EXPECT_THAT(PlanOf("training.union_exponent=1 codec.skip_density=0.6", dense).spec.plain,
                ElementsAre(ElementRange{1024, 100}));
    // Of ranges that lie apart, as of a ring's channels, the second one's values follow those of the first.
    const auto pieces = PlansOf("codec.skip_density=0.4",
                                {{3 * ROW, "0.25"}, {4 * ROW, "0.5"}},
                                {{{ROW, ROW}, {4 * ROW, 2 * ROW}}})
                            .front();
    EXPECT_THAT(pieces.spec.coded, ElementsAre(ElementRange{0, ROW}));
    EXPECT_THAT(pieces.spec.plain, ElementsAre(ElementRange{ROW, 2 * ROW}));
    EXPECT_EQ(pieces.unionDensity, 0.25);
}

TEST(SketchPlan, TakesTheLargestSafeRatio)
{
    const Layers layers{{2048 * ROW, "0.05"}};
    const auto plan = PlanOf("codec.ratio=safe", layers);
    EXPECT_EQ(plan.counterRows, std::lround(2048 / *LargestSafeRatio(2048, 0.05)));
    EXPECT_GT(plan.estimatedValues, 0);
    EXPECT_LE(plan.estimatedValues, 0.001 * plan.markedValues);
    // One counter row less is not safe.
    const auto fewer = plan.counterRows - 1;
    EXPECT_GT(ForecastPeeling(fewer, 0.05 * 2048 / fewer).leftShare, 0.001);
    // What is expected to decode whole has a lower load than what leaves one value in 1000.
    const auto whole = PlanOf("codec.ratio=safe codec.safe_left=0", layers);
    EXPECT_EQ(whole.estimatedValues, 0);
    EXPECT_GT(whole.counterRows, plan.counterRows);
    EXPECT_EQ(*whole.safeRatio, *LargestSafeRatio(2048, 0.05, 0));
}

/* Of 2048 rows, half of whose values are set, a load of 0.75 takes 1365 counter rows: 4 * 1365 + 128 * 2048
 * / 1024 bytes a lane are less than 4 * 2048; with 4 bits, 1365 + 256 rows' worth are less, too. If all but a
 * twentieth are set, 1 / 0.79 as many counter rows as rows are more. */
TEST(SketchPlan, CodesNothingThatWouldNotGetSmaller)
{
    const auto values = 2048 * ROW + 7;
    EXPECT_FALSE(PlanOf("codec.ratio=safe", {{values, "0.5"}}).spec.coded.empty());
    const auto plan = PlanOf("codec.ratio=safe", {{values, "0.95"}});
    EXPECT_THAT(plan.spec.coded, IsEmpty());
    EXPECT_THAT(plan.spec.plain, ElementsAre(ElementRange{0, values}));
    EXPECT_EQ(plan.rows, 0U);
    EXPECT_EQ(plan.markedValues, 0);
    EXPECT_EQ(plan.spec.indexPs + plan.spec.sketchPs + plan.spec.decodePs, 0);
    // Dense rows around what skip_density leaves out: all travels as it is, in order.
    const auto three = PlanOf("codec.ratio=safe codec.skip_density=0.97",
                              {{2000 * ROW, "0.95"}, {100, "1"}, {2001 * ROW, "0.95"}});
    EXPECT_THAT(three.spec.coded, IsEmpty());
    std::uint64_t next = 0;
    for (const auto& range : three.spec.plain)
    {
        EXPECT_EQ(range.begin, next);
        next = range.End();
    }
    EXPECT_EQ(next, 4001 * ROW + 100);
}

/* Less than a row is all tail, at any ratio. */
TEST(SketchPlan, HasNoRowsInALittleChunk)
{
    for (const auto* ratio : {"codec.ratio=10", "codec.ratio=safe"})
    {
        const auto plan = PlanOf(ratio, {{1023, "0.5"}});
        EXPECT_EQ(plan.rows, 0U);
        EXPECT_EQ(plan.load, 0);
        EXPECT_EQ(plan.estimatedValues, 0);
        EXPECT_FALSE(plan.safeRatio);
        EXPECT_EQ(plan.spec.decodePs, 0);
    }
}

TEST(SketchPlan, KnowsWhatAddsCounters)
{
    struct Row
    {
        const char* settings;
        WordSum adder;
        std::optional<std::int16_t> fixedExponent;
    };

    const std::string fixed = "switch.scaling=fixed switch.fixed_exponent=-3 ";
    const Row rows[] = {
        {"", WordSum::FP32, std::nullopt}, // a ring's hosts, whatever switches do
        {"exchange.algorithm=switch-slots", WordSum::INT32, -3},
        {"exchange.algorithm=switch-slots switch.adder=int32-saturating",
         WordSum::INT32_SATURATING,
         -3},
        {"exchange.algorithm=switch-slots switch.scaling=block", WordSum::INT32, std::nullopt},
        {"exchange.algorithm=switch-slots switch.adder=fp32", WordSum::FP32, std::nullopt},
    };
    for (const auto& row : rows)
    {
        const auto spec = PlanOf(fixed + row.settings, {{2048, "0.5"}}).spec;
        EXPECT_EQ(spec.adder, row.adder) << row.settings;
        EXPECT_EQ(spec.fixedExponent, row.fixedExponent) << row.settings;
        EXPECT_FALSE(spec.overlaps);
    }
    EXPECT_TRUE(PlanOf("codec.rounds=overlapped", {{2048, "0.5"}}).spec.overlaps);
}

TEST(SketchPlan, NeedsDensities)
{
    EXPECT_THROW(PlanOf("", {{2048, ""}}), InputError);
}

} // namespace inca
