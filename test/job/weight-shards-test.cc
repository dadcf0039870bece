/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/weight-shards.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

namespace
{

JobChunk
ChunkAt(std::uint64_t begin)
{
    JobChunk chunk;
    chunk.range = {begin, 6};
    return chunk;
}

/** Values 10, 11, .. of which a step updates 2 and 3, adding 1 to each. */
RankValues
Updated()
{
    const auto own = [](ElementRange range, Word* out) {
        FillWithFloats(range.count, out, [&](std::size_t first, std::size_t count, float* values) {
            for (std::size_t i = 0; i < count; ++i)
            {
                values[i] = static_cast<float>(10 + range.begin + first + i);
            }
        });
    };
    RankValues values({0, 6}, own, {});
    Step step;
    step.receives = {{1, {2, 2}, Leg::GRADIENT, Combine::ADD}};
    step.update = true;
    const float ones[2]{1, 1};
    std::vector<Word> words(2);
    CopyBits(ones, 2, words.data());
    values.Receive(step, {words.data()});
    return values;
}

} // namespace

TEST(WeightShards, KeepWhatWasUpdated)
{
    WeightShards shards;
    EXPECT_FALSE(shards.Of(ChunkAt(100)));
    shards.Keep(ChunkAt(100), Updated());
    const auto weights = shards.Of(ChunkAt(100));
    ASSERT_TRUE(weights);
    std::vector<Word> words(4);
    weights({1, 4}, words.data());
    EXPECT_EQ(FloatOf(words[0]), 0); // another worker's
    EXPECT_EQ(FloatOf(words[1]), 13);
    EXPECT_EQ(FloatOf(words[2]), 14);
    EXPECT_EQ(FloatOf(words[3]), 0);
    EXPECT_FALSE(shards.Of(ChunkAt(0)));
}

} // namespace inca
