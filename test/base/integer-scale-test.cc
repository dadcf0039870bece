/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/integer-scale.h"

#include "base/errors.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

constexpr float g_infinity = std::numeric_limits<float>::infinity();
constexpr float g_noNumber = std::numeric_limits<float>::quiet_NaN();
constexpr std::int32_t g_mostInt = std::numeric_limits<std::int32_t>::max();

std::vector<Word>
WordsOf(const std::vector<float>& values)
{
    std::vector<Word> words(values.size());
    CopyBits(values.data(), values.size(), words.data());
    return words;
}

/** Expects floats and words that are floats to have the same one. */
std::int16_t
Exponent(const std::vector<float>& values)
{
    const auto exponent = LargestExponent(values.data(), values.size());
    EXPECT_EQ(LargestExponent(WordsOf(values).data(), values.size()), exponent);
    return exponent;
}

struct Quantised
{
    std::vector<std::int32_t> integers;
    std::uint64_t misfits;
};

/** Expects floats, and words in place, to become the same. */
Quantised
Quantise(std::uint32_t terms, const std::vector<float>& values, std::int16_t exponent)
{
    const IntegerScale scale(terms, exponent);
    auto words = WordsOf(values);
    const auto misfits = CountBeyond(words.data(), words.size(), scale.Largest());
    std::vector<Word> rounded(values.size());
    scale.Round(values.data(), values.size(), rounded.data());
    scale.Round(words.data(), words.size());
    EXPECT_EQ(words, rounded);
    return {std::vector<std::int32_t>(words.begin(), words.end()), misfits};
}

std::vector<float>
Restore(std::uint32_t terms, const std::vector<std::int32_t>& sums, std::int16_t exponent)
{
    const IntegerScale scale(terms, exponent);
    std::vector<Word> words(sums.begin(), sums.end());
    scale.Restore(words.data(), words.size());
    std::vector<float> values(sums.size());
    CopyFloats(words.data(), words.size(), values.data());
    for (std::size_t i = 0; i < sums.size(); ++i)
    {
        EXPECT_EQ(BitsOf(scale.Restore(sums[i])), words[i]);
    }
    return values;
}

/** Values of +-2^spread and below, of any precision. */
std::vector<float>
RandomValues(RandomStream& random, std::size_t count, int spread)
{
    std::vector<float> values(count);
    for (auto& value : values)
    {
        value = std::ldexp(static_cast<float>(random.Uniform() * 2 - 1), spread);
    }
    return values;
}

/** The largest error of a sum that IntegerScale's comment allows. */
double
Bound(std::uint32_t workers, std::int16_t exponent, double exact)
{
    const double limit = g_mostInt / static_cast<std::int32_t>(workers);
    const auto scale = std::ldexp(limit, -exponent);
    const auto quantised = workers / (2 * scale) * (1 + 0x1p-21);
    return quantised + (std::fabs(exact) + quantised) * 0x1p-24 + 0x1p-149;
}

/** Adds random blocks of all workers through integers, and expects the bound to hold. */
void
ExpectWithinBound(std::uint32_t workers, int spread)
{
    RandomStream random(workers, static_cast<std::uint64_t>(spread + 1000));
    constexpr std::size_t count = 8;
    std::vector<std::vector<float>> own;
    auto exponent = NO_EXPONENT;
    for (std::uint32_t worker = 0; worker < workers; ++worker)
    {
        own.push_back(RandomValues(random, count, spread));
        exponent = std::max(exponent, Exponent(own.back()));
    }
    std::vector<std::int64_t> sums(count, 0);
    std::vector<double> exact(count, 0);
    for (const auto& values : own)
    {
        const auto quantised = Quantise(workers, values, exponent);
        EXPECT_EQ(quantised.misfits, 0U);
        for (std::size_t i = 0; i < count; ++i)
        {
            sums[i] += quantised.integers[i];
            exact[i] += static_cast<double>(values[i]);
        }
    }
    const auto restored =
        Restore(workers, std::vector<std::int32_t>(sums.begin(), sums.end()), exponent);
    for (std::size_t i = 0; i < count; ++i)
    {
        EXPECT_LE(std::llabs(sums[i]), g_mostInt);
        EXPECT_NEAR(static_cast<double>(restored[i]), exact[i], Bound(workers, exponent, exact[i]))
            << workers << " workers, 2^" << spread;
    }
}

} // namespace

TEST(IntegerScale, TheExponentIsTheSmallestPowerOfTwoThatIsNotBelow)
{
    const std::pair<std::vector<float>, std::int16_t> cases[] = {
        {{0.75F, -3.0F, 0.0F}, 2},
        {{-4.0F}, 2},
        {{std::nextafter(4.0F, 5.0F)}, 3},
        {{1.0F}, 0},
        {{0.1F}, -3},
        {{FLT_MAX}, 128},
        {{FLT_MIN}, -126},
        {{0x1p-149F}, -149}, // the smallest denormal
        {{0x3p-149F}, -147},
        {{g_noNumber, 2.0F, g_infinity}, 1},
        {{}, NO_EXPONENT},
        {{0.0F, -0.0F}, NO_EXPONENT},
        {{g_noNumber, g_infinity, -g_infinity}, NO_EXPONENT},
    };
    for (const auto& [values, exponent] : cases)
    {
        EXPECT_EQ(Exponent(values), exponent) << testing::PrintToString(values);
    }
}

/* As one by one, however many stand in a vector unit: of all lengths, with something beyond 2^0 and a NaN. */
TEST(IntegerScale, ManyValuesAreAsEachAlone)
{
    RandomStream random(3, 7);
    auto values = RandomValues(random, 300, 1);
    values[17] = g_noNumber;
    for (std::size_t count = 0; count < values.size(); count += count < 70 ? 1 : 23)
    {
        const std::vector<float> some(values.begin(),
                                      values.begin() + static_cast<std::ptrdiff_t>(count));
        std::vector<std::int32_t> integers;
        std::uint64_t misfits = 0;
        auto exponent = NO_EXPONENT;
        for (const auto value : some)
        {
            const auto one = Quantise(3, {value}, 0);
            integers.push_back(one.integers[0]);
            misfits += one.misfits;
            exponent = std::max(exponent, Exponent({value}));
        }
        const auto all = Quantise(3, some, 0);
        EXPECT_EQ(all.integers, integers);
        EXPECT_EQ(all.misfits, misfits);
        EXPECT_EQ(Exponent(some), exponent);
        Restore(3, integers, 0); // which compares with each alone
    }
}

/*
 * 2 workers: limit floor((2^31 - 1) / 2) = 2^30 - 1. With e = 0: 1 becomes 2^30 - 1, 0.5 becomes 2^29 - 0.5, a tie, which goes
 * to the even 2^29. With floor((2^31 - 1) / 4) terms the integer of 2^0 is 4, so odd eighths lie in the middle. The largest
 * float: 2^30 - 1 times 1 - 2^-24 is 2^30 - 65 + 2^-24. Exponents far beyond those of fp32 make no infinities or NaN of zeros.
 */
TEST(IntegerScale, RoundsToTheNearestIntegerAndClamps)
{
    constexpr std::int32_t most = (1 << 30) - 1;
    constexpr std::int16_t far = std::numeric_limits<std::int16_t>::max();

    struct Row
    {
        std::uint32_t terms;
        std::vector<float> values;
        std::int16_t exponent;
        std::vector<std::int32_t> integers;
        std::uint64_t misfits;
    };

    const Row rows[] = {
        {2, {1.0F, -1.0F, 0.5F, 0.0F}, 0, {most, -most, 1 << 29, 0}, 0},
        {g_mostInt / 4, {0.125F, 0.375F, 0.625F, -0.375F, 0.3F}, 0, {0, 2, 2, -2, 1}, 0},
        {2,
         {1.5F, -FLT_MAX, g_infinity, -g_infinity, g_noNumber, 1.0F},
         0,
         {most, -most, most, -most, 0, most},
         5},
        {3, {0.0F, -0.0F, 0x1p-149F, -g_infinity, g_noNumber}, NO_EXPONENT, {0, 0, 0, 0, 0}, 3},
        {2, {FLT_MAX}, 128, {(1 << 30) - 65}, 0},
        {2, {0x1p-149F}, -149, {most}, 0},
        {2, {0.0F, FLT_MAX}, far, {0, 0}, 0},
        {2, {0.0F, 0x1p-149F}, -far, {0, most}, 1},
    };
    for (const auto& row : rows)
    {
        const auto quantised = Quantise(row.terms, row.values, row.exponent);
        EXPECT_EQ(quantised.integers, row.integers);
        EXPECT_EQ(quantised.misfits, row.misfits);
    }
}

/*
 * limit = 2^30 - 1, e = 3: the sum 2^30 - 1 is 8, twice of it 16; a unit is 8 / (2^30 - 1), which rounds to 2^-27 in fp32. The
 * largest float comes back within the bound: 2^30 - 65 over 2^30 - 1 is 1 - 64 / (2^30 - 1), below 1 - 2^-24 by less than
 * 2^-53. Twice of it is infinite.
 */
TEST(IntegerScale, RestoresSums)
{
    constexpr std::int32_t most = (1 << 30) - 1;
    constexpr std::int32_t largest = (1 << 30) - 65;
    constexpr std::int16_t far = std::numeric_limits<std::int16_t>::max();
    using Floats = std::vector<float>;
    EXPECT_EQ(Restore(2, {most, -2 * most, 1, 0}, 3), (Floats{8.0F, -16.0F, 0x1p-27F, 0.0F}));
    EXPECT_EQ(Restore(2, {largest, 2 * largest}, 128), (Floats{FLT_MAX, g_infinity}));
    EXPECT_EQ(Restore(2, {most}, -149), Floats{0x1p-149F});
    EXPECT_EQ(Restore(3, {0, 0}, NO_EXPONENT), (Floats{0.0F, 0.0F}));
    EXPECT_EQ(Restore(2, {0}, far), Floats{0.0F});
    EXPECT_EQ(Restore(2, {0, most}, -far), (Floats{0.0F, 0.0F}));
}

/* floor((2^31 - 1) / 3) = 715827882 is the integer of 2^1. */
TEST(IntegerScale, TellsIntegersPerUnit)
{
    EXPECT_EQ(IntegerScale(3, 1).Scale(), 715827882.0 / 2);
    EXPECT_EQ(IntegerScale(3, NO_EXPONENT).Scale(), 0);
}

/* W workers that all hold +-2^e reach W * floor((2^31 - 1) / W), which is at most 2^31 - 1. */
TEST(IntegerScale, NoSumCanWrap)
{
    for (std::uint32_t workers = 2; workers <= 1000; ++workers)
    {
        for (const auto value : {1.0F, -g_infinity, FLT_MAX})
        {
            const auto one = std::int64_t{Quantise(workers, {value}, 0).integers[0]};
            EXPECT_LE(std::llabs(one) * workers, g_mostInt) << workers;
            EXPECT_GT((std::llabs(one) + 1) * workers, g_mostInt) << workers; // none is wasted
        }
    }
}

TEST(IntegerScale, SumsAreWithinTheBound)
{
    for (const std::uint32_t workers : {2U, 3U, 4U, 7U, 16U, 64U, 255U, 1000U})
    {
        for (const int spread : {-149, -140, -126, -20, 0, 1, 30, 100})
        {
            ExpectWithinBound(workers, spread);
        }
    }
}

/* The formula, in the slowest words: clamp x * floor((2^31 - 1) / terms) / 2^e, and round by nearbyint. Of
 * any bits, denormals and ties among them. */
TEST(IntegerScale, IsTheFormulaOfAnyBits)
{
    RandomStream random(3, 5);
    for (unsigned i = 0; i < 20'000; ++i)
    {
        const auto bits = random.Bits();
        const auto value = FloatOf(static_cast<Word>(i % 3 == 0 ? bits & 0x807f'ffff : bits));
        const auto exponent = static_cast<std::int16_t>((bits >> 32U) % 278 - 149);
        const auto terms = static_cast<std::uint32_t>((bits >> 48U) % 1000 + 1);
        const double limit = g_mostInt / static_cast<std::int32_t>(terms);
        const auto scaled = std::ldexp(static_cast<double>(value) * limit, -exponent);
        const auto expected =
            std::isnan(value) ? 0.0 : std::nearbyint(std::clamp(scaled, -limit, limit));
        const auto quantised = Quantise(terms, {value}, exponent);
        ASSERT_EQ(quantised.integers[0], expected) << value << " 2^" << exponent << " " << terms;
        ASSERT_EQ(quantised.misfits, std::fabs(value) <= std::ldexp(1.0, exponent) ? 0U : 1U);
    }
}

TEST(IntegerScale, WantsATermAndNotTooMany)
{
    EXPECT_THROW(IntegerScale(0, 0), InvariantError);
    EXPECT_THROW(IntegerScale(0x80000000U, 0), InvariantError);
    EXPECT_NO_THROW(IntegerScale(0x7fffffffU, 0));
}

/* Of 4 workers, 127 / 4 = 31 in 8 bits and 32767 / 4 = 8191 in 16; with 2^1, half as many per unit. Of 128 workers none is
 * left in 8 bits. */
TEST(IntegerScale, LeavesRoomInNarrowIntegers)
{
    EXPECT_EQ(IntegerScale(4, 0, 127).Scale(), 31);
    EXPECT_EQ(IntegerScale(4, 1, 32'767).Scale(), 8191.0 / 2);
    EXPECT_EQ(IntegerScale(127, 0, 127).Scale(), 1);
    EXPECT_THROW(IntegerScale(128, 0, 127), InvariantError);
}

/* Infinities and NaN are beyond everything. */
TEST(CountBeyond, CountsMagnitudesAbove)
{
    const auto words = WordsOf({448, -448, 449, -1e9F, g_infinity, g_noNumber, 0});
    EXPECT_EQ(CountBeyond(words.data(), words.size(), 448), 4U);
    EXPECT_EQ(CountBeyond(words.data(), words.size(), 0), 6U);
}

} // namespace inca
