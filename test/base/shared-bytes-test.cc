/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/shared-bytes.h"

#include <gtest/gtest.h>

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

} // namespace inca
