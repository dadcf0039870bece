/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/sketch-coding.h"

#include "exchange/step-plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace inca
{

namespace
{

constexpr Rank WORKERS{3};
constexpr std::uint64_t ROWS{40};
constexpr std::uint64_t VALUES{ROWS * 1024 + 10};

/** Whole numbers at every 40th place, others on each worker: fp32 adds them exactly. */
std::vector<float>
Own(Rank worker)
{
    std::vector<float> values(VALUES, 0);
    for (std::uint64_t i = worker; i < VALUES; i += 40)
    {
        values[i] = static_cast<float>(static_cast<int>(i % 201) - 100);
    }
    return values;
}

std::vector<float>
TrueSum()
{
    std::vector<float> sum(VALUES, 0);
    for (Rank worker = 0; worker < WORKERS; ++worker)
    {
        const auto own = Own(worker);
        std::transform(own.begin(), own.end(), sum.begin(), sum.begin(), std::plus<>());
    }
    return sum;
}

SketchSpec
Spec()
{
    SketchSpec spec;
    spec.settings.ratio = 2; // R = 20: some 3 values of 40 in a lane
    spec.settings.bloom.bitsPerValue = 1;
    spec.workers = WORKERS;
    spec.coded = {{0, VALUES}};
    return spec;
}

/** What hosts or switches make of all workers' words. */
RoundResult
Summed(const ChunkCoding& coding,
       const SketchSpec& spec,
       std::size_t round,
       const std::vector<RoundResult>& ended)
{
    RoundResult result;
    const auto ofCounters = spec.adder == WordSum::FP32 ? WordSum::FP32 : WordSum::INT32;
    const auto sum = round == 0 ? IndexSum(spec.settings.index) : ofCounters;
    for (Rank worker = 0; worker < WORKERS; ++worker)
    {
        const auto words = coding.Encode(round, Own(worker), ended);
        if (worker == 0)
        {
            result.words = words;
        }
        else
        {
            sum.add(words.data(), result.words.data(), result.words.data(), words.size());
        }
        if (round == 0)
        {
            result.exponent = std::max(result.exponent, coding.Exponent(Own(worker)));
        }
    }
    return result;
}

std::vector<RoundResult>
AllRounds(const SketchSpec& spec)
{
    const auto coding = MakeSketchCoding(spec);
    std::vector<RoundResult> results{Summed(*coding, spec, 0, {})};
    results.push_back(Summed(*coding, spec, 1, results));
    return results;
}

std::vector<float>
Decoded(const SketchSpec& spec)
{
    std::vector<float> values(VALUES);
    const auto report = MakeSketchCoding(spec)->Decode(AllRounds(spec), values);
    EXPECT_EQ(report.estimated, 0U);
    return values;
}

/* 40 rows x 1024 bits = 1280 words; 20 x 1024 counters and 10 values behind the last row. Four bits per value: 5120 words. A
 * Bloom filter of 0.1 bits per value: 1024 * 0.1 = 102.4 bits are 13 bytes a row, 520 in all: 130 words. With 41 rows: 533
 * bytes, so 134 words. */
TEST(SketchCoding, CountsWords)
{
    auto spec = Spec();
    EXPECT_EQ(WordsOf(spec).index, 1280U);
    EXPECT_EQ(WordsOf(spec).counters, 20 * 1024 + 10U);
    spec.settings.index = HomomorphicIndex::BITS_4;
    EXPECT_EQ(WordsOf(spec).index, 5120U);
    spec.settings.index = HomomorphicIndex::BLOOM;
    spec.settings.bloom.bitsPerValue = 0.1;
    EXPECT_EQ(WordsOf(spec).index, 130U);
    spec.coded = {{0, 41 * 1024}};
    EXPECT_EQ(WordsOf(spec).index, 134U);
}

TEST(SketchCoding, GivesTheSumOverFp32)
{
    for (const auto index :
         {HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4, HomomorphicIndex::BLOOM})
    {
        auto spec = Spec();
        spec.settings.index = index;
        EXPECT_EQ(Decoded(spec), TrueSum()) << HomomorphicIndexName(index);
    }
}

/* The largest value, 100, gives 2^7; floor((2^31 - 1) / 3) / 2^7 integers per unit: a sum is within
 * 3 / (2 * 5592405.3) = 2.7e-7, and its rounding to fp32 within 2^-24 of 300: 1.8e-5. */
TEST(SketchCoding, GivesTheSumOverIntegers)
{
    for (const auto adder : {WordSum::INT32, WordSum::INT32_SATURATING})
    {
        auto spec = Spec();
        spec.adder = adder;
        const auto sum = TrueSum();
        const auto decoded = Decoded(spec);
        const auto bound = MakeSketchCoding(spec)->ErrorBound(AllRounds(spec));
        for (std::uint64_t i = 0; i < VALUES; ++i)
        {
            ASSERT_LE(std::fabs(decoded[i] - sum[i]), bound) << i;
        }
        EXPECT_LT(bound, 1e-3);
    }
}

/* All values are 2^0, so each is rounded to floor((2^31 - 1) / W) without headroom, and two of one sign in
 * one counter, of W workers, are beyond int32. With c in the fullest, each is a c-th of that. */
TEST(SketchCoding, LeavesRoomForSaturatingAdders)
{
    auto spec = Spec();
    spec.adder = WordSum::INT32_SATURATING;
    const auto coding = MakeSketchCoding(spec);
    const std::vector<float> ones(VALUES, 1.0F);
    const std::vector<RoundResult> index{{coding->Encode(0, ones, {}), coding->Exponent(ones)}};
    const auto words = coding->Encode(1, ones, index);
    std::int64_t largest = 0;
    for (const auto& word : words)
    {
        const auto counter = static_cast<std::int32_t>(word);
        largest = std::max(largest, std::abs(std::int64_t{counter}) * WORKERS);
    }
    EXPECT_LE(largest, std::numeric_limits<std::int32_t>::max());
    EXPECT_GT(largest, std::numeric_limits<std::int32_t>::max() / 10); // no more room than needed
}

/* Values in the middle travel as they are: 1024 in place of one row, so 39 rows, R = 20. */
TEST(SketchCoding, LeavesPlainValuesAlone)
{
    for (const auto adder : {WordSum::FP32, WordSum::INT32})
    {
        auto spec = Spec();
        spec.adder = adder;
        spec.coded = {{0, 1000}, {2024, VALUES - 2024}};
        spec.plain = {{1000, 1024}};
        EXPECT_EQ(WordsOf(spec).counters, 20 * 1024 + 10 + 1024U);
        const auto sum = TrueSum();
        const auto decoded = Decoded(spec);
        for (std::uint64_t i = 0; i < VALUES; ++i)
        {
            ASSERT_NEAR(decoded[i], sum[i], adder == WordSum::FP32 ? 0 : 1e-3) << i;
        }
    }
}

/* Less than a row: there is no index, and all values are tail; but over integers a word that says nothing, for the exponent
 * to go along with. A fixed one need not be told. */
TEST(SketchCoding, HasNoIndexWithoutRowsButForAnExponent)
{
    auto spec = Spec();
    spec.coded = {{0, 1023}};
    EXPECT_EQ(WordsOf(spec).index, 0U);
    EXPECT_EQ(WordsOf(spec).counters, 1023U);
    spec.adder = WordSum::INT32;
    EXPECT_EQ(WordsOf(spec).index, 1U);
    EXPECT_EQ(MakeSketchCoding(spec)->Encode(0, Own(0), {}), std::vector<Word>{0});
    spec.fixedExponent = 0;
    EXPECT_EQ(WordsOf(spec).index, 0U);
    EXPECT_TRUE(MakeSketchCoding(spec)->Encode(0, Own(0), {}).empty());
}

/* 2^0 is below the largest value, 100: a fixed exponent clamps, and promises nothing. */
TEST(SketchCoding, PromisesNothingWithAFixedExponent)
{
    auto spec = Spec();
    spec.adder = WordSum::INT32;
    spec.fixedExponent = 0;
    EXPECT_EQ(MakeSketchCoding(spec)->Exponent(Own(0)), NO_EXPONENT);
    EXPECT_TRUE(std::isinf(MakeSketchCoding(spec)->ErrorBound(AllRounds(spec))));
}

} // namespace

} // namespace inca
