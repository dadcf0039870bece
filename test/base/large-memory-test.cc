/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/large-memory.h"

#include <gtest/gtest.h>

#include <numeric>

namespace inca
{

namespace
{

constexpr std::size_t MEBIBYTE{std::size_t{1} << 20U};

} // namespace

/* What has just been given back is as large as what is asked for next. */
TEST(LargeMemory, TakesFirstWhatWasGivenBackLast)
{
    const LargeBytes others(8 * MEBIBYTE); // of which a quarter may be kept
    auto* first = AllocateLarge(MEBIBYTE);
    FreeLarge(first, MEBIBYTE);
    EXPECT_EQ(AllocateLarge(MEBIBYTE), first);
    FreeLarge(first, MEBIBYTE);
}

/* 8 MiB are in use, so at most 2 MiB are kept, of the 4 that are given back. */
TEST(LargeMemory, KeepsAQuarterOfWhatIsInUse)
{
    {
        const LargeBytes others(8 * MEBIBYTE);
        {
            const LargeBytes a(MEBIBYTE);
            const LargeBytes b(MEBIBYTE);
            const LargeBytes c(2 * MEBIBYTE);
        }
        EXPECT_GT(KeptLargeBytes(), 0U);
        EXPECT_LE(KeptLargeBytes(), 2 * MEBIBYTE);
    }
    EXPECT_EQ(KeptLargeBytes(), 0U); // nothing is in use
}

/* Arrays grow across LARGE_BYTES, 65,536 words, and hold what was in them. */
TEST(LargeMemory, GrowsWithWhatIsInIt)
{
    LargeWords words;
    for (Word word = 0; word < 200'000; ++word)
    {
        words.push_back(word);
    }
    LargeWords expected(200'000);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(words, expected);
}

} // namespace inca
