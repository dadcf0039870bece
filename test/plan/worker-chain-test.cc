/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/worker-chain.h"

#include "plan/round-numbers.h"

#include <gtest/gtest.h>

namespace inca
{

/** Layers of 1 and 2 ps forward, 4 and 3 backward, 6 and 5 update, 1000 values each; a bucket each. */
class WorkerChainTest : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_scenario.training.trace = "alexnet";                      // one with compute
        m_scenario.host.copyBytesPerSecond = 4'000'000'000'000'000; // 4000 bytes in 1 ps
        m_trace.layers.resize(2);
        m_trace.layers[0].forwardPs = 1;
        m_trace.layers[0].backwardPs = 4;
        m_trace.layers[0].updatePs = 6;
        m_trace.layers[1].forwardPs = 2;
        m_trace.layers[1].backwardPs = 3;
        m_trace.layers[1].updatePs = 5;
        m_job->chunks.resize(2, m_job->chunks[0]);
        m_job->chunks[0].firstLayer = 1;
        m_job->chunks[0].lastLayer = 1;
        m_job->buckets = {{1, 1, {0}, 0, 0}, {0, 0, {1}, 0, 0}};
    }

    WorkerChain Make(bool inOrder = true, double scale = 1)
    {
        return MakeWorkerChain(m_scenario, m_trace, *m_job, scale, inOrder);
    }

    Scenario m_scenario{RoundScenario()};
    GradientTrace m_trace;
    std::shared_ptr<TrainingJob> m_job{RoundJob("ring", 1000)};
};

/* Three batches: two more of 1 + 2 + 4 + 3. */
TEST_F(WorkerChainTest, AddsUpPasses)
{
    m_job->accumulation = 3;
    const auto chain = Make();
    EXPECT_DOUBLE_EQ(chain.forward.Ps(), 3);
    EXPECT_DOUBLE_EQ(chain.backward.Ps(), 7);
    EXPECT_DOUBLE_EQ(chain.moreBatches.Ps(), 20);
    EXPECT_DOUBLE_EQ(Make(true, 2).backward.Ps(), 14);
}

/* The last exchange is layer 0's: 6 of update, then forward passes of 1 and 2. With a barrier the
 * same; with returned weights, or if the last exchange may be layer 1's, no update is waited for: then
 * 3, or layer 1's forward pass alone. */
TEST_F(WorkerChainTest, ForwardWaitsForTheLastUpdate)
{
    EXPECT_DOUBLE_EQ(Make().updating.Ps(), 6);
    EXPECT_DOUBLE_EQ(Make().forwardUpdating.Ps(), 9);
    EXPECT_DOUBLE_EQ(Make(false).updating.Ps(), 0);
    EXPECT_DOUBLE_EQ(Make(false).forwardUpdating.Ps(), 2);
    m_job->barrier = true;
    EXPECT_DOUBLE_EQ(Make().forwardUpdating.Ps(), 9);
    m_job->weightsReturn = true;
    EXPECT_DOUBLE_EQ(Make().forwardUpdating.Ps(), 3);
}

/* Layer 1's gradients after 3, layer 0's after 7, and a copy of 1 each; without overlap both after 7,
 * so that the second copy ends at 9. */
TEST_F(WorkerChainTest, BucketsAreReadyOneAfterTheOther)
{
    const auto chain = Make();
    ASSERT_EQ(chain.ready.size(), 2U);
    EXPECT_DOUBLE_EQ(chain.ready[0].Ps(), 4);
    EXPECT_DOUBLE_EQ(chain.ready[1].Ps(), 8);
    EXPECT_DOUBLE_EQ(chain.copies.Ps(), 2);
    m_job->overlap = false;
    EXPECT_DOUBLE_EQ(Make().ready[0].Ps(), 8);
    EXPECT_DOUBLE_EQ(Make().ready[1].Ps(), 9);
}

/* Before the copy, 10 to add up over GPUs and 5 to sparsify: the second bucket's follow the first's. */
TEST_F(WorkerChainTest, StagesOfBucketsOverlap)
{
    for (auto& bucket : m_job->buckets)
    {
        bucket.reducePs = 10;
        bucket.sparsifyPs = 5;
    }
    const auto chain = Make();
    EXPECT_DOUBLE_EQ(chain.ready[0].Ps(), 3 + 10 + 5 + 1);
    EXPECT_DOUBLE_EQ(chain.ready[1].Ps(), 3 + 10 + 10 + 5 + 1);
}

/* Passes by bucket; and the first bucket's weights are gathered once, the other's twice: a copy of 1 each beside the two
 * of gradients. */
TEST_F(WorkerChainTest, KnowsWhatABucketTakes)
{
    m_job->buckets[0].forwardGathers = {0};
    m_job->buckets[1].forwardGathers = {1};
    m_job->buckets[1].backwardGathers = {1};
    const auto chain = Make();
    ASSERT_EQ(chain.buckets.size(), 2U);
    EXPECT_DOUBLE_EQ(chain.buckets[0].forward.Ps(), 2);
    EXPECT_DOUBLE_EQ(chain.buckets[0].backward.Ps(), 3);
    EXPECT_DOUBLE_EQ(chain.buckets[1].forward.Ps(), 1);
    EXPECT_DOUBLE_EQ(chain.buckets[1].gradients.Ps(), 4);
    EXPECT_DOUBLE_EQ(chain.buckets[1].copying.Ps(), 1);
    EXPECT_DOUBLE_EQ(chain.copies.Ps(), 5);
    EXPECT_DOUBLE_EQ(chain.head.Ps() + chain.tail.Ps(), 0);
}

} // namespace inca
