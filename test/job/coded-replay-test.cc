/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sums of coded words: of all values, and shard by shard.
#include "base/errors.h"
#include "exchange/exchange-catalog.h"
#include "exchange/listed-plan.h"
#include "job/coded-replay.h"
#include "job/part-coding.h"
#include "job/sharded-coding.h"
#include "job/verifier.h"
#include "support/float-words.h"
#include "support/why-not.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

/**
 * Three workers in a ring, whose gradients are r + 1 everywhere: a first round of 2 values, 6 each, and a
 * second one of 3, (1 + 2 + 3) * 6 = 36 each.
 */
class CodedReplayTest : public testing::Test
{
  protected:
    using Values = std::vector<float>;

    CodedReplayTest()
    {
        ExchangeSpec spec;
        spec.workers = 3;
        coding->words = {2, 3};
        coding->estimated = 1;
        job = MakeTensorJob(spec, 5);
        job->ownGradient = [](Rank rank, ElementRange range, float* out) {
            std::fill_n(out, range.count, static_cast<float>(rank + 1));
        };
        Chunk().coding = coding;
        Chunk().rounds = {{MakeStepPlan(spec, 2), {}}, {MakeStepPlan(spec, 3), {}}};
    }

    JobChunk& Chunk()
    {
        return job->chunks.front();
    }

    static std::vector<Word> WordsOf(const Values& values)
    {
        std::vector<Word> words(values.size());
        CopyBits(values.data(), values.size(), words.data());
        return words;
    }

    /** What a worker holds that has decoded @p values, of @p rounds. */
    static ExchangeOutcome Held(const Values& values,
                                std::uint64_t estimated,
                                std::vector<RoundResult> rounds = {})
    {
        const auto copy = [values](ElementRange range, Word* out) {
            CopyBits(values.data() + range.begin, range.count, out);
        };
        const ElementRange all{0, values.size()};
        return {std::make_unique<RankValues>(all, copy, ValueHooks{}),
                {estimated},
                std::make_shared<const std::vector<RoundResult>>(std::move(rounds))};
    }

    /** Workers 0 and 1 hold what they should, worker 2 @p last, and says @p more of its estimates. */
    void Verify(const Values& last, std::uint64_t more = 0)
    {
        const auto estimated = coding->estimated;
        Verifier verifier(job);
        verifier.Take(0, 0, Held(RIGHT, estimated));
        verifier.Take(1, 0, Held(RIGHT, estimated));
        verifier.Take(2, 0, Held(last, estimated + more));
        EXPECT_EQ(verifier.Compared(), 15U);
        EXPECT_EQ(verifier.Errors().estimated, estimated);
    }

    /** All workers hold what worker 0's words, from switches that add fp32, are decoded to. */
    void VerifyOrderless(const Values& first, const Values& second, const Values& values)
    {
        Chunk().rounds[0].hooks.sum = WordSum::OR;
        Chunk().rounds[1].hooks.network.isExact = false;
        Verifier verifier(job);
        verifier.Take(1, 0, Held(values, 1, {{}, {}}));
        verifier.Take(0, 0, Held(values, 1, {{WordsOf(first)}, {WordsOf(second)}}));
        verifier.Take(2, 0, Held(values, 1, {{}, {}}));
        EXPECT_EQ(verifier.Compared(), 15U);
    }

    const Values RIGHT{6, 6, 36, 36, 36};
    std::shared_ptr<PartCoding> coding = std::make_shared<PartCoding>();
    std::shared_ptr<TrainingJob> job;
};

TEST_F(CodedReplayTest, AddsAndDecodes)
{
    coding->errorBound = 0.5;
    const auto reference = ReplayCoded(*job, Chunk());
    EXPECT_EQ(reference.values, RIGHT);
    EXPECT_EQ(reference.report.estimated, 1U);
    EXPECT_EQ(reference.errorBound, 0.5);
}

/* 1 | 2 | 3 of whole numbers' bits; the second round multiplies by that. */
TEST_F(CodedReplayTest, AddsWordsAsTheirRoundSays)
{
    Chunk().rounds[0].hooks.sum = WordSum::OR; // 0x3f800000 | 0x40000000 | 0x40400000 is a NaN
    const auto reference = ReplayCoded(*job, Chunk());
    EXPECT_TRUE(std::isnan(reference.values[0]));
}

TEST_F(CodedReplayTest, RefusesRoundsThatGiveWorkersDifferentWords)
{
    const std::vector<std::vector<Step>> silent(3); // three words each, and they tell nobody
    Chunk().rounds[1].plan = std::make_shared<ListedPlan>(3, silent);
    EXPECT_THROW(ReplayCoded(*job, Chunk()), InvariantError);
}

TEST_F(CodedReplayTest, TheVerifierTakesWhatItGivesAndNoOtherValueOrNumberOfEstimates)
{
    EXPECT_NO_THROW(Verify(RIGHT));
    EXPECT_THROW(Verify(RIGHT, 1), InvariantError);
    auto wrong = RIGHT;
    wrong[3] = std::nextafter(wrong[3], 100.0F);
    EXPECT_THAT(WhyNot<InvariantError>([&] { Verify(wrong); }),
                testing::HasSubstr("worker 2: value 3 is 36.0000"));
}

/* 36 is no sum of 1, 2 and 3: within a bound of 30 it is right, but beyond one of 29 three values are. */
TEST_F(CodedReplayTest, TheVerifierAllowsAsManyWrongValuesAsWereEstimated)
{
    coding->errorBound = 29;
    coding->estimated = 2;
    EXPECT_THROW(Verify(RIGHT), InvariantError);
    coding->estimated = 3;
    EXPECT_NO_THROW(Verify(RIGHT));
    coding->errorBound = 30;
    coding->estimated = 0;
    EXPECT_NO_THROW(Verify(RIGHT));
}

/* A sum that is no number cannot be missed. */
TEST_F(CodedReplayTest, TheVerifierPassesOverInfiniteSums)
{
    coding->errorBound = 0;
    coding->estimated = 0;
    coding->overlaps = true;
    job->ownGradient = [](Rank, ElementRange range, float* out) {
        std::fill_n(out, range.count, INFINITY);
    };
    const Values infinite(5, INFINITY);
    Verifier verifier(job);
    verifier.Take(0, 0, Held(infinite, 0));
    verifier.Take(1, 0, Held(infinite, 0));
    EXPECT_NO_THROW(verifier.Take(2, 0, Held(infinite, 0)));
    EXPECT_EQ(verifier.Errors().notFinite, 15U);
}

/* Bits of 1, 2 and 4 or-ed; what comes of the second round, any fp32 order may have made. */
TEST_F(CodedReplayTest, TheVerifierLooksAtWordsWhereTheirOrderDecides)
{
    coding->overlaps = true;
    job->ownGradient = [](Rank rank, ElementRange range, float* out) {
        for (std::uint64_t i = 0; i < range.count; ++i)
        {
            const float inOrder[]{1U << 24U, 1, 1};
            out[i] = range.begin + i < 2 ? 1.0F : inOrder[rank];
        }
    };
    constexpr float large = 1U << 24U;
    const Values ones{1, 1};
    const auto decoded = [](float third) { return Values{1, 1, large, large + 2, third}; };
    const auto words = [](float third) { return Values{large, large + 2, third}; };
    EXPECT_NO_THROW(VerifyOrderless(ones, words(large), decoded(large)));
    EXPECT_NO_THROW(VerifyOrderless(ones, words(large + 4), decoded(large + 4)));
    EXPECT_THROW(VerifyOrderless(ones, words(large + 6), decoded(large + 6)), InvariantError);
    EXPECT_THROW(VerifyOrderless(ones, words(large), decoded(large + 2)), InvariantError);
    EXPECT_THROW(VerifyOrderless({1, 2}, words(large), {1, 2, large, large + 2, large}),
                 InvariantError);
}

/**
 * Three workers, 9 values, and two rounds of 6 and 3 words: two words of each shard, then one. In a ring worker w's
 * shard is block w + 1. The model has 8 values; a zero makes the last shard as long as the others.
 */
class ShardedCodingTest : public testing::Test
{
  protected:
    using Values = std::vector<float>;

    ShardedCodingTest()
    {
        ExchangeSpec ring;
        ring.workers = 3;
        job = MakeTensorJob(ring, 8);
        job->ownGradient = [](Rank rank, ElementRange range, float* out) {
            for (std::uint64_t i = 0; i < range.count; ++i)
            {
                out[i] = static_cast<float>((rank + 1) * (range.begin + i + 1));
            }
        };
        ring.sharded = true;
        ring.phase = SumPhase::REDUCE_SCATTER;
        spec.values = ShardsOf(*MakeStepPlan(ring, 9));
        for (auto& part : parts)
        {
            part = std::make_shared<PartCoding>();
            part->words = {2, 1};
            part->overlaps = true;
            spec.coding.push_back(part);
        }
        for (const std::uint64_t words : {6, 3})
        {
            Chunk().rounds.push_back({MakeStepPlan(ring, words), {}});
            spec.words.push_back(ShardsOf(*Chunk().rounds.back().plan));
        }
        Chunk().rounds.erase(Chunk().rounds.begin());
        coding = MakeShardedCoding(spec);
        Chunk().coding = coding;
    }

    JobChunk& Chunk()
    {
        return job->chunks.front();
    }

    Values Own(Rank worker)
    {
        Values values(9);
        job->GradientsOf(Chunk())(worker, {0, 9}, values.data());
        return values;
    }

    /** What a worker has that has decoded its shard. */
    ExchangeOutcome Held(Rank worker, const Values& values, std::vector<RoundResult> rounds = {})
    {
        const auto copy = [values](ElementRange range, Word* out) {
            CopyBits(values.data() + range.begin, range.count, out);
        };
        auto held = std::make_unique<RankValues>(ElementRange{0, 9}, copy, ValueHooks{});
        for (const auto& range : (*coding->ShardsOfValues())[worker])
        {
            held->Update(range);
        }
        return {std::move(held),
                {parts[worker]->estimated},
                std::make_shared<const std::vector<RoundResult>>(std::move(rounds))};
    }

    /** Of full sharding, so that each worker holds its shard alone. */
    Verifier MakeVerifier(bool exactSums)
    {
        for (auto& round : Chunk().rounds)
        {
            round.hooks.network.isExact = exactSums;
        }
        auto gather = Chunk();
        gather.coding = nullptr;
        gather.purpose = ExchangePurpose::FORWARD_WEIGHTS;
        job->chunks.insert(job->chunks.begin(), gather);
        return Verifier(job);
    }

    static std::vector<Word> Words(const std::vector<float>& values)
    {
        const auto words = ToWords(values);
        return {words.begin(), words.end()};
    }

    static constexpr std::uint32_t SUMS{1}; ///< number of the exchange

    std::shared_ptr<PartCoding> parts[3];
    ShardedCodingSpec spec;
    std::shared_ptr<TrainingJob> job;
    std::shared_ptr<const ChunkCoding> coding;
    const Values sum{6, 12, 18, 24, 30, 36, 42, 48, 0};
};

TEST_F(ShardedCodingTest, PutsEachShardsWordsWhereItsOwnerGetsThem)
{
    using testing::ElementsAre;
    EXPECT_THAT(ToFloats(coding->Encode(0, Own(0), {})), ElementsAre(1, 2, 4, 5, 7, 8));
    EXPECT_THAT(ToFloats(coding->Encode(1, Own(0), {})), ElementsAre(3, 6, 0));
}

/* Worker 0's shard is values 3 to 5, of words 2 and 3, then 1; other words need not be there, and other values become zeros. */
TEST_F(ShardedCodingTest, DecodesTheOwnersShardAlone)
{
    Values values(9, -1);
    const std::vector<RoundResult> results{{Words({0, 0, 24, 30, 0, 0})}, {Words({0, 36, 0})}};
    coding->DecodeFor(0, results, values);
    EXPECT_THAT(values, testing::ElementsAre(0, 0, 0, 24, 30, 36, 0, 0, 0));
}

TEST_F(ShardedCodingTest, IsReplayedShardByShard)
{
    parts[0]->estimated = 2;
    parts[2]->estimated = 3;
    const auto reference = ReplayCoded(*job, Chunk());
    EXPECT_EQ(reference.values, sum);
    EXPECT_EQ(reference.report.estimated, 5U);
}

/* Each of 9 values is looked at on its one owner. */
TEST_F(ShardedCodingTest, IsVerifiedOnOwners)
{
    auto verifier = MakeVerifier(true);
    for (Rank worker = 0; worker < 3; ++worker)
    {
        verifier.Take(worker, SUMS, Held(worker, sum));
    }
    EXPECT_EQ(verifier.Compared(), 9U);
    EXPECT_EQ(verifier.Errors().largest, 0);
}

/* Another value of worker 0's, and more estimates than all together have. */
TEST_F(ShardedCodingTest, IsRefusedIfAnOwnerHasAnotherSumOrAllEstimateMore)
{
    auto verifier = MakeVerifier(true);
    auto wrong = sum;
    wrong[4] = 31;
    verifier.Take(1, SUMS, Held(1, wrong));
    verifier.Take(2, SUMS, Held(2, wrong));
    EXPECT_THROW(verifier.Take(0, SUMS, Held(0, wrong)), InvariantError);
    job->chunks.erase(job->chunks.begin()); // the gather
    auto another = MakeVerifier(true);
    another.Take(0, SUMS, Held(0, sum));
    another.Take(1, SUMS, Held(1, sum));
    auto last = Held(2, sum);
    last.report.estimated = 1;
    EXPECT_THROW(another.Take(2, SUMS, std::move(last)), InvariantError);
}

/* Where the order of arrival decides, what owners have decoded is looked at, each in its place. */
TEST_F(ShardedCodingTest, IsCheckedByTheWordsOfItsOwners)
{
    for (const float third : {18.0F, 19.0F})
    {
        auto verifier = MakeVerifier(false);
        verifier.Take(0,
                      SUMS,
                      Held(0,
                           sum,
                           {{Words({0, 0, 24, 30, 0, 0}), NO_EXPONENT, {{2, 2}}},
                            {Words({0, 36, 0}), NO_EXPONENT, {{1, 1}}}}));
        verifier.Take(1,
                      SUMS,
                      Held(1,
                           sum,
                           {{Words({0, 0, 0, 0, 42, 48}), NO_EXPONENT, {{4, 2}}},
                            {Words({0, 0, 0}), NO_EXPONENT, {{2, 1}}}}));
        auto last = Held(2,
                         sum,
                         {{Words({6, 12, 0, 0, 0, 0}), NO_EXPONENT, {{0, 2}}},
                          {Words({third, 0, 0}), NO_EXPONENT, {{0, 1}}}});
        if (third == sum[2])
        {
            verifier.Take(2, SUMS, std::move(last));
            EXPECT_EQ(verifier.Compared(), 9U);
        }
        else
        {
            EXPECT_THROW(verifier.Take(2, SUMS, std::move(last)), InvariantError);
        }
        job->chunks.erase(job->chunks.begin()); // the gather
    }
}

} // namespace inca
