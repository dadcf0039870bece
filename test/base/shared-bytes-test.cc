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

TEST(SharedBytes, AreWordsFromTheirBeginning)
{
    const auto words = SharedBytes::Of(std::vector<Word>{1, 2, 3});
    EXPECT_EQ(words.size(), 12U);
    EXPECT_EQ(words.Part(4, 8).Words()[1], 3U);
}

} // namespace inca
