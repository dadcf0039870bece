/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// A bucket's index and counters apart, as they travel in rounds.
#include "codec/homomorphic-bucket.h"

#include <gtest/gtest.h>

#include <vector>

namespace inca
{

namespace
{

using Stream = std::vector<std::uint8_t>;

HomomorphicSettings
Settings(double ratio, HomomorphicIndex index)
{
    HomomorphicSettings settings;
    settings.ratio = ratio;
    settings.index = index;
    return settings;
}

Stream
Encoded(const HomomorphicBucket& bucket, const std::vector<float>& values)
{
    Stream stream;
    bucket.Encode(values.data(), stream);
    return stream;
}

Stream
EncodedRounded(const HomomorphicBucket& bucket,
               const std::vector<float>& values,
               const IntegerScale& scale)
{
    Stream stream;
    bucket.EncodeRounded(values.data(), scale, stream);
    return stream;
}

/**
 * Two rows and a tail of two. At R = 2 row 0 is added to counters 0, 1 and 0, row 1 to counter 0 three
 * times (peeling-decoder-test.cc).
 */
std::vector<float>
TwoRows()
{
    std::vector<float> values(2 * 1024 + 2);
    values[0] = 1.5F;
    values[1024] = -2.0F;
    values[2047] = 4.0F;
    values[2049] = 1.0F;
    return values;
}

} // namespace

/* Row 0 stands twice in counter 0, row 1 three times, in lane 0 both: 5. The tail's two count for themselves. */
TEST(HomomorphicParts, FindsTheFullestCounter)
{
    for (const auto index :
         {HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4, HomomorphicIndex::BLOOM})
    {
        auto settings = Settings(1, index);
        settings.bloom = {1, 16};
        const HomomorphicBucket bucket(settings, 2050);
        const auto most = [&bucket](const std::vector<float>& values) {
            return bucket.MostPerCounter(Encoded(bucket, values).data());
        };
        auto values = TwoRows();
        EXPECT_EQ(most(values), 5U);
        values[1024] = 0;
        EXPECT_EQ(most(values), 3U);
        values[2047] = 0;
        EXPECT_EQ(most(values), 2U);
        values[0] = 0;
        EXPECT_EQ(most(values), 1U);
        EXPECT_EQ(HomomorphicBucket(settings, 5).MostPerCounter(nullptr), 1U);
    }
}

/* It is the aggregated index that counts: of two workers' values in lane 0 one row each, 5. */
TEST(HomomorphicParts, FindsTheFullestCounterOfAllWorkers)
{
    for (const auto index : {HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4})
    {
        const HomomorphicBucket bucket(Settings(1, index), 2048);
        std::vector<float> first(2048);
        auto second = first;
        first[7] = 1;
        second[1024 + 7] = 1;
        auto sum = Encoded(bucket, first);
        bucket.AddIndex(Encoded(bucket, second).data(), sum.data());
        EXPECT_EQ(bucket.MostPerCounter(sum.data()), 5U);
    }
}

/* Two parts, each appended to what is there. */
TEST(HomomorphicParts, EncodesItsPartsApart)
{
    const auto values = TwoRows();
    const IntegerScale scale(2, 2);
    for (const auto index :
         {HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4, HomomorphicIndex::BLOOM})
    {
        const HomomorphicBucket bucket(Settings(1, index), 2050);
        Stream parts;
        bucket.EncodeIndex(values.data(), parts);
        EXPECT_EQ(parts.size(), bucket.Shape().indexBytes);
        auto rounded = parts;
        bucket.EncodeCounters(values.data(), parts);
        EXPECT_EQ(parts, Encoded(bucket, values));
        bucket.EncodeRoundedCounters(values.data(), scale, rounded);
        EXPECT_EQ(rounded, EncodedRounded(bucket, values, scale));
    }
}

} // namespace inca
