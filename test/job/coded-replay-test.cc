/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/coded-replay.h"

#include "base/errors.h"
#include "exchange/exchange-catalog.h"
#include "job/part-coding.h"
#include "job/tensor-job.h"
#include "job/verifier.h"
#include "support/float-words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** Three workers keep three words each, and tell nobody. */
class SilentProgram : public StepPlan
{
  public:
    Rank WorkerCount() const override
    {
        return 3;
    }

    Rank RankCount() const override
    {
        return 3;
    }

    std::uint64_t Elements() const override
    {
        return 3;
    }

    std::uint32_t StepCount(Rank) const override
    {
        return 0;
    }

    Step At(Rank, std::uint32_t) const override
    {
        return {};
    }
};

} // namespace

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
        Verifier verifier(job, {});
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
        Verifier verifier(job, {}, false);
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

TEST_F(CodedReplayTest, PassesRoundsWithoutWords)
{
    ExchangeSpec spec;
    spec.workers = 3;
    coding->words = {5, 0};
    Chunk().rounds = {{MakeStepPlan(spec, 5), {}}, {MakeStepPlan(spec, 0), {}}};
    EXPECT_EQ(ReplayCoded(*job, Chunk()).values, (Values{6, 6, 6, 6, 6}));
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
    Chunk().rounds[1].plan = std::make_shared<SilentProgram>();
    EXPECT_THROW(ReplayCoded(*job, Chunk()), InvariantError);
}

TEST_F(CodedReplayTest, TheVerifierTakesWhatItGives)
{
    EXPECT_NO_THROW(Verify(RIGHT));
}

TEST_F(CodedReplayTest, TheVerifierRefusesAnotherValue)
{
    auto wrong = RIGHT;
    wrong[3] = std::nextafter(wrong[3], 100.0F);
    try
    {
        Verify(wrong);
        FAIL();
    }
    catch (const InvariantError& error)
    {
        EXPECT_THAT(error.what(), testing::HasSubstr("worker 2: value 3 is 36.0000"));
    }
}

TEST_F(CodedReplayTest, TheVerifierRefusesAnotherNumberOfEstimates)
{
    EXPECT_THROW(Verify(RIGHT, 1), InvariantError);
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
    Verifier verifier(job, {});
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

} // namespace inca
