/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-bucket.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace inca
{

/* Under UBSan: offsets were added to the null pointers of what a bucket without rows has none of. */
TEST(EmptyBucket, HasNothingToPointTo)
{
    for (const auto index :
         {HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4, HomomorphicIndex::BLOOM})
    {
        HomomorphicSettings settings;
        settings.index = index;
        const HomomorphicBucket bucket(settings, 0);
        std::vector<std::uint8_t> stream;
        bucket.Encode(nullptr, stream);
        EXPECT_EQ(stream.size(), bucket.Shape().Bytes());
        auto sum = stream;
        bucket.AddIndex(stream.data(), sum.data());
        const auto indexBytes = static_cast<std::size_t>(bucket.Shape().indexBytes);
        if (sum.size() > indexBytes)
        {
            bucket.AddCounters(stream.data() + indexBytes, sum.data() + indexBytes);
        }
        EXPECT_EQ(bucket.Decode(sum.data(), sum.size(), nullptr).peeled, 0U);
    }
}

} // namespace inca
