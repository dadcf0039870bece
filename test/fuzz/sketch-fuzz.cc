/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/errors.h"
#include "codec/homomorphic-bucket.h"

#include "fuzz/input.h"

namespace
{

inca::HomomorphicSettings
DrawSettings(inca::Input& input)
{
    inca::HomomorphicSettings settings;
    const auto names = inca::HomomorphicIndexNames();
    settings.index = inca::FindHomomorphicIndex(names[input.Byte() % names.size()]);
    settings.ratio = 0.5 + input.Byte() / 8.0;
    return settings;
}

} // namespace

/* Streams of homomorphic compression that need not come from an encoder are added and decoded, over fp32
 * and over int32. */
int
LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace inca;
    Input input(data, size);
    const auto settings = DrawSettings(input);
    const auto count = input.Number(2);
    try
    {
        const HomomorphicBucket bucket(settings, count);
        const auto bytes = bucket.Shape().Bytes();
        auto sum = input.Bytes(bytes);
        sum.resize(bytes); // zeros are a sketch of nothing
        auto stream = input.Bytes(bytes);
        stream.resize(bytes);
        const auto indexBytes = bucket.Shape().indexBytes;
        bucket.AddIndex(stream.data(), sum.data());
        bucket.CountMarked(sum.data());
        bucket.MostPerCounter(sum.data());
        auto rounded = sum;
        bucket.AddCounters(stream.data() + indexBytes, sum.data() + indexBytes);
        bucket.AddCounters(stream.data() + indexBytes, rounded.data() + indexBytes, WordSum::INT32);
        std::vector<float> values(count);
        bucket.Decode(sum.data(), bytes, values.data());
        std::vector<std::int32_t> sums(count);
        bucket.Decode(rounded.data(), bytes, sums.data());
    }
    catch (const InputError&)
    {
    }
    return 0;
}
