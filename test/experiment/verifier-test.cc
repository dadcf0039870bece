/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/verifier.h"

#include "base/errors.h"
#include "exchange/exchange-catalog.h"
#include "helper/job-fixture.h"

#include "support/float-words.h"
#include "support/made-up-codec.h"
#include "support/why-not.h"

#include <gmock/gmock.h>

#include <cmath>

namespace inca
{

/** Worker w's gradient is w + 1 at every element. */
class VerifierTest : public JobFixture
{
  protected:
    using GradientOf = float (*)(Rank rank);

    static WorkerGradient Gradients(GradientOf gradient)
    {
        return [gradient](Rank rank, ElementRange range, float* out) {
            std::fill_n(out, range.count, gradient(rank));
        };
    }

    static std::shared_ptr<TrainingJob> Job(
        Rank workers, std::uint64_t elements, GradientOf gradient = [](Rank rank) {
            return static_cast<float>(rank + 1);
        })
    {
        auto job = MakeTensorJob(Exchange("ring", workers), elements);
        job->ownGradient = Gradients(gradient);
        return job;
    }

    /** What a rank holds when every element is @p value. */
    template <typename Fill>
    static ExchangeOutcome Outcome(std::uint64_t elements, Fill values)
    {
        const ElementRange all{0, elements};
        return {std::make_unique<RankValues>(all, FillingWords(std::move(values)), ValueHooks{}),
                {},
                {}};
    }

    static ExchangeOutcome Held(std::uint64_t elements, float value)
    {
        return Outcome(elements, [value](ElementRange range, float* out) {
            std::fill_n(out, range.count, value);
        });
    }
};

/* 1 + 2 = 3 in both workers: 2 * 10 values compared, no error. */
TEST_F(VerifierTest, TakesTheRightSums)
{
    Verifier verifier(Job(2, 10));
    verifier.Take(0, 0, Held(10, 3));
    EXPECT_EQ(verifier.Compared(), 0U); // worker 1 is still missing
    verifier.Take(1, 0, Held(10, 3));
    EXPECT_EQ(verifier.Compared(), 20U);
    EXPECT_EQ(verifier.Errors().largest, 0);
}

TEST_F(VerifierTest, RefusesAWrongSumAndSaysWhere)
{
    Verifier verifier(Job(2, 10));
    verifier.Take(0, 0, Held(10, 3));
    EXPECT_THAT(WhyNot<InvariantError>([&] { verifier.Take(1, 0, Held(10, 4)); }),
                testing::AllOf(testing::HasSubstr("worker 1: value 0 is 4"),
                               testing::HasSubstr("gives 3")));
}

/** A job of 2 workers and 10 elements whose exchanges 0 and 1 of an iteration are a gather and sums in shards of 5. */
class ShardVerifierTest : public VerifierTest
{
  protected:
    static std::shared_ptr<TrainingJob> ShardedJob()
    {
        auto job = Job(2, 10);
        auto spec = Exchange("ring", 2);
        spec.sharded = true;
        auto gather = job->chunks.front();
        gather.purpose = ExchangePurpose::FORWARD_WEIGHTS;
        spec.phase = SumPhase::ALL_GATHER;
        gather.rounds.front().plan = MakeStepPlan(spec, 10);
        spec.phase = SumPhase::REDUCE_SCATTER;
        job->chunks.front().rounds.front().plan = MakeStepPlan(spec, 10);
        job->chunks.insert(job->chunks.begin(), gather);
        job->iterations = 2;
        job->weightsReturn = true;
        return job;
    }

    /** Worker w ends with block 1 - w: it adds the other's 2 - w to its own w + 1, or is wrong by @p error. */
    static ExchangeOutcome Shard(Rank worker, float error = 0)
    {
        auto outcome = Held(10, static_cast<float>(worker + 1));
        Step step;
        step.receives = {{1 - worker, {5 * (1 - worker), 5}, PayloadKind::GRADIENT, Combine::ADD}};
        step.update = true;
        const std::vector<float> others(5, static_cast<float>(2 - worker) + error);
        std::vector<Word> words(5);
        CopyBits(others.data(), 5, words.data());
        outcome.values->Receive(step, {words.data()});
        return outcome;
    }

    /** Of each half of the elements a value. */
    static ExchangeOutcome Weights(float first, float second)
    {
        return Outcome(10, [first, second](ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = range.begin + i < 5 ? first : second;
            }
        });
    }
};

/* Before the first update worker 1 owns the first half, of which it hands on its own 2s, and worker 0 the other: 1s;
 * then both are sums, 3. 2 * 10 values of a gather, 10 of sums, twice. */
TEST_F(ShardVerifierTest, TakesOwnersWeightsAndSums)
{
    Verifier verifier(ShardedJob());
    for (const Rank worker : {0U, 1U})
    {
        verifier.Take(worker, 0, Weights(2, 1));
    }
    EXPECT_EQ(verifier.Compared(), 20U);
    for (const std::uint32_t exchange : {1U, 3U})
    {
        for (const Rank worker : {0U, 1U})
        {
            verifier.Take(worker, exchange, Shard(worker));
        }
        if (exchange == 1)
        {
            verifier.Take(0, 2, Weights(3, 3));
            verifier.Take(1, 2, Weights(3, 3));
        }
    }
    EXPECT_EQ(verifier.Compared(), 60U);
    EXPECT_EQ(verifier.Due(), 60U);
    EXPECT_EQ(verifier.Errors().largest, 0);
}

TEST_F(ShardVerifierTest, RefusesOthersWeightsAndThoseOfBefore)
{
    Verifier verifier(ShardedJob());
    verifier.Take(0, 0, Weights(2, 1));
    EXPECT_THROW(verifier.Take(1, 0, Weights(2, 2)), InvariantError);
    Verifier before(ShardedJob());
    before.Take(0, 1, Shard(0));
    before.Take(1, 1, Shard(1));
    before.Take(0, 2, Weights(3, 3));
    EXPECT_THROW(before.Take(1, 2, Weights(2, 1)), InvariantError);
}

TEST_F(ShardVerifierTest, RefusesAWrongShardAndOneThatIsNobodys)
{
    for (const bool isWrong : {true, false})
    {
        Verifier verifier(ShardedJob());
        verifier.Take(0, 1, Shard(0));
        EXPECT_THROW(verifier.Take(1, 1, isWrong ? Shard(1, 0.5F) : Shard(0)), InvariantError);
    }
}

/* The same without anybody who sends: 20 of the first gather, 20 of the second, 10 of either's sums. */
TEST_F(ShardVerifierTest, ReplaysAll)
{
    Verifier verifier(ShardedJob());
    verifier.ReplayAll(nullptr);
    EXPECT_EQ(verifier.Compared(), verifier.Due());
    EXPECT_EQ(verifier.Errors().largest, 0);
}

/* 0.0 and -0.0 are equal, but not the same bits. */
TEST_F(VerifierTest, ComparesBits)
{
    Verifier verifier(Job(2, 1, [](Rank) { return 0.0F; }));
    verifier.Take(0, 0, Held(1, 0.0F));
    EXPECT_THROW(verifier.Take(1, 0, Held(1, -0.0F)), InvariantError);
}

TEST_F(VerifierTest, DoesNotLookAtAggregators)
{
    auto job = MakeTensorJob(Exchange("worker-aggregator", 2), 1);
    job->ownGradient = Job(2, 1)->ownGradient;
    Verifier verifier(job);
    verifier.Take(2, 0, {});
    verifier.Take(0, 0, Held(1, 3));
    verifier.Take(1, 0, Held(1, 3));
    EXPECT_EQ(verifier.Compared(), 2U);
}

/* The codec adds a half to every value: a ring of two sends each block's first part once
 * and its sum once. Block 0 starts at worker 0: (1 + 0.5) + 2 = 3.5 at its owner, worker 1, and 4 at
 * worker 0; block 1 the other way round, (2 + 0.5) + 1 = 3.5 at worker 0. Error 1 and 0.5, mean 0.75;
 * the replicas are 0.5 apart. */
TEST_F(VerifierTest, MeasuresTheDistanceFromTheSumInFp64)
{
    Verifier verifier(CodedBy(std::make_shared<MadeUpCodec>([](float* values, std::size_t count) {
                                  std::for_each(
                                      values, values + count, [](float& value) { value += 0.5F; });
                              }),
                              Job(2, 2)));
    const auto ends = [](float first, float second) {
        const auto both = [=](ElementRange range, float* out) {
            const float values[]{first, second};
            std::copy_n(values + range.begin, range.count, out);
        };
        return Outcome(2, both);
    };
    verifier.Take(0, 0, ends(4, 3.5F));
    verifier.Take(1, 0, ends(3.5F, 4));
    EXPECT_EQ(verifier.Errors().largest, 1);
    EXPECT_EQ(verifier.Errors().Mean(), 0.75);
    EXPECT_EQ(verifier.Errors().replicaDifference, 0.5);
}

/* More than one window of 65536 values: a wrong one in the second is found. */
TEST_F(VerifierTest, GoesThroughAllWindows)
{
    constexpr std::uint64_t ELEMENTS = (1U << 16U) + 10;
    const auto wrongAtTheEnd = [](ElementRange range, float* out) {
        std::fill_n(out, range.count, 3.0F);
        if (range.End() == ELEMENTS)
        {
            out[range.count - 1] = 5;
        }
    };
    Verifier verifier(Job(2, ELEMENTS));
    verifier.Take(0, 0, Held(ELEMENTS, 3));
    EXPECT_THROW(verifier.Take(1, 0, Outcome(ELEMENTS, wrongAtTheEnd)), InvariantError);
}

/**
 * Sums of fp32 in any order: 2^24 + 1 + 1 is 2^24 from the left, 2^24 + 2 from the right. Two additions
 * may be off by 2 * 2^-24 of 2^24 + 2 in all, so by 2 and a little: every value from 2^24 to 2^24 + 4
 * will do, as long as all workers have the same.
 */
class OrderlessSums : public VerifierTest
{
  protected:
    static constexpr float LARGE{1U << 24U};

    static std::shared_ptr<TrainingJob> InAnyOrder(Rank workers, GradientOf gradient)
    {
        auto job = Job(workers, 1, gradient);
        job->chunks.front().rounds.front().hooks.network.isExact = false;
        return job;
    }

    static void Take(float first, float others)
    {
        Verifier verifier(InAnyOrder(3, [](Rank rank) { return rank == 0 ? LARGE : 1.0F; }));
        verifier.Take(0, 0, Held(1, first));
        verifier.Take(1, 0, Held(1, others));
        verifier.Take(2, 0, Held(1, others));
        EXPECT_EQ(verifier.Compared(), 3U);
    }
};

TEST_F(OrderlessSums, AreTakenFromAnyOrderAndTheSameOnAllWorkers)
{
    for (const float sum : {LARGE, LARGE + 2, LARGE + 4})
    {
        EXPECT_NO_THROW(Take(sum, sum)) << sum;
    }
    for (const float sum : {LARGE + 6, LARGE - 1, NAN, INFINITY})
    {
        EXPECT_THROW(Take(sum, sum), InvariantError) << sum;
    }
    EXPECT_THROW(Take(LARGE, LARGE + 2), InvariantError);
}

/* A gradient that is no number makes a sum that is none, and no order is wrong. */
TEST_F(OrderlessSums, OfWhatIsNoNumberAreNotJudged)
{
    Verifier verifier(InAnyOrder(2, [](Rank) { return INFINITY; }));
    verifier.Take(0, 0, Held(1, INFINITY));
    EXPECT_NO_THROW(verifier.Take(1, 0, Held(1, INFINITY)));
    EXPECT_EQ(verifier.Errors().notFinite, 2U);
}

/* Two workers of two GPUs, in bf16: 256 + 1 -> 256 on each, 512 in sum, where the GPUs' gradients add up to
 * 514. Three additions, each within 2^-8 of its result, may be off by 3 * 2^-8 * 514 = 6. */
TEST_F(VerifierTest, MeasuresAgainstTheGradientsOfAllGpus)
{
    auto job = Job(2, 10, [](Rank) { return 256.0F; });
    job->gradientType = GradientTypeNamed("bf16");
    job->gpuGradient = Gradients([](Rank gpu) { return gpu % 2 == 0 ? 256.0F : 1.0F; });
    job->gpusOfWorker = 2;
    Verifier verifier(job);
    verifier.Replay(0, 1);
    EXPECT_EQ(verifier.Errors().largest, 2);
    EXPECT_EQ(verifier.Errors().Mean(), 2);
}

} // namespace inca
