/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/sharded-coding.h"

#include "base/errors.h"
#include "exchange/exchange-catalog.h"
#include "job/coded-replay.h"
#include "job/part-coding.h"
#include "job/tensor-job.h"
#include "job/verifier.h"
#include "support/float-words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inca
{

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
        ring.halves = Halves::REDUCE_SCATTER;
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
        auto gather = Chunk();
        gather.coding = nullptr;
        gather.purpose = ExchangePurpose::FORWARD_WEIGHTS;
        job->chunks.insert(job->chunks.begin(), gather);
        return {job, {}, exactSums};
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

/* A place of three words for two: one stays 0. */
TEST_F(ShardedCodingTest, LeavesZerosBehindShorterShards)
{
    spec.words[0] = {{{3, 3}}, {{6, 3}}, {{0, 3}}};
    EXPECT_THAT(ToFloats(MakeShardedCoding(spec)->Encode(0, Own(0), {})),
                testing::ElementsAre(1, 2, 0, 4, 5, 0, 7, 8, 0));
}

/* Worker 0's shard is values 3 to 5, of words 2 and 3, then 1; other words need not be there, and other values become zeros. */
TEST_F(ShardedCodingTest, DecodesTheOwnersShardAlone)
{
    Values values(9, -1);
    const std::vector<RoundResult> results{{Words({0, 0, 24, 30, 0, 0})}, {Words({0, 36, 0})}};
    coding->DecodeFor(0, results, values);
    EXPECT_THAT(values, testing::ElementsAre(0, 0, 0, 24, 30, 36, 0, 0, 0));
}

TEST_F(ShardedCodingTest, EncodesAllAndDecodesTheLongest)
{
    parts[0]->encodePs = {1, 10};
    parts[1]->encodePs = {2, 20};
    parts[2]->encodePs = {3, 30};
    parts[1]->decodePs = 7;
    parts[2]->decodePs = 5;
    EXPECT_EQ(coding->EncodePs(0), 6);
    EXPECT_EQ(coding->EncodePs(1), 60);
    EXPECT_EQ(coding->DecodePs(), 7);
    EXPECT_EQ(Chunk().ValueCount(), 9U);
    EXPECT_EQ(Chunk().CodedRounds(), 2U);
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

TEST_F(ShardedCodingTest, IsRefusedIfAnOwnerHasAnotherSum)
{
    auto verifier = MakeVerifier(true);
    auto wrong = sum;
    wrong[4] = 31; // worker 0's
    verifier.Take(1, SUMS, Held(1, wrong));
    verifier.Take(2, SUMS, Held(2, wrong));
    EXPECT_THROW(verifier.Take(0, SUMS, Held(0, wrong)), InvariantError);
}

TEST_F(ShardedCodingTest, IsRefusedIfAllTogetherEstimateMore)
{
    auto verifier = MakeVerifier(true);
    verifier.Take(0, SUMS, Held(0, sum));
    verifier.Take(1, SUMS, Held(1, sum));
    auto last = Held(2, sum);
    last.report.estimated = 1;
    EXPECT_THROW(verifier.Take(2, SUMS, std::move(last)), InvariantError);
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
