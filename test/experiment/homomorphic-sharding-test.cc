/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Training whose workers keep shards, and whose gradients are sketches: each shard one by itself.
#include "base/text.h"
#include "experiment/sketch-fixture.h"

#include <string>

namespace inca
{

/** GPUs whose memory moves a byte in 1 ns. */
class HomomorphicSharding : public SketchFixture
{
  protected:
    static constexpr std::int64_t NS{1000};
    static constexpr std::int64_t US{1'000'000};

    /** A row of values for each worker, half of them set on all; it takes one round, in which nothing is peeled. */
    static Scenario Rows(const std::string& algorithm,
                         std::uint32_t workers,
                         const std::string& sharding)
    {
        const auto bytes = std::to_string(workers * ROW * 4);
        return With(Compressed("tensor:" + bytes + "B", algorithm, workers),
                    "training.density=0.5 training.union_exponent=0 codec.ratio=1 "
                    "switch.scaling=fixed gpu.memory_bandwidth=1GBps training.sharding=" +
                        sharding);
    }

    // Of a row, as of HomomorphicTimes: 4 bytes of each of 1024 values are read to mark it; 4, and 24 of half of
    // them, to sketch; and 4 to decode, before the host says after 20 us that this is all.
    static constexpr std::int64_t INDEX_PS{4096 * NS};
    static constexpr std::int64_t SKETCH_PS{(4096 + 12'288) * NS};
    static constexpr std::int64_t DECODE_PS{4096 * NS + 20 * US};

    /** A message of a row of words: one of the two of an all-reduce of two rows by two workers. */
    static std::int64_t RowPs()
    {
        return (EndPs(Bare("tensor:8192B")) - ACK_PS) / 2;
    }
};

/* Full sharding gathers first, and takes as long. */
TEST_F(HomomorphicSharding, TakesTheTimesOfItsRounds)
{
    struct Row
    {
        const char* algorithm;
        std::uint32_t workers;
        const char* settings;
        std::int64_t endPs;
    };

    const auto rowPs = RowPs();
    const auto roundTripPs = 2 * (PACKET_PS + LINK_PS);
    // Each worker makes two indexes, of which it gets its own added up: a message of 32 words; two sketches of
    // 1024 counters, of which it gets one; decodes this, and hands on a row of weights. Codes take longer than
    // acknowledgements.
    const auto twoPs = 2 * INDEX_PS + HopPs(32) + 2 * SKETCH_PS + rowPs + DECODE_PS + rowPs;
    const Row rows[] = {
        {"ring", 2, "", twoPs},
        {"halving-doubling", 2, "", twoPs},
        // The index is there long before two sketches are made.
        {"ring", 2, "codec.rounds=overlapped", twoPs - HopPs(32)},
        // Each of 2 GPUs codes half. 8192 bytes are added up and shared out; with full sharding gathered
        // weights alone are shared out, before all else.
        {"ring",
         2,
         "cluster.gpus=2 cluster.gpu_bandwidth=1GBps",
         2 * 4096 * NS + INDEX_PS + HopPs(32) + SKETCH_PS + rowPs + 2048 * NS + 20 * US + rowPs},
        // Four workers, a packet of index each, then 4 of counters, and 4 of weights, as SwitchSharding says:
        // a reduce-scatter of P packets takes worker 3 (P - 1) F and a round trip of 2 (F + d); weights E +
        // 2 d + P/4 (3 F + E).
        {"switch-slots",
         4,
         "training.sharding=optimizer",
         4 * INDEX_PS + 3 * PACKET_PS + roundTripPs + 4 * SKETCH_PS + 15 * PACKET_PS + roundTripPs +
             DECODE_PS + EMPTY_PS + 2 * LINK_PS + 16 / 4 * (3 * PACKET_PS + EMPTY_PS)},
    };
    for (const auto* sharding : {"optimizer", "full"})
    {
        for (const auto& row : rows)
        {
            SCOPED_TRACE(Text(row.algorithm, " ", sharding, " ", row.settings));
            const auto outcome =
                Run(With(Rows(row.algorithm, row.workers, sharding), row.settings));
            EXPECT_EQ(outcome.Job().seen->iterationEndPs.back(), row.endPs);
            EXPECT_LE(outcome.plan.Job().alone.iterationPs, row.endPs);
        }
    }
}

/* A layer's update takes 10 us, of which each of two workers does half once it has decoded its shard, and not before. */
TEST_F(HomomorphicSharding, UpdatesWhatItHasDecoded)
{
    for (const auto* sharding : {"optimizer", "full"})
    {
        auto scenario = Rows("ring", 2, sharding);
        const auto withoutPs = EndPs(scenario);
        scenario.training.trace = WriteTrace("sketched-update",
                                             "layer,elements,forward_ns,backward_ns,update_ns",
                                             "all,2048,0,0,10000\n");
        const auto outcome = Run(scenario);
        EXPECT_EQ(outcome.Job().seen->iterationEndPs.back(), withoutPs + 5 * US) << sharding;
        EXPECT_EQ(outcome.Job().breakdown.Of(Activity::UPDATE), 5 * US);
        EXPECT_EQ(outcome.Job().breakdown.Of(Activity::CODEC),
                  2 * INDEX_PS + 2 * SKETCH_PS + DECODE_PS);
    }
}

/* What gradients stand for is told as without a codec: of 4096 values 3 of 4 parts, twice, come to each of 4 hosts, and
 * through switches one and three. On a ring's wire go messages of 32 and 1024 words, then of 1024 weights: one, three
 * and three frames, each with 78 bytes more, and an acknowledgement of 84. */
TEST_F(HomomorphicSharding, MovesWordsOneWayAndWeightsTheOther)
{
    for (const auto* sharding : {"optimizer", "full"})
    {
        for (const std::string algorithm : {"ring", "halving-doubling", "switch-slots"})
        {
            const auto results = RunExperiment(Rows(algorithm, 4, sharding), {}).results;
            const auto parts = algorithm == "switch-slots" ? 4U : 6U;
            EXPECT_EQ(results.plainBytes, parts * 4096 * 4) << algorithm << sharding;
            if (algorithm == "ring")
            {
                const auto stepBytes = (128 + 78) + 2 * (4096 + 3 * 78) + 3 * 84;
                EXPECT_EQ(results.wireBytes, 3U * 4 * stepBytes) << sharding;
                EXPECT_EQ(results.simulatedRanks, 1U); // all alike
            }
        }
    }
}

/* Beside random runs (drawn-runs-test.cc), lost frames: each sum is on its owner, and all hold what is handed on. With shards
 * of the optimizer's state all workers hold all values; else owners, and all what is gathered. */
TEST_F(HomomorphicSharding, ValuesSurviveLosses)
{
    for (const std::string sharding : {"optimizer", "full"})
    {
        for (const std::string algorithm : {"ring", "halving-doubling", "switch-tree"})
        {
            SCOPED_TRACE(algorithm + " " + sharding);
            const auto scenario =
                With(Compressed(ThreeLayers(), algorithm, 4),
                     "training.values=true codec.ratio=0.5 switch.fixed_exponent=-5 "
                     "switch.timeout=50us cluster.loss_rate=0.01 training.sharding=" +
                         sharding);
            const auto outcome = Run(scenario);
            const auto padded = (VALUES + 3) / 4 * 4;
            EXPECT_EQ(outcome.Job().comparedValues, padded * (sharding == "full" ? 5 : 4));
            EXPECT_EQ(outcome.Job().errors->estimated, 0U);
            EXPECT_EQ(outcome.Job().errors->replicaDifference, 0);
            EXPECT_GT(outcome.Job().errors->largest, 0);
            EXPECT_LT(outcome.Job().errors->largest, 1e-5); // of values below 2^-5
        }
    }
}

} // namespace inca
