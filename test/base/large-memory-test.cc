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
    const LargeBytes others(MEBIBYTE); // so that something is in use
    auto* first = AllocateLarge(MEBIBYTE);
    FreeLarge(first, MEBIBYTE);
    EXPECT_EQ(AllocateLarge(MEBIBYTE), first);
    FreeLarge(first, MEBIBYTE);
}

/* 12 MiB were in use, 8 are: what is given back is kept, but of that only as much as what is asked for then,
 * of another size, leaves of the 12: 12 - 8 - 3 = 1. */
TEST(LargeMemory, KeepsNoMoreThanWasInUse)
{
    {
        const LargeBytes others(8 * MEBIBYTE);
        {
            const LargeBytes a(MEBIBYTE);
            const LargeBytes b(MEBIBYTE);
            const LargeBytes c(2 * MEBIBYTE);
        }
        EXPECT_EQ(KeptLargeBytes(), 4 * MEBIBYTE);
        const LargeBytes another(3 * MEBIBYTE);
        EXPECT_LE(KeptLargeBytes(), MEBIBYTE);
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
