/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "exchange/network-reduction.h"
#include "support/float-words.h"

#include <gtest/gtest.h>

#include <algorithm>
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
