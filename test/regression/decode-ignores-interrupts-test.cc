/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/interrupt.h"
#include "codec/codec-catalog.h"

#include <gtest/gtest.h>

#include <csignal>

namespace inca
{

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
    for (const auto* name : {"none", "truncate", "cast", "inceptionn", "homomorphic"})
    {
        CodecSpec spec;
        spec.name = name;
        const auto codec = MakeCodec(spec);
        EXPECT_EXIT(DecodeAfterASignal(*codec), testing::ExitedWithCode(0), "") << name;
    }
}

} // namespace inca
