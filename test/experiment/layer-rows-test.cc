/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/layer-rows.h"

#include "experiment/scenario-fixture.h"

namespace inca
{

using LayerRowsTest = ScenarioFixture;

/* Two layers of 100 elements, each exchanged by itself (X = 4956.8 ns, then 67.2 ns): "out" is ready
 * at 4 us, "in" at 6 us, and the exchange of "in" ends at 4 us + 2 X + 67.2 ns. */
TEST_F(LayerRowsTest, TellWhenEachLayersExchangeWentOn)
{
    auto scenario = Bare(TwoLayers());
    scenario.training.send = "layer";
    const auto rows = LayerRows(Run(scenario));
    ASSERT_EQ(rows.size(), 4U);
    const auto x = RingOfTwoPs(100);
    EXPECT_EQ(rows[0].layer, "in");
    EXPECT_EQ(rows[0].worker, 0U);
    EXPECT_EQ(rows[0].elements, 100U);
    EXPECT_EQ(rows[0].readyPs, 6'000'000);
    EXPECT_EQ(rows[0].startPs, 4'000'000 + x);
    EXPECT_EQ(rows[0].endPs, 4'000'000 + 2 * x + ACK_PS);
    EXPECT_EQ(rows[1].readyPs, 4'000'000);
    EXPECT_EQ(rows[1].startPs, 4'000'000);
    EXPECT_EQ(rows[1].endPs, 4'000'000 + x);
    EXPECT_EQ(rows[3].worker, 1U);
    EXPECT_EQ(rows[3].layer, "out");
    EXPECT_EQ(rows[0].plainBytes, 400U); // two blocks of 200 bytes came
    EXPECT_EQ(rows[1].firstBucket, 1U);
    EXPECT_EQ(rows[0].firstBucket, 2U);
    EXPECT_EQ(rows[0].lastBucket, 2U);
}

/* "out" has tensors of 60 and 40, "in" of 70 and 30: with 160 bytes = 40 elements to the first bucket and
 * 400 = 100 to the others, the buckets are 40, 60 + 30 + 70. "out" (ready at 4 us) lies in both, and its
 * exchange ends with the second, which starts when "in" is ready at 6 us. A ring of two moves 20 elements a
 * hop, then 80. */
TEST_F(LayerRowsTest, ALayerEndsWithTheLastOfItsBuckets)
{
    auto scenario = Bare(WriteTrace("two-tensors",
                                    "layer,elements,tensors,forward_ns,backward_ns,update_ns",
                                    "in,100,70 30,1000,2000,500\nout,100,60 40,1000,2000,500\n"));
    scenario.exchange.firstBucketBytes = 160;
    scenario.exchange.bucketBytes = 400;
    const auto outcome = Run(scenario);
    const auto rows = LayerRows(outcome);
    EXPECT_EQ(rows[0].firstBucket, 2U);
    EXPECT_EQ(rows[0].lastBucket, 2U);
    EXPECT_EQ(rows[1].firstBucket, 1U);
    EXPECT_EQ(rows[1].lastBucket, 2U);
    EXPECT_EQ(rows[1].startPs, 4'000'000);
    EXPECT_EQ(rows[0].startPs, std::max<std::int64_t>(6'000'000, 4'000'000 + RingOfTwoPs(40)));
    EXPECT_EQ(rows[0].endPs, rows[1].endPs);
    EXPECT_EQ(rows[0].plainBytes, 400U);
    EXPECT_EQ(rows[1].plainBytes, 400U);
    // Each layer is updated once, when all of it is there: one after the other.
    EXPECT_EQ(outcome.seen->iterationEndPs.back(), rows[0].endPs + 2 * 500'000);
}

/* From the end of backward (6 us) until the last update; "in" is the last, and is needed first, so
 * all of it is its exposure, less two updates of 0.5 us. With priority and without overlap "out" adds
 * what comes after; each waits for its own update, which is no communication. */
TEST_F(LayerRowsTest, ExposuresAddUpToTheCommunicationAfterBackward)
{
    auto scenario = Bare(TwoLayers());
    scenario.training.send = "layer";
    const auto late = LayerRows(Run(scenario));
    EXPECT_EQ(late[0].exposedCommunicationPs, 14'480'800 - 6'000'000 - 2 * 500'000);
    EXPECT_EQ(late[1].exposedCommunicationPs, 0);

    scenario.training.overlap = false;
    scenario.exchange.order = "priority";
    const auto outcome = Run(scenario);
    const auto rows = LayerRows(outcome);
    const auto x = RingOfTwoPs(100);
    EXPECT_EQ(rows[0].exposedCommunicationPs, x);
    EXPECT_EQ(rows[1].exposedCommunicationPs, x + ACK_PS - 500'000);
    EXPECT_EQ(rows[0].exposedCommunicationPs + rows[1].exposedCommunicationPs,
              outcome.seen->iterationEndPs.back() - outcome.seen->backwardEndPs[0] - 2 * 500'000);
}

/* One bucket of 200 elements in chunks of 30: what reached a worker (2 (N - 1) / N of 800 bytes, and
 * half of that per layer, truncated to half on the wire) is split by elements and adds up. */
TEST_F(LayerRowsTest, BytesOfSharedChunksAddUp)
{
    auto scenario = Bare(TwoLayers());
    scenario.exchange.chunkBytes = 120;
    scenario.codec.name = "truncate";
    const auto rows = LayerRows(Run(scenario));
    EXPECT_EQ(rows[0].plainBytes + rows[1].plainBytes, 800U);
    EXPECT_EQ(rows[0].wireBytes + rows[1].wireBytes, 400U);
    EXPECT_EQ(rows[0].plainBytes, 400U);
    EXPECT_EQ(rows[0].wireBytes, 200U);
}

} // namespace inca
