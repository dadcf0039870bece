/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-scale.h"

#include "base/errors.h"
#include "codec-test-values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace inca
{

namespace
{

constexpr std::int32_t g_largestInt = std::numeric_limits<std::int32_t>::max();

std::optional<int>
ExponentOf(const std::vector<float>& values)
{
    return LargestExponent(values.data(), values.size());
}

std::int32_t
Rounded(const HomomorphicScale& scale, float value)
{
    std::uint32_t rounded = 0;
    scale.Round(&value, 1, &rounded);
    return static_cast<std::int32_t>(rounded);
}

} // namespace

TEST(HomomorphicScale, TakesTheSmallestPowerOfTwoAboveAllFiniteValues)
{
    EXPECT_EQ(ExponentOf({0.5F, -1.0F}), 0);
    EXPECT_EQ(ExponentOf({FromBits(0x3F800001)}), 1); // just above 1
    EXPECT_EQ(ExponentOf({FromBits(1)}), -149);
    EXPECT_EQ(ExponentOf({std::numeric_limits<float>::max()}), 128);
    EXPECT_EQ(ExponentOf({NAN, -INFINITY, 3.0F}), 2);
    EXPECT_EQ(ExponentOf({0.0F, -0.0F, NAN, INFINITY}), std::nullopt);
    EXPECT_EQ(ExponentOf({}), std::nullopt);
}

/* 3 workers: floor((2^31 - 1) / 3) = 715827882 is the integer of 2^e. */
TEST(HomomorphicScale, LeavesRoomForTheSumOfAllWorkers)
{
    const HomomorphicScale scale(3, 1);
    EXPECT_EQ(scale.Scale(), 715827882.0 / 2);
    EXPECT_EQ(Rounded(scale, 2.0F), 715827882);
    EXPECT_EQ(Rounded(scale, -2.0F), -715827882);
    EXPECT_EQ(Rounded(scale, 1.0F), 357913941);
    EXPECT_LE(3LL * Rounded(scale, 2.0F), g_largestInt);
    EXPECT_EQ(scale.Restore(2 * 715827882), 4.0F);
    EXPECT_EQ(scale.Restore(-357913941), -1.0F);
}

/* With 2^31 - 1 workers and e = 0, the integer of 1 is 1: 0.5 and 1.5 lie in the middle. */
TEST(HomomorphicScale, RoundsToNearestTiesToEven)
{
    const HomomorphicScale scale(static_cast<std::uint32_t>(g_largestInt) / 4, 0); // 2^e -> 4
    EXPECT_EQ(Rounded(scale, 0.125F), 0);                                          // 0.5
    EXPECT_EQ(Rounded(scale, 0.375F), 2);                                          // 1.5
    EXPECT_EQ(Rounded(scale, 0.625F), 2);                                          // 2.5
    EXPECT_EQ(Rounded(scale, -0.375F), -2);
    EXPECT_EQ(Rounded(scale, 0.3F), 1); // 1.2
}

TEST(HomomorphicScale, ClampsWhatIsBeyondAndDropsWhatIsNoNumber)
{
    const HomomorphicScale scale(1, 0);
    EXPECT_EQ(Rounded(scale, INFINITY), g_largestInt);
    EXPECT_EQ(Rounded(scale, -INFINITY), -g_largestInt);
    EXPECT_EQ(Rounded(scale, 7.0F), g_largestInt);
    EXPECT_EQ(Rounded(scale, NAN), 0);
}

TEST(HomomorphicScale, MakesZerosOfABucketWithoutValues)
{
    const HomomorphicScale scale(2, std::nullopt);
    EXPECT_EQ(Rounded(scale, INFINITY), 0);
    EXPECT_EQ(Rounded(scale, 1.0F), 0);
    EXPECT_EQ(scale.Restore(5), 0.0F);
}

/* One rounding is off by at most half an integer, and x * scale by 2^-53 of up to 2^31. */
TEST(HomomorphicScale, StaysWithinItsBound)
{
    const HomomorphicScale scale(5, 3);
    for (const auto value : AnyValues(2000))
    {
        if (std::fabs(value) <= 8)
        {
            const auto error = Rounded(scale, value) / scale.Scale() - static_cast<double>(value);
            EXPECT_LE(std::fabs(error), 0.5 / scale.Scale() * (1 + std::ldexp(1, -21)));
        }
    }
}

TEST(HomomorphicScale, WorksAtBothEndsOfFp32)
{
    EXPECT_EQ(Rounded(HomomorphicScale(1, -149), FromBits(1)), g_largestInt);
    EXPECT_EQ(Rounded(HomomorphicScale(1, 128), std::ldexp(1.0F, 127)), 1 << 30);
}

TEST(HomomorphicScale, RefusesNoWorkersAndExponentsThatFp32HasNot)
{
    EXPECT_THROW(HomomorphicScale(0, 1), InputError);
    EXPECT_THROW(HomomorphicScale(1U << 31U, 1), InputError);
    EXPECT_THROW(HomomorphicScale(1, 129), InputError);
    EXPECT_THROW(HomomorphicScale(1, -150), InputError);
}

} // namespace inca
