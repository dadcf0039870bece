/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/block-scale.h"

#include "base/errors.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

namespace inca
{

namespace
{

constexpr float g_infinity = std::numeric_limits<float>::infinity();
constexpr float g_noNumber = std::numeric_limits<float>::quiet_NaN();
constexpr std::int32_t g_mostInt = std::numeric_limits<std::int32_t>::max();

std::int16_t
Exponent(const std::vector<float>& values)
{
    return ExponentOf(values.data(), values.size());
}

struct Quantised
{
    std::vector<std::int32_t> integers;
    std::uint64_t misfits;
};

Quantised
Quantise(Rank workers, const std::vector<float>& values, std::int16_t exponent)
{
    std::vector<std::uint8_t> bytes;
    const auto misfits =
        BlockScale(workers).Quantise(values.data(), values.size(), exponent, bytes);
    Quantised result{std::vector<std::int32_t>(values.size()), misfits};
    EXPECT_EQ(bytes.size(), values.size() * sizeof(std::int32_t));
    std::memcpy(result.integers.data(), bytes.data(), bytes.size());
    return result;
}

std::vector<float>
Restore(Rank workers, const std::vector<std::int32_t>& sums, std::int16_t exponent)
{
    std::vector<std::uint8_t> bytes(sums.size() * sizeof(std::int32_t));
    std::memcpy(bytes.data(), sums.data(), bytes.size());
    std::vector<float> values(sums.size());
    BlockScale(workers).Restore(bytes.data(), sums.size(), exponent, values.data());
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

/** The largest error of a sum that BlockScale's comment allows. */
double
Bound(Rank workers, std::int16_t exponent, double exact)
{
    const double limit = g_mostInt / static_cast<std::int32_t>(workers);
    const auto scale = std::ldexp(limit, -exponent);
    const auto quantised = workers / (2 * scale) * (1 + 0x1p-21);
    return quantised + (std::fabs(exact) + quantised) * 0x1p-24 + 0x1p-149;
}

/** Adds random blocks of all workers through integers, and expects the bound to hold. */
void
ExpectWithinBound(Rank workers, int spread)
{
    RandomStream random(workers, static_cast<std::uint64_t>(spread + 1000));
    constexpr std::size_t count = 8;
    std::vector<std::vector<float>> own;
    auto exponent = NO_EXPONENT;
    for (Rank worker = 0; worker < workers; ++worker)
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

TEST(BlockScale, TheExponentIsTheSmallestPowerOfTwoThatIsNotBelow)
{
    EXPECT_EQ(Exponent({0.75F, -3.0F, 0.0F}), 2);
    EXPECT_EQ(Exponent({-4.0F}), 2);
    EXPECT_EQ(Exponent({std::nextafter(4.0F, 5.0F)}), 3);
    EXPECT_EQ(Exponent({1.0F}), 0);
    EXPECT_EQ(Exponent({0.1F}), -3);
    EXPECT_EQ(Exponent({FLT_MAX}), 128);
    EXPECT_EQ(Exponent({FLT_MIN}), -126);
    EXPECT_EQ(Exponent({0x1p-149F}), -149); // the smallest denormal
    EXPECT_EQ(Exponent({0x3p-149F}), -147);
}

TEST(BlockScale, ABlockOfZerosHasNoExponent)
{
    EXPECT_EQ(Exponent({}), NO_EXPONENT);
    EXPECT_EQ(Exponent({0.0F, -0.0F}), NO_EXPONENT);
    EXPECT_EQ(Exponent({g_noNumber, g_infinity, -g_infinity}), NO_EXPONENT);
    EXPECT_EQ(Exponent({g_noNumber, 2.0F, g_infinity}), 1);
}

/* 2 workers: limit floor((2^31 - 1) / 2) = 2^30 - 1. With e = 0: 1 becomes 2^30 - 1, 0.5 becomes
 * 2^29 - 0.5, a tie, which goes to the even 2^29. */
TEST(BlockScale, QuantisesToTheNearestIntegerTiesToEven)
{
    const auto quantised = Quantise(2, {1.0F, -1.0F, 0.5F, 0.0F}, 0);
    EXPECT_EQ(quantised.integers,
              (std::vector<std::int32_t>{(1 << 30) - 1, 1 - (1 << 30), 1 << 29, 0}));
    EXPECT_EQ(quantised.misfits, 0U);
}

/* limit = 2^30 - 1, e = 3: the sum 2^30 - 1 is 8, twice of it 16; a unit is 8 / (2^30 - 1), which
 * rounds to 2^-27 in fp32. */
TEST(BlockScale, RestoresSums)
{
    EXPECT_EQ(Restore(2, {(1 << 30) - 1, -2 * ((1 << 30) - 1), 1, 0}, 3),
              (std::vector<float>{8.0F, -16.0F, 0x1p-27F, 0.0F}));
}

TEST(BlockScale, AppendsToWhatIsThere)
{
    std::vector<std::uint8_t> bytes{9};
    const float one = 1.0F;
    BlockScale(g_mostInt).Quantise(&one, 1, 0, bytes); // limit 1
    EXPECT_EQ(bytes, (std::vector<std::uint8_t>{9, 1, 0, 0, 0}));
}

TEST(BlockScale, ClampsWhatDoesNotFit)
{
    const auto most = (1 << 30) - 1;
    const auto quantised =
        Quantise(2, {1.5F, -FLT_MAX, g_infinity, -g_infinity, g_noNumber, 1.0F}, 0);
    EXPECT_EQ(quantised.integers, (std::vector<std::int32_t>{most, -most, most, -most, 0, most}));
    EXPECT_EQ(quantised.misfits, 5U);
}

TEST(BlockScale, WithoutAnExponentAllIsZero)
{
    const auto quantised =
        Quantise(3, {0.0F, -0.0F, 0x1p-149F, -g_infinity, g_noNumber}, NO_EXPONENT);
    EXPECT_EQ(quantised.integers, std::vector<std::int32_t>(5, 0));
    EXPECT_EQ(quantised.misfits, 3U);
    EXPECT_EQ(Restore(3, {0, 0}, NO_EXPONENT), (std::vector<float>{0.0F, 0.0F}));
}

/* W workers that all hold +-2^e reach W * floor((2^31 - 1) / W), which is at most 2^31 - 1. */
TEST(BlockScale, NoSumCanWrap)
{
    for (Rank workers = 2; workers <= 1000; ++workers)
    {
        for (const auto value : {1.0F, -g_infinity, FLT_MAX})
        {
            const auto one = std::int64_t{Quantise(workers, {value}, 0).integers[0]};
            EXPECT_LE(std::llabs(one) * workers, g_mostInt) << workers;
            EXPECT_GT((std::llabs(one) + 1) * workers, g_mostInt) << workers; // none is wasted
        }
    }
}

TEST(BlockScale, TheSumOfTwoTimesTheLargestFloatIsInfinite)
{
    const auto quantised = Quantise(2, {FLT_MAX}, Exponent({FLT_MAX}));
    EXPECT_EQ(quantised.misfits, 0U);
    EXPECT_EQ(Restore(2, {2 * quantised.integers[0]}, 128), std::vector<float>{g_infinity});
}

/* Alone, the largest float comes back within the bound, 2^128 / (2^30 - 1) / 2 and its rounding to
 * multiples of 2^104: as itself or as 2^128 = infinity, its neighbour. 2^30 - 1 times 1 - 2^-24 is
 * 2^30 - 65 + 2^-24, so the integer is 2^30 - 65; over 2^30 - 1 that is 1 - 64 / (2^30 - 1), below
 * 1 - 2^-24 by less than 2^-53: it rounds to the largest float. */
TEST(BlockScale, KeepsTheLargestFloatAndTheSmallest)
{
    const auto large = Quantise(2, {FLT_MAX}, 128).integers;
    EXPECT_EQ(large[0], (1 << 30) - 65);
    EXPECT_EQ(Restore(2, large, 128), std::vector<float>{FLT_MAX});
    const auto small = Quantise(2, {0x1p-149F}, -149).integers;
    EXPECT_EQ(Restore(2, small, -149), std::vector<float>{0x1p-149F});
}

/* A worker whose own block is all zeros uses the others' exponent. */
TEST(BlockScale, OneWorkerMayHoldZeros)
{
    const auto exponent = std::max(Exponent({0.0F}), Exponent({3.0F}));
    const auto zero = Quantise(2, {0.0F}, exponent).integers[0];
    const auto three = Quantise(2, {3.0F}, exponent).integers[0];
    EXPECT_EQ(Restore(2, {zero + three}, exponent), std::vector<float>{3.0F});
}

/* Exponents far beyond those of fp32 cannot make infinities or NaN of zeros. */
TEST(BlockScale, FarExponentsAreHarmless)
{
    constexpr std::int16_t far = std::numeric_limits<std::int16_t>::max();
    EXPECT_EQ(Quantise(2, {0.0F, FLT_MAX}, far).integers, (std::vector<std::int32_t>{0, 0}));
    EXPECT_EQ(Restore(2, {0}, far), std::vector<float>{0.0F});
    const auto tiny = Quantise(2, {0.0F, 0x1p-149F}, -far);
    EXPECT_EQ(tiny.integers, (std::vector<std::int32_t>{0, (1 << 30) - 1}));
    EXPECT_EQ(tiny.misfits, 1U);
    EXPECT_EQ(Restore(2, tiny.integers, -far), (std::vector<float>{0.0F, 0.0F}));
}

TEST(BlockScale, SumsAreWithinTheBound)
{
    for (const Rank workers : {2U, 3U, 4U, 7U, 16U, 64U, 255U, 1000U})
    {
        for (const int spread : {-149, -140, -126, -20, 0, 1, 30, 100})
        {
            ExpectWithinBound(workers, spread);
        }
    }
}

TEST(BlockScale, WantsAWorkerAndNotTooMany)
{
    EXPECT_THROW(BlockScale(0), InvariantError);
    EXPECT_THROW(BlockScale(0x80000000U), InvariantError);
    EXPECT_NO_THROW(BlockScale(0x7fffffffU));
}

} // namespace inca
