/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/shared-bytes.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Bytes = std::vector<std::uint8_t>;

} // namespace

TEST(SharedBytes, AreThereEvenIfTheyAreNone)
{
    EXPECT_FALSE(SharedBytes().AreThere());
    EXPECT_TRUE(SharedBytes::Of(Bytes()).AreThere());
    EXPECT_EQ(SharedBytes::Of(Bytes()).size(), 0U);
}

TEST(SharedBytes, ShareMemoryWithTheirParts)
{
    const auto bytes = SharedBytes::Of(Bytes{1, 2, 3, 4});
    const auto part = bytes.Part(1, 2);
    EXPECT_EQ(part.data(), bytes.data() + 1);
    EXPECT_EQ(part.size(), 2U);
}

TEST(SharedBytes, OutliveWhatTheyAreAPartOf)
{
    auto bytes = SharedBytes::Of(Bytes{1, 2, 3, 4});
    const auto part = bytes.Part(3, 1);
    bytes = {};
    EXPECT_EQ(*part.data(), 4);
}

/* Behind each other in one memory; with a gap, or in other memory, they do not go on. */
TEST(SharedBytes, GoOnInTheSameMemoryOnly)
{
    const auto bytes = SharedBytes::Of(Bytes{1, 2, 3, 4});
    auto first = bytes.Part(0, 2);
    EXPECT_TRUE(first.GoOnWith(bytes.Part(2, 2)));
    EXPECT_FALSE(first.GoOnWith(bytes.Part(3, 1)));
    EXPECT_FALSE(first.GoOnWith(SharedBytes::Of(Bytes{3, 4})));
    EXPECT_FALSE(SharedBytes().GoOnWith(SharedBytes()));
    first.Lengthen(2);
    EXPECT_EQ(first.size(), 4U);
}

TEST(SharedBytes, AreWrittenByTheirOnlyHolder)
{
    auto bytes = SharedBytes::Of(std::vector<Word>{1, 2});
    EXPECT_NE(bytes.WritableWords(), nullptr);
    const auto part = bytes.Part(0, 4);
    EXPECT_EQ(bytes.WritableWords(), nullptr);
}

/* One codec's stream of one part; neither of other parts, of other codecs, nor of equal bytes elsewhere. */
TEST(SharedBytes, KeepWhatACodecHasMadeOfThem)
{
    const int codec = 0;
    const int other = 0;
    const auto words = SharedBytes::Of(Bytes{1, 2, 3, 4});
    const auto stream = SharedBytes::Of(Bytes{5});
    words.Part(1, 2).KeepStream(&codec, stream);
    EXPECT_TRUE(words.Part(1, 2).StreamBy(&codec).AreThoseOf(stream));
    EXPECT_FALSE(words.Part(1, 2).StreamBy(&other).AreThere());
    EXPECT_FALSE(words.Part(1, 1).StreamBy(&codec).AreThere());
    EXPECT_FALSE(words.Part(2, 2).StreamBy(&codec).AreThere());
    EXPECT_FALSE(SharedBytes::Of(Bytes{1, 2, 3, 4}).Part(1, 2).StreamBy(&codec).AreThere());
    EXPECT_FALSE(SharedBytes().StreamBy(&codec).AreThere());
}

TEST(SharedBytes, KeepStreamsOfManyPartsInAnyOrder)
{
    const int codec = 0;
    const int other = 0;
    const auto words = SharedBytes::Of(Bytes{1, 2, 3, 4});
    for (const std::uint64_t at : {2, 0, 3, 1})
    {
        words.Part(at, 1).KeepStream(&other, SharedBytes::Of(Bytes{}));
        words.Part(at, 1).KeepStream(&codec, SharedBytes::Of(Bytes{static_cast<std::uint8_t>(at)}));
    }
    for (const std::uint64_t at : {0, 1, 2, 3})
    {
        EXPECT_EQ(*words.Part(at, 1).StreamBy(&codec).data(), at);
    }
}

TEST(SharedBytes, AreFoundByTheirStream)
{
    const int codec = 0;
    const auto words = SharedBytes::Of(Bytes{1, 2, 3, 4});
    const auto stream = SharedBytes::Of(Bytes{5, 6});
    EXPECT_FALSE(stream.SourceBy(&codec).AreThere());
    words.Part(1, 2).KeepStream(&codec, stream);
    EXPECT_TRUE(stream.SourceBy(&codec).AreThoseOf(words.Part(1, 2)));
    EXPECT_FALSE(stream.Part(0, 1).SourceBy(&codec).AreThere());
    EXPECT_FALSE(stream.SourceBy(&stream).AreThere());
}

/* A stream keeps nobody: it may outlive what it was made of, and then stands for itself. */
TEST(SharedBytes, AreNotFoundOnceTheyAreGone)
{
    const int codec = 0;
    auto words = SharedBytes::Of(Bytes{1, 2});
    const auto stream = SharedBytes::Of(Bytes{5});
    words.KeepStream(&codec, stream);
    words = {};
    EXPECT_FALSE(stream.SourceBy(&codec).AreThere());
    EXPECT_EQ(*stream.data(), 5);
}

/* Their only holder, who asks where to write, may change them at any time from then on. */
TEST(SharedBytes, ForgetStreamsBeforeTheyAreWritten)
{
    const int codec = 0;
    auto words = SharedBytes::Of(std::vector<Word>{1, 2});
    const auto stream = SharedBytes::Of(Bytes{5});
    words.KeepStream(&codec, stream);
    {
        auto holder = words;
        EXPECT_EQ(holder.WritableWords(), nullptr);
        EXPECT_TRUE(words.StreamBy(&codec).AreThere());
    }
    EXPECT_NE(words.WritableWords(), nullptr);
    EXPECT_FALSE(words.StreamBy(&codec).AreThere());
    EXPECT_FALSE(stream.SourceBy(&codec).AreThere());
}

TEST(SharedBytes, SayWhetherTheirSourceComesBack)
{
    const auto stream = SharedBytes::Of(Bytes{5});
    EXPECT_FALSE(stream.ComesBack());
    stream.SetComesBack();
    EXPECT_TRUE(stream.ComesBack());
    EXPECT_FALSE(SharedBytes().ComesBack());
}

TEST(SharedBytes, AreMovedAndAssigned)
{
    auto bytes = SharedBytes::Of(std::vector<Word>{1, 2});
    auto moved = std::move(bytes);
    EXPECT_FALSE(bytes.AreThere()); // NOLINT: it is none then
    EXPECT_NE(moved.WritableWords(), nullptr);
    bytes = moved;
    EXPECT_EQ(moved.WritableWords(), nullptr);
    const auto& same = bytes;
    bytes = same;
    EXPECT_EQ(bytes.data(), moved.data());
    moved = {};
    EXPECT_NE(bytes.WritableWords(), nullptr);
}

} // namespace inca
