/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/gradient-payload.h"

#include <gtest/gtest.h>

#include <numeric>

namespace inca
{

namespace
{

std::vector<std::uint8_t>
ReadIn(const PayloadSource& payload, std::uint64_t bytes, std::uint64_t step)
{
    std::vector<std::uint8_t> all(bytes);
    for (std::uint64_t offset = 0; offset < bytes; offset += step)
    {
        const auto part = payload.At(offset, std::min(step, bytes - offset));
        std::copy_n(part.data(), part.size(), all.data() + offset);
    }
    return all;
}

std::vector<Word>
WordsOf(const std::vector<std::uint8_t>& bytes)
{
    const auto* const words = WordsAt(bytes.data());
    return {words, words + bytes.size() / sizeof(Word)};
}

/** Element e is the integer e. */
void
FillWithIndices(ElementRange range, Word* out)
{
    std::iota(out, out + range.count, static_cast<Word>(range.begin));
}

} // namespace

/* 1.0 is 0x3f800000. */
TEST(GradientPayload, WordsAreLittleEndian)
{
    const auto payload = MakePayload(SharedBytes::Of(std::vector<Word>{0, 0x3f800000}));
    EXPECT_EQ(ReadIn(*payload, 8, 8), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0x80, 0x3f}));
    EXPECT_EQ(WordsOf(ReadIn(*payload, 8, 3)), (std::vector<Word>{0, 0x3f800000}));
}

TEST(GradientPayload, BytesComeAsTheyAre)
{
    const auto payload = MakePayload(SharedBytes::Of(std::vector<std::uint8_t>{1, 2, 3, 4, 5}));
    EXPECT_EQ(ReadIn(*payload, 5, 2), (std::vector<std::uint8_t>{1, 2, 3, 4, 5}));
}

/* 10,000 words from element 50 on, read in frames of 365 words, which cross the blocks in which
 * they are made; then an early frame again, as for a retransmission. */
TEST(GradientPayload, LazyWordsAreThoseOfTheirElements)
{
    const auto payload = MakeLazyPayload({50, 10'000}, FillWithIndices);
    const auto words = WordsOf(ReadIn(*payload, 40'000, 1460));
    ASSERT_EQ(words.size(), 10'000U);
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        ASSERT_EQ(words[i], 50 + i);
    }
    EXPECT_EQ(*payload->At(1460, 1460).Words(), 50U + 365);
}

TEST(GradientPayload, LazyWordsAreNeverAskedForBeyondTheirRange)
{
    std::uint64_t most = 0;
    const auto payload = MakeLazyPayload({50, 5'000}, [&most](ElementRange range, Word* out) {
        most = std::max(most, range.End());
        FillWithIndices(range, out);
    });
    ReadIn(*payload, 20'000, 1460);
    EXPECT_EQ(most, 5'050U);
}

/* 4096 / 365 = 11 whole frames are made at once, so each follows the one before it in memory. */
TEST(GradientPayload, LazyFramesOfABlockShareIt)
{
    const auto payload = MakeLazyPayload({50, 10'000}, FillWithIndices);
    auto block = payload->At(0, 1460);
    for (std::uint64_t frame = 1; frame < 11; ++frame)
    {
        const auto next = payload->At(frame * 1460, 1460);
        ASSERT_TRUE(block.GoOnWith(next)) << frame;
        block.Lengthen(next.size());
    }
    EXPECT_FALSE(block.GoOnWith(payload->At(11 * 1460, 1460)));
    EXPECT_EQ(block.Words()[4014], 50U + 4014); // which later ones did not change
}

/* Frames of 365 words, of blocks of 4096: all stand in one memory; a part is filled once, also if it is asked for again. */
TEST(GradientPayload, GrowingWordsStandBehindEachOther)
{
    std::uint64_t filled = 0;
    const auto payload = MakeGrowingPayload({50, 10'000}, [&filled](ElementRange range, Word* out) {
        filled += range.count;
        FillWithIndices(range, out);
    });
    auto whole = payload->At(0, 1460);
    for (std::uint64_t offset = 1460; offset < 40'000; offset += 1460)
    {
        const auto part = payload->At(offset, std::min<std::uint64_t>(1460, 40'000 - offset));
        ASSERT_TRUE(whole.GoOnWith(part));
        whole.Lengthen(part.size());
    }
    for (std::size_t i = 0; i < 10'000; ++i)
    {
        ASSERT_EQ(whole.Words()[i], 50 + i);
    }
    EXPECT_EQ(payload->At(1460, 1460).data(), whole.data() + 1460);
    EXPECT_EQ(filled, 10'000U);
}

} // namespace inca
