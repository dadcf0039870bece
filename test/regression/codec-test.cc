/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What once went wrong in codec/.
#include "base/interrupt.h"
#include "codec/codec-catalog.h"
#include "codec/homomorphic-bucket.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <vector>

namespace inca
{

// -- decode ignores interrupts
namespace
{

/** In a process of its own, since a signal once seen is never forgotten. */
[[noreturn]] void
DecodeAfterASignal(const Codec& codec)
{
    const std::vector<float> values(8, 0.5F);
    std::vector<std::uint8_t> stream;
    codec.Encode(values.data(), values.size(), stream);
    std::vector<float> decoded(values.size());
    CatchInterrupts();
    std::raise(SIGINT);
    try
    {
        codec.Decode(stream.data(), stream.size(), decoded.data(), decoded.size());
    }
    catch (const Interrupted&)
    {
        std::_Exit(0);
    }
    std::_Exit(1);
}

} // namespace

/* Decoding a file went on to its end, whatever the user pressed. */
TEST(DecodeDeathTest, EndsWhenItIsInterrupted)
{
    for (const auto* name : {"none",
                             "truncate",
                             "cast",
                             "inceptionn",
                             "inceptionn-bounded",
                             "block",
                             "exponents",
                             "netzip",
                             "snappy",
                             "zfp",
                             "homomorphic"})
    {
        CodecSpec spec;
        spec.name = name;
        const auto codec = MakeCodec(spec);
        EXPECT_EXIT(DecodeAfterASignal(*codec), testing::ExitedWithCode(0), "") << name;
    }
}

// -- empty bucket offsets null
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
        EXPECT_EQ(bucket.Decode(sum.data(), sum.size(), static_cast<float*>(nullptr)).peeled, 0U);
    }
}

} // namespace inca
