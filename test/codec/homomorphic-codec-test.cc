/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-codec.h"

#include "base/errors.h"
#include "codec-test-values.h"
#include "homomorphic-reference.h"

#include <gtest/gtest.h>

#include <cmath>

namespace inca
{

namespace
{

constexpr HomomorphicIndex g_indices[] = {
    HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4, HomomorphicIndex::BLOOM};

} // namespace

TEST(HomomorphicCodec, CountsTheBytesOfItsStream)
{
    HomomorphicSettings settings;
    for (const auto index : g_indices)
    {
        settings.index = index;
        const auto codec = MakeHomomorphicCodec(settings);
        for (const std::size_t count : {0U, 1U, 1023U, 1024U, 2049U, 30000U})
        {
            const auto values = AnyValues(count);
            const auto stream = Encoded(*codec, values);
            EXPECT_EQ(stream.size(), codec->CountBytes(values.data(), count)) << count;
            EXPECT_NO_THROW(Decoded(*codec, stream, count)) << count;
        }
    }
}

/* index + 32 / 10 bits */
TEST(HomomorphicCodec, KnowsItsMeanBits)
{
    HomomorphicSettings settings;
    EXPECT_DOUBLE_EQ(MakeHomomorphicCodec(settings)->MeanBits({}).value(), 4.2);
    settings.index = HomomorphicIndex::BITS_4;
    EXPECT_DOUBLE_EQ(MakeHomomorphicCodec(settings)->MeanBits({}).value(), 7.2);
    settings.index = HomomorphicIndex::BLOOM;
    EXPECT_DOUBLE_EQ(MakeHomomorphicCodec(settings)->MeanBits({}).value(), 3.7);
    EXPECT_FALSE(MakeHomomorphicCodec(settings)->IsLossless());
}

TEST(HomomorphicCodec, BringsSparseValuesBack)
{
    HomomorphicSettings settings;
    settings.ratio = 4; // load 0.4 of 500 counter rows
    const auto values = SparseValues(2000 * 1024 + 100, 0.1, 1);
    const auto decoded = ThereAndBack(*MakeHomomorphicCodec(settings), values);
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        // 100 roundings of sums below 8 at the most: 100 * 2^-22.
        ASSERT_NEAR(decoded[i], values[i], std::ldexp(100, -22)) << i;
    }
}

TEST(HomomorphicCodec, RefusesSettingsOutOfRange)
{
    HomomorphicSettings settings;
    settings.ratio = 0.25;
    EXPECT_THROW(MakeHomomorphicCodec(settings), InputError);
    settings.ratio = 10;
    settings.index = HomomorphicIndex::BLOOM;
    settings.bloom.hashes = 0;
    EXPECT_THROW(MakeHomomorphicCodec(settings), InputError);
}

} // namespace inca
