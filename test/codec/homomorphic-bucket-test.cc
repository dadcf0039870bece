/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/homomorphic-bucket.h"

#include "base/errors.h"
#include "codec-test-values.h"
#include "homomorphic-reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace inca
{

namespace
{

HomomorphicSettings
Settings(double ratio, HomomorphicIndex index)
{
    HomomorphicSettings settings;
    settings.ratio = ratio;
    settings.index = index;
    return settings;
}

using Stream = std::vector<std::uint8_t>;

constexpr HomomorphicIndex g_indices[] = {
    HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4, HomomorphicIndex::BLOOM};

Stream
Encoded(const HomomorphicBucket& bucket,
        const std::vector<float>& values,
        const IntegerScale* scale = nullptr)
{
    Stream stream;
    bucket.Encode(values.data(), stream, scale);
    return stream;
}

/** Adds @p other to @p sum as an aggregator does. */
void
Add(const HomomorphicBucket& bucket,
    const Stream& other,
    Stream& sum,
    WordSum words = WordSum::FP32)
{
    const auto counters = bucket.Shape().indexBytes;
    bucket.AddIndex(other.data(), sum.data());
    bucket.AddCounters(other.data() + counters, sum.data() + counters, words);
}

/** Two rows whose counters are known by hand (peeling-decoder-test.cc), and a tail of two. */
std::vector<float>
TwoRows()
{
    std::vector<float> values(2 * 1024 + 2);
    values[0] = 1.5F;
    values[9] = -0.0F;
    values[1024] = -2.0F;
    values[2047] = 4.0F;
    values[2048] = -0.0F;
    values[2049] = 1.0F;
    return values;
}

void
PutFloat(float value, std::size_t at, Stream& stream)
{
    for (unsigned i = 0; i < 4; ++i)
    {
        stream[at + i] = static_cast<std::uint8_t>(ToBits(value) >> 8 * i);
    }
}

/**
 * R = 2. Row 0 is added to counters 0, 1 and 0; row 1 is subtracted from counter 0 and added to it
 * twice. Lane 0: counter 0 = 1.5 + 1.5 + 2 - 2 - 2 = 1, counter 1 = 1.5. Lane 1023: counter 0 = 4.
 */
void
PutCountersOfTwoRows(std::size_t indexBytes, Stream& stream)
{
    PutFloat(1.0F, indexBytes, stream);
    PutFloat(4.0F, indexBytes + std::size_t{1023} * 4, stream);
    PutFloat(1.5F, indexBytes + 4096, stream);
    PutFloat(-0.0F, indexBytes + 8192, stream);
    PutFloat(1.0F, indexBytes + 8196, stream);
}

} // namespace

/* Set are the values 0, 1024 and 2047 of 2048; value 9 is -0.0, not set, and comes back as +0; the tail keeps its -0.0. What
 * is in a stream already stays before it. Row 1 of lane 0 is estimated as the median of 2, -2 and -2; of lane 1023 as that
 * of -4, 4 and 4. */
TEST(HomomorphicBucket, WritesABitOrFourPerValueAndReadsThem)
{
    auto expectedValues = TwoRows();
    expectedValues[9] = 0.0F;
    const std::vector<std::pair<HomomorphicIndex, std::size_t>> rows{
        {HomomorphicIndex::BITS_1, 256}, {HomomorphicIndex::BITS_4, 1024}};
    for (const auto& [index, bytes] : rows)
    {
        Stream expected(bytes + 2 * 4096 + 8);
        expected[0] = 0x01;
        expected[bytes / 2] = 0x01;
        expected[bytes - 1] = index == HomomorphicIndex::BITS_1 ? 0x80 : 0x10;
        PutCountersOfTwoRows(bytes, expected);
        const HomomorphicBucket bucket(Settings(1, index), 2050);
        std::vector<float> values(2050, NAN);
        const auto report = bucket.Decode(expected.data(), expected.size(), values.data());
        EXPECT_EQ(ToBits(values), ToBits(expectedValues));
        EXPECT_EQ(report.peeled, 1U);
        EXPECT_EQ(report.estimated, 2U);
        Stream stream{7, 8};
        expected.insert(expected.begin(), {7, 8});
        bucket.Encode(TwoRows().data(), stream);
        EXPECT_EQ(stream, expected);
    }
}

/* A set value stays set when the sum cancels, and decodes to +0; nothing but sums of powers of two, so
 * that fp32 adds without rounding. Rows of R = 200 have three counters of their own.           */
TEST(HomomorphicBucket, AddsStreamsOfWorkers)
{
    std::vector<float> first(4 * 1024 + 1);
    auto second = first;
    auto sum = first;
    first[5] = 1;
    second[5] = -1;
    first[1030] = 0.5F;
    second[2100] = 2;
    first[4096] = 1.5F;
    second[4096] = 2.5F;
    sum[1030] = 0.5F;
    sum[2100] = 2;
    sum[4096] = 4;
    for (const auto index : g_indices)
    {
        const HomomorphicBucket bucket(Settings(0.5, index), first.size());
        auto stream = Encoded(bucket, first);
        Add(bucket, Encoded(bucket, second), stream);
        std::vector<float> values(first.size());
        const auto report = bucket.Decode(stream.data(), stream.size(), values.data());
        EXPECT_EQ(ToBits(values), ToBits(sum));
        EXPECT_GE(report.peeled, 3U);
    }
}

/* 15 workers, union density 1 - 0.99^15 = 0.14; at ratio 3 of 900 rows the load is 0.42. */
TEST(HomomorphicBucket, SumsExactlyOverIntegers)
{
    constexpr std::uint32_t workers = 15;
    constexpr std::size_t count = 900 * 1024 + 7;
    std::vector<std::vector<float>> values;
    auto exponent = NO_EXPONENT;
    for (std::uint32_t worker = 0; worker < workers; ++worker)
    {
        values.push_back(SparseValues(count, 0.01, 100 + worker));
        exponent = std::max(exponent, LargestExponent(values.back().data(), count));
    }
    const IntegerScale scale(workers, exponent);
    for (const auto index : {HomomorphicIndex::BITS_1, HomomorphicIndex::BITS_4})
    {
        const HomomorphicBucket bucket(Settings(3, index), count);
        auto stream = Encoded(bucket, values[0], &scale);
        for (std::uint32_t worker = 1; worker < workers; ++worker)
        {
            Add(bucket, Encoded(bucket, values[worker], &scale), stream, WordSum::INT32);
        }
        std::vector<std::int32_t> sums(count);
        const auto report = bucket.Decode(stream.data(), stream.size(), sums.data());
        ASSERT_EQ(report.estimated, 0U);
        for (std::size_t i = 0; i < count; ++i)
        {
            std::int64_t expected = 0;
            for (const auto& workersValues : values)
            {
                std::uint32_t rounded = 0;
                scale.Round(&workersValues[i], 1, &rounded);
                expected += static_cast<std::int32_t>(rounded);
            }
            ASSERT_EQ(sums[i], expected) << i;
        }
    }
}

/* Load 0.1 * 4 = 0.4. One worker at full scale: most counters of two values or more wrap, and nothing is lost. */
TEST(HomomorphicBucket, SurvivesCountersThatWrap)
{
    constexpr std::size_t count = 3000 * 1024;
    auto values = SparseValues(count, 0.1, 3);
    for (auto& value : values)
    {
        value = value == 0 ? 0.0F : std::copysign(1.0F, value);
    }
    const IntegerScale scale(1, 0);
    const HomomorphicBucket bucket(Settings(4, HomomorphicIndex::BITS_1), count);
    const auto stream = Encoded(bucket, values, &scale);
    std::vector<std::int32_t> sums(count);
    ASSERT_EQ(bucket.Decode(stream.data(), stream.size(), sums.data()).estimated, 0U);
    for (std::size_t i = 0; i < count; ++i)
    {
        ASSERT_EQ(scale.Restore(sums[i]), values[i]) << i;
    }
}

/* Measured by others: about 1.3e-7 of the values' standard deviation, rms, at load 0.5; twice that.
 * Only what was estimated may be off by more than 2^-10, and does not count.                     */
TEST(HomomorphicBucket, LosesOnlyToCancellationOverFp32)
{
    constexpr std::size_t count = 4000 * 1024;
    const auto values = SparseValues(count, 0.125, 4); // standard deviation 1 of those set
    const HomomorphicBucket bucket(Settings(4, HomomorphicIndex::BITS_1), count);
    const auto stream = Encoded(bucket, values);
    std::vector<float> decoded(count);
    const auto report = bucket.Decode(stream.data(), stream.size(), decoded.data());
    double squares = 0;
    std::uint64_t off = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto error = static_cast<double>(decoded[i]) - static_cast<double>(values[i]);
        const auto isOff = std::fabs(error) > std::ldexp(1.0, -10);
        off += isOff ? 1 : 0;
        squares += isOff ? 0 : error * error;
    }
    EXPECT_LE(off, report.estimated);
    EXPECT_LT(report.estimated, report.peeled / 1000);
    const auto rms = std::sqrt(squares / static_cast<double>(report.peeled));
    EXPECT_LT(rms, 2 * 1.3e-7);
    EXPECT_GT(rms, 0);
}

/* What a filter finds beyond what is set decodes to 0 over integers: nothing is wrong, more is done. */
TEST(HomomorphicBucket, DecodesABloomFiltersFalsePositivesToZero)
{
    constexpr std::size_t count = 3000 * 1024;
    const auto values = SparseValues(count, 0.02, 5);
    const IntegerScale scale(1, LargestExponent(values.data(), count));
    auto settings = Settings(5, HomomorphicIndex::BLOOM);
    settings.bloom = {0.2, 5}; // (1 - e^-0.49)^5 = 0.0090 of the others, 0.011 with rows of more
    const HomomorphicBucket bucket(settings, count);
    const auto stream = Encoded(bucket, values, &scale);
    std::vector<std::int32_t> sums(count);
    const auto report = bucket.Decode(stream.data(), stream.size(), sums.data());
    ASSERT_EQ(report.estimated, 0U);
    EXPECT_NEAR(static_cast<double>(report.peeled), count * (0.02 + 0.98 * 0.011), count * 0.002);
    for (std::size_t i = 0; i < count; ++i)
    {
        std::uint32_t rounded = 0;
        scale.Round(&values[i], 1, &rounded);
        ASSERT_EQ(sums[i], static_cast<std::int32_t>(rounded)) << i;
    }
}

TEST(HomomorphicBucket, RefusesStreamsOfAnotherSize)
{
    const HomomorphicBucket bucket(Settings(1, HomomorphicIndex::BITS_1), 2050);
    auto stream = Encoded(bucket, TwoRows());
    std::vector<float> values(2050);
    EXPECT_THROW(bucket.Decode(stream.data(), stream.size() - 1, values.data()), InputError);
    EXPECT_THROW(bucket.Decode(stream.data(), 0, values.data()), InputError);
    stream.push_back(0);
    EXPECT_THROW(bucket.Decode(stream.data(), stream.size(), values.data()), InputError);
    std::vector<std::int32_t> sums(2050);
    EXPECT_THROW(bucket.Decode(stream.data(), stream.size(), sums.data()), InputError);
}

TEST(HomomorphicBucket, CountsWhatAnIndexMarks)
{
    for (const auto index : g_indices)
    {
        const HomomorphicBucket bucket(Settings(1, index), 2050);
        EXPECT_EQ(bucket.CountMarked(Encoded(bucket, TwoRows()).data()), 3U);
        const HomomorphicBucket none(Settings(1, index), 5);
        EXPECT_EQ(none.CountMarked(nullptr), 0U);
    }
}

/* 16 GiB of values are announced, 10 bytes are there: refused before memory is asked for. */
TEST(HomomorphicBucket, LooksAtTheSizeFirst)
{
    const HomomorphicBucket bucket({}, 0xFFFFFFFF);
    const Stream stream(10);
    EXPECT_THROW(bucket.Decode(stream.data(), stream.size(), static_cast<float*>(nullptr)),
                 InputError);
}

/* Row 0 stands twice in counter 0, row 1 three times, in lane 0 both: 5. The tail's two count for themselves. */
TEST(HomomorphicParts, FindsTheFullestCounter)
{
    for (const auto index : g_indices)
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

/* Two parts, each appended to what is there. */
TEST(HomomorphicParts, EncodesItsPartsApart)
{
    const auto values = TwoRows();
    const IntegerScale scale(2, 2);
    for (const auto index : g_indices)
    {
        const HomomorphicBucket bucket(Settings(1, index), 2050);
        Stream parts;
        bucket.EncodeIndex(values.data(), parts);
        EXPECT_EQ(parts.size(), bucket.Shape().indexBytes);
        auto rounded = parts;
        bucket.EncodeCounters(values.data(), parts);
        EXPECT_EQ(parts, Encoded(bucket, values));
        bucket.EncodeCounters(values.data(), rounded, &scale);
        EXPECT_EQ(rounded, Encoded(bucket, values, &scale));
    }
}

} // namespace inca
