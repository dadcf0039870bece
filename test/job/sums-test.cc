/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Sums: of what type, how exact, of which values, and what workers keep of them.
#include "base/errors.h"
#include "codec/inceptionn-codec.h"
#include "job/coded-sizes.h"
#include "job/gradient-type.h"
#include "job/rank-values.h"
#include "job/sum-errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace inca
{

/* 8 significant bits make 2^-8 of half a step, 11 make 2^-11; the largest bf16 is (2 - 2^-7) 2^127, the
 * largest fp16 (2 - 2^-10) 2^15. */
TEST(GradientType, KnowsItsPrecision)
{
    const auto bf16 = GradientTypeNamed("bf16");
    EXPECT_EQ(bf16.bytes, 2U);
    EXPECT_EQ(bf16.unitRoundoff, std::ldexp(1, -8));
    EXPECT_EQ(bf16.largest, std::ldexp(2 - std::ldexp(1, -7), 127));
    const auto fp16 = GradientTypeNamed("fp16");
    EXPECT_EQ(fp16.bytes, 2U);
    EXPECT_EQ(fp16.unitRoundoff, std::ldexp(1, -11));
    EXPECT_EQ(fp16.largest, 65504);
    const auto fp32 = GradientTypeNamed("fp32");
    EXPECT_EQ(fp32.bytes, 4U);
    EXPECT_EQ(fp32.unitRoundoff, std::ldexp(1, -24));
    EXPECT_EQ(fp32.narrow, nullptr);
    EXPECT_THROW(GradientTypeNamed("fp8"), InputError);
}

/* Above 256 bf16 counts in steps of 2, above 2048 fp16 does: halves go to the even neighbour. */
TEST(GradientType, RoundsToNearestEven)
{
    EXPECT_EQ(GradientTypeNamed("bf16").Rounded(257), 256);
    EXPECT_EQ(GradientTypeNamed("bf16").Rounded(259), 260);
    EXPECT_EQ(GradientTypeNamed("fp16").Rounded(2049), 2048);
    EXPECT_EQ(GradientTypeNamed("fp16").Rounded(65520), std::numeric_limits<float>::infinity());
    EXPECT_EQ(GradientTypeNamed("fp32").Rounded(257), 257);
}

/* 256 + 1 + 1 is 258. In bf16, which has steps of 2 there, hosts that round each time hold 256 + 1 = 256, and
 * 256 again: 2 off. With u = 2^-8 up to 2 u 258 = 2.02 may be lost; in fp32 next to nothing. */
TEST(SumRounding, DependsOnTheType)
{
    const auto bf16 = GradientTypeNamed("bf16");
    EXPECT_TRUE(IsOfSomeOrder(2, 258, 3, bf16));
    EXPECT_FALSE(IsOfSomeOrder(2.1, 258, 3, bf16));
    EXPECT_FALSE(IsOfSomeOrder(2, 258, 3));
    EXPECT_FALSE(IsOfSomeOrder(2, 258, 3, GradientTypeNamed("fp16")));
}

/* 65504 is the largest fp16: partial sums of 60000 stay below it, of 65500 some may be infinite. */
TEST(SumRounding, LetsOverflowPass)
{
    const auto fp16 = GradientTypeNamed("fp16");
    EXPECT_FALSE(IsOfSomeOrder(1e9, 60'000, 3, fp16));
    EXPECT_TRUE(IsOfSomeOrder(1e9, 65'500, 3, fp16));
    EXPECT_FALSE(IsOfSomeOrder(1e9, 65'500, 3));
}

class SumErrorsTest : public testing::Test
{
  protected:
    using Values = std::vector<float>;

    void Add(const std::vector<Values>& perWorker,
             const std::vector<double>& sum,
             std::uint64_t times = 1)
    {
        std::vector<std::vector<Word>> words(perWorker.size());
        std::vector<const Word*> got;
        for (std::size_t worker = 0; worker < perWorker.size(); ++worker)
        {
            words[worker].resize(sum.size());
            CopyBits(perWorker[worker].data(), sum.size(), words[worker].data());
            got.push_back(words[worker].data());
        }
        m_errors.TakeWindow(got, sum, times);
    }

    SumErrors m_errors;
};

/*
 * Distances 1, 0 and 0.5, of both workers: 3 in all over 6 values. 1, 3 and 1: the largest 3, the mean 5 / 3; 4 and 0 are 4
 * apart. Of two workers' two values each one is no number, and infinite: 2 count.
 */
TEST_F(SumErrorsTest, CountsEachWorkersCopy)
{
    struct Row
    {
        std::vector<Values> perWorker;
        std::vector<double> sum;
        double largest;
        double mean;
        std::uint64_t notFinite;
        double difference;
    };

    const Values both{2, 2, 3.5F};
    for (const auto& row : {Row{{both, both}, {1, 2, 3}, 1, 0.5, 0, 0},
                            Row{{{0}, {4}, {2}}, {1}, 3, 5.0 / 3, 0, 4},
                            Row{{{NAN, 3}, {INFINITY, 3}}, {1, 1}, 2, 2, 2, 0}})
    {
        m_errors = {};
        Add(row.perWorker, row.sum);
        EXPECT_EQ(m_errors.largest, row.largest);
        EXPECT_EQ(m_errors.Mean(), row.mean);
        EXPECT_EQ(m_errors.notFinite, row.notFinite);
        EXPECT_EQ(m_errors.replicaDifference, row.difference);
    }
}

/*
 * Both workers hold 2, 2 and 3.5 of 1, 2 and 3: squares of 1, 0 and 0.25 over 1, 4 and 9, and x y = 2 + 4 + 10.5 over the root
 * of (1 + 4 + 9) (4 + 4 + 12.25). What is no number is left out: 1 of 2 is (2 - 1)^2 / 2^2 off. So often makes no difference.
 */
TEST_F(SumErrorsTest, SetsErrorsBesideTheSums)
{
    struct Row
    {
        std::vector<Values> perWorker;
        std::vector<double> sum;
        double vnmse;
        double cosine;
    };

    const Values both{2, 2, 3.5F};
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    for (const auto& row : {Row{{both, both}, {1, 2, 3}, 1.25 / 14, 16.5 / std::sqrt(14 * 20.25)},
                            Row{{{NAN, 1}}, {1, 2}, 0.25, 1},
                            Row{{{0}, {0}}, {0}, 0, 1},
                            Row{{{0}, {1}}, {0}, infinite, 0},
                            Row{{{0}}, {2}, 1, 0},
                            Row{{{-2}}, {2}, 4, -1},
                            Row{{{NAN}}, {2}, 0, 1}})
    {
        m_errors = {};
        Add(row.perWorker, row.sum, 3);
        EXPECT_DOUBLE_EQ(m_errors.Vnmse(), row.vnmse);
        EXPECT_DOUBLE_EQ(m_errors.Cosine(), row.cosine);
    }
}

/* 600 values, which are more than a few rows: only the last is off, by 3 and 1, of 2 * 600. */
TEST_F(SumErrorsTest, GoesToTheLastValue)
{
    Values first(600, 1);
    Values second(600, 1);
    first.back() = 4;
    second.back() = 2;
    Add({first, second}, std::vector<double>(600, 1));
    EXPECT_EQ(m_errors.largest, 3);
    EXPECT_EQ(m_errors.Mean(), 4.0 / 1200);
    EXPECT_EQ(m_errors.replicaDifference, 2);
}

/* Once with a distance of 1, three times with one of 2: 7 in all, over 4 windows of a value. */
TEST_F(SumErrorsTest, CountsWhatHappensAgain)
{
    Add({{1}}, {0});
    Add({{2}}, {0}, 3);
    EXPECT_EQ(m_errors.Mean(), 7.0 / 4);
    EXPECT_EQ(m_errors.largest, 2);
}

/* 2^24 + 1 - 3 is rounded in fp32, and exact in fp64; 70 values are a row of 64 and a part. */
TEST(AddTerm, KeepsWhatFp32WouldLose)
{
    std::vector<double> sum(70, 0);
    std::vector<double> magnitudes(70, 0);
    for (const float value : {0x1p24F, 1.0F, -3.0F})
    {
        const std::vector<float> term(70, value);
        AddTerm(term.data(), 70, sum.data());
        AddMagnitudes(term.data(), 70, magnitudes.data());
    }
    EXPECT_EQ(sum, std::vector<double>(70, 0x1p24 - 2));
    EXPECT_EQ(magnitudes, std::vector<double>(70, 0x1p24 + 4));
}

/**
 * INCEPTIONN at 2^-10: two bytes of tags for up to 8 values, and 0 to 4 bytes for each: none for 0, 4
 * for 1.0 and more.
 */
class CodedSizesTest : public testing::Test
{
  protected:
    void Add(const PlannedSend& send, ElementRange range, ElementRange part, float value)
    {
        std::vector<Word> words(part.count, BitsOf(value));
        Transfer transfer;
        transfer.range = range;
        m_sizes.Add(send, transfer, part, words.data());
    }

    CodedSizes m_sizes{{{{MakeInceptionnCodec(10), 4}, {}}}}; ///< frames of 4 values
};

/* 10 values are frames of 4, 4 and 2; 1.0 takes 4 bytes: 2 + 16, 2 + 16 and 2 + 8. */
TEST_F(CodedSizesTest, AreThoseOfEachFrame)
{
    Add({1, 2, 0}, {100, 10}, {100, 10}, 1.0F);
    EXPECT_THAT(*m_sizes.Of({1, 2, 0}), testing::ElementsAre(18, 18, 10));
}

/* The same in parts of 3, 6 and 1, of which the middle one is zeros: 3 values of 4 bytes, 5 of 0, and
 * then one of 0 and one of 4. */
TEST_F(CodedSizesTest, DoNotDependOnHowAMessageIsCut)
{
    Add({0, 0, 1}, {100, 10}, {100, 3}, 1.0F);
    Add({0, 0, 1}, {100, 10}, {103, 6}, 0.0F);
    Add({0, 0, 1}, {100, 10}, {109, 1}, 1.0F);
    EXPECT_THAT(*m_sizes.Of({0, 0, 1}), testing::ElementsAre(14, 2, 6));
}

/* Parts of several messages come in turns. */
TEST_F(CodedSizesTest, AreOfOneMessage)
{
    Add({0, 0, 0}, {0, 6}, {0, 3}, 1.0F);
    Add({1, 0, 0}, {0, 6}, {0, 3}, 0.0F);
    Add({0, 0, 0}, {0, 6}, {3, 3}, 1.0F);
    Add({1, 0, 0}, {0, 6}, {3, 3}, 0.0F);
    EXPECT_THAT(*m_sizes.Of({0, 0, 0}), testing::ElementsAre(18, 10));
    EXPECT_THAT(*m_sizes.Of({1, 0, 0}), testing::ElementsAre(2, 2));
    EXPECT_EQ(m_sizes.Of({0, 1, 0}), nullptr);
}

/* At an MTU of 65535 a frame holds 16373 values of 4 bytes behind 40 bytes of headers, but 1.0 takes 34 bits: 69586 bytes. */
TEST_F(CodedSizesTest, AreNoMoreThanAPacketHolds)
{
    m_sizes = CodedSizes({{{MakeInceptionnCodec(10), 16'373}, {}}});
    Add({0, 0, 0}, {0, 15'000}, {0, 15'000}, 1.0F);
    EXPECT_THAT(*m_sizes.Of({0, 0, 0}), testing::ElementsAre(15'000 * 4 + 15'000 / 4));
    EXPECT_THROW(Add({1, 0, 0}, {0, 16'373}, {0, 16'373}, 1.0F), InputError);
}

namespace
{

/** Values 10, 11, .. of which a step updates 2 and 3, adding 1 to each. */
RankValues
Updated()
{
    const auto own = [](ElementRange range, Word* out) {
        FillWithFloats(range.count, out, [&](std::size_t first, std::size_t count, float* values) {
            for (std::size_t i = 0; i < count; ++i)
            {
                values[i] = static_cast<float>(10 + range.begin + first + i);
            }
        });
    };
    RankValues values({0, 6}, own, {});
    Step step;
    step.receives = {{1, {2, 2}, PayloadKind::GRADIENT, Combine::ADD}};
    step.update = true;
    const float ones[2]{1, 1};
    std::vector<Word> words(2);
    CopyBits(ones, 2, words.data());
    values.Receive(step, {words.data()});
    return values;
}

} // namespace

TEST(WeightShards, KeepWhatWasUpdated)
{
    WeightShards shards;
    EXPECT_FALSE(shards.Of(100));
    shards.Keep(100, Updated());
    const auto weights = shards.Of(100);
    ASSERT_TRUE(weights);
    std::vector<Word> words(4);
    weights({1, 4}, words.data());
    EXPECT_EQ(FloatOf(words[0]), 0); // another worker's
    EXPECT_EQ(FloatOf(words[1]), 13);
    EXPECT_EQ(FloatOf(words[2]), 14);
    EXPECT_EQ(FloatOf(words[3]), 0);
    EXPECT_FALSE(shards.Of(0));
}

} // namespace inca
