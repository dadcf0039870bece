/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "base/random.h"
#include "exchange/network-reduction.h"
#include "support/float-words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

namespace inca
{

namespace
{

using Values = std::vector<float>;

using Words = std::vector<Word>;

Words
SumWords(const ReductionSpec& spec, const std::vector<Words>& own)
{
    const auto network = MakeNetworkReduction(spec);
    std::vector<const Word*> perWorker;
    for (const auto& words : own)
    {
        perWorker.push_back(words.data());
    }
    Words sum(own.front().size(), 0x55555555);
    network.add(perWorker, sum.size(), sum.data());
    return sum;
}

Values
Sum(const ReductionSpec& spec, const std::vector<Values>& own)
{
    std::vector<Words> words;
    std::transform(own.begin(), own.end(), std::back_inserter(words), ToWords);
    return ToFloats(SumWords(spec, words));
}

Words
SumWords(WordSum adder, WordSum words, const std::vector<Words>& own)
{
    return SumWords({2, adder, {}, 1, words}, own);
}

} // namespace

TEST(NetworkReduction, AddsByBlockOrOneAfterTheOther)
{
    struct Row
    {
        const char* what;
        ReductionSpec spec;
        std::vector<Values> own;
        Values sum;
    };

    const auto noNumber = std::numeric_limits<float>::quiet_NaN();
    const Row rows[] = {
        // 2 workers, one block each value: the limit is 2^30 - 1. Powers of two are the limit themselves,
        // so each becomes +-limit by its own exponent, and comes back exactly.
        {"every block has its own exponent",
         {2, WordSum::INT32, {}, 1},
         {{1.0F, 0x1p-100F, 0.0F}, {1.0F, 0x1p-100F, 0.0F}},
         {2.0F, 0x1p-99F, 0.0F}},
        // In one block with 1, 2^-100 is nothing: 2^-100 * (2^30 - 1) rounds to 0. The third value is in a
        // block of its own, the short last one.
        {"a block shares the largest exponent of all workers",
         {2, WordSum::INT32, {}, 2},
         {{1.0F, 0.0F, 0x1p-100F}, {0.0F, 0x1p-100F, 0x1p-100F}},
         {1.0F, 0.0F, 0x1p-99F}},
        // Fixed at 2^1: 3 is clamped to 2, and 2^-100 is nothing even alone.
        {"a fixed exponent holds for all blocks",
         {2, WordSum::INT32, 1, 1},
         {{3.0F, 0x1p-100F}, {2.0F, 0.0F}},
         {4.0F, 0.0F}},
        // 2^24 + 1 = 2^24 in fp32, twice; the other way round it would be 2^24 + 2.
        {"floats from the left", {3, WordSum::FP32}, {{0x1p24F}, {1.0F}, {1.0F}}, {0x1p24F}},
        {"and others", {3, WordSum::FP32}, {{1.0F}, {1.0F}, {0x1p24F}}, {0x1p24F + 2}},
        // 127 / 4 = 31 steps: 1 is 31 of them, 0.5 is 15.5, rounded to 16.
        {"integers of 8 bits",
         {4, WordSum::INT8, {}, 2},
         {{1.0F, 0.5F}, {1.0F, 0.5F}, {1.0F, 0.5F}, {1.0F, -0.5F}},
         {4.0F, 32 / 31.0F}},
        // 32767 / 2 = 16383 steps up to 2^1.
        {"integers of 16 bits",
         {2, WordSum::INT16, 1, 1},
         {{2.0F, 1.0F}, {2.0F, 0}},
         {4.0F, 16384 / 16383.0F}},
        // 2048 + 1 stays in fp16, 1 + 1 + 2048 does not; 2049 is rounded before it is sent.
        {"fp16 from the left", {3, WordSum::FP16}, {{2048}, {1}, {1}}, {2048}},
        {"and others", {3, WordSum::FP16}, {{1, 2049}, {1, 1}, {2048, -2048}}, {2050, 0}},
        {"bf16", {2, WordSum::BF16}, {{257, 1e38F}, {4, -1e38F}}, {260, 0}},
        // 500 becomes 448; 17 is half way from 16 to 18, of which 16's code is even; their sum is fp16.
        {"e4m3 in fp16", {2, WordSum::FP8_FP16}, {{500, 448}, {17, 448}}, {464, 896}},
        {"no number is zero", {2, WordSum::INT32, {}, 1}, {{noNumber}, {4.0F}}, {4.0F}},
    };
    for (const auto& row : rows)
    {
        EXPECT_EQ(Sum(row.spec, row.own), row.sum) << row.what;
    }
}

/* By packet where they share an exponent; of words each by itself. */
TEST(NetworkReduction, SaysWhichValuesAreTreatedTogether)
{
    EXPECT_EQ(MakeNetworkReduction({2, WordSum::INT32, {}, 64}).block, 64U);
    EXPECT_EQ(MakeNetworkReduction({2, WordSum::FP32, {}, 64}).block, 1U);
    EXPECT_EQ(MakeNetworkReduction({2, WordSum::INT32, {}, 64, WordSum::INT32}).block, 1U);
}

/* Up to 2^3 by a fixed exponent; a block's own is that of its largest number. */
TEST(NetworkReduction, SaysUpToWhichMagnitudeTermsFit)
{
    EXPECT_EQ(MakeNetworkReduction({1, WordSum::FP8_FP16}).largest, 448);
    EXPECT_EQ(MakeNetworkReduction({1, WordSum::BF16}).largest, 0x1.FEp127F);
    EXPECT_EQ(MakeNetworkReduction({1, WordSum::INT32, 3}).largest, 8);
    EXPECT_EQ(MakeNetworkReduction({1, WordSum::INT32}).largest, std::numeric_limits<float>::max());
    EXPECT_FALSE(MakeNetworkReduction({1, WordSum::FP32}).largest);
}

/* 2 values of fp16, 1 and 2^-11, may be off by 2^-11 of their sum for their rounding, and of what that makes of it for the
 * addition: 2^-10 and a little. 500 and 17 in e4m3 by 517 / 16 = 32.3, 517 - 448 = 69 for clamping, and 0.27 for the
 * addition: 101.6. In fp16 40000 + 30000 overflows. */
TEST(NetworkReduction, KnowsSumsOfRoundedValues)
{
    const auto near = 1 + 0x1p-11;
    EXPECT_TRUE(IsSumOfRounded({WordSum::FP16, 2}, near + 0x1p-10, near, near));
    EXPECT_FALSE(IsSumOfRounded({WordSum::FP16, 2}, near + 0x1.01p-10, near, near));
    EXPECT_TRUE(IsSumOfRounded({WordSum::FP8_FP16, 2}, 464, 517, 517));
    EXPECT_TRUE(IsSumOfRounded({WordSum::FP8_FP16, 2}, 517 - 101, 517, 517));
    EXPECT_FALSE(IsSumOfRounded({WordSum::FP8_FP16, 2}, 517 - 102, 517, 517));
    EXPECT_TRUE(
        IsSumOfRounded({WordSum::FP16, 2}, std::numeric_limits<double>::infinity(), 7e4, 7e4));
    EXPECT_FALSE(
        IsSumOfRounded({WordSum::BF16, 2}, std::numeric_limits<double>::infinity(), 7e4, 7e4));
}

/* Of 2 to 16 workers, in any order: values of all magnitudes that the type has, and some beyond. */
TEST(NetworkReduction, SumsOfRoundedValuesAreWithinTheirBound)
{
    for (const auto adder : {WordSum::FP16, WordSum::BF16, WordSum::FP8_FP16})
    {
        RandomStream random(1, 2);
        for (Rank workers = 2; workers <= 16; ++workers)
        {
            const auto network = MakeNetworkReduction({workers, adder});
            for (int spread = -30; spread <= 20; ++spread)
            {
                std::vector<Word> own(workers);
                std::vector<const Word*> terms;
                double sum = 0;
                double magnitude = 0;
                for (auto& word : own)
                {
                    const auto value =
                        std::ldexp(static_cast<float>(random.Uniform() - 0.3), spread);
                    word = BitsOf(value);
                    const auto place = random.Uniform() * static_cast<double>(terms.size() + 1);
                    terms.insert(terms.begin() + static_cast<int>(place), &word);
                    sum += value;
                    magnitude += std::fabs(value);
                }
                Word held = 0;
                network.add(terms, 1, &held);
                ASSERT_TRUE(network.isSum(FloatOf(held), sum, magnitude))
                    << adder.name << ' ' << workers << ' ' << spread;
            }
        }
    }
}

/* The same numbers, scaled the same: as no partial sum is beyond int32, nothing saturates. */
TEST(NetworkReduction, SaturatingAddersGiveTheSameSums)
{
    const std::vector<Values> own{{1.0F, -3.5F, 1e-3F}, {1.0F, -3.5F, 7.0F}, {1.0F, -4.0F, 0.1F}};
    EXPECT_EQ(Sum({3, WordSum::INT32_SATURATING, {}, 2}, own),
              Sum({3, WordSum::INT32, {}, 2}, own));
}

TEST(NetworkReduction, WordsAreOredByAnyAdder)
{
    for (const auto adder : {WordSum::FP32, WordSum::INT32, WordSum::INT32_SATURATING})
    {
        EXPECT_EQ(SumWords(adder, WordSum::OR, {{1, 0x7fc0'0001}, {2, 0x8000'0000}, {3, 4}}),
                  (Words{3, 0xffc0'0005}))
            << adder.name;
    }
}

/* Three times 2^30 is 3 * 2^30 modulo 2^32, or saturates at 2^31 - 1. In the order of the workers
 * 2^30 + 2^30 saturates before -2^30 is added: 2^30 - 1. */
TEST(NetworkReduction, IntegerWordsWrapOrSaturate)
{
    constexpr std::uint32_t quarter = 0x4000'0000;
    constexpr std::uint32_t negative = 0xc000'0000;
    const std::vector<Words> own{
        {quarter, quarter, 5}, {quarter, quarter, 6}, {quarter, negative, 7}};
    EXPECT_EQ(SumWords(WordSum::INT32, WordSum::INT32, own), (Words{0xc000'0000, quarter, 18}));
    EXPECT_EQ(SumWords(WordSum::INT32_SATURATING, WordSum::INT32, own),
              (Words{0x7fff'ffff, 0x3fff'ffff, 18}));
}

/* Words that its adder cannot add, and packets without a value. */
TEST(NetworkReduction, RefusesWhatCannotBeAdded)
{
    EXPECT_THROW(MakeNetworkReduction({2, WordSum::FP32, {}, 1, WordSum::INT32}), InvariantError);
    EXPECT_THROW(MakeNetworkReduction({2, WordSum::INT32, {}, 1, WordSum::FP32}), InvariantError);
    EXPECT_THROW(MakeNetworkReduction({2, WordSum::INT32, {}, 0}), InvariantError);
}

/* A scale for 2 workers lets each have up to INT32_MAX / 2: of 3 the sum might wrap. */
TEST(NetworkReduction, RefusesMoreWorkersThanItsScaleIsFor)
{
    ReductionSpec spec;
    spec.workers = 2;
    const auto network = MakeNetworkReduction(spec);
    const Word one = BitsOf(1.0F);
    Word sum = 0;
    EXPECT_THROW(network.add({&one, &one, &one}, 1, &sum), InvariantError);
    network.add({&one, &one}, 1, &sum);
    EXPECT_EQ(FloatOf(sum), 2.0F);
}

} // namespace inca
