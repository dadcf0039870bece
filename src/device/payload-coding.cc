/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/payload-coding.h"

#include "base/stream-pattern.h"

#include <cstring>

namespace inca
{

namespace
{

std::vector<float>
ValuesAt(const std::uint8_t* plain, std::uint64_t plainBytes)
{
    std::vector<float> values(plainBytes / VALUE_BYTES);
    std::memcpy(values.data(), plain, values.size() * VALUE_BYTES);
    return values;
}

} // namespace

Bytes
EncodePayload(const Codec& codec, const std::uint8_t* plain, std::uint64_t plainBytes)
{
    const auto values = ValuesAt(plain, plainBytes);
    Bytes stream;
    codec.Encode(values.data(), values.size(), stream);
    return stream;
}

Bytes
DecodePayload(const Codec& codec,
              const std::uint8_t* stream,
              std::uint64_t streamBytes,
              std::uint64_t plainBytes)
{
    std::vector<float> values(plainBytes / VALUE_BYTES);
    codec.Decode(stream, streamBytes, values.data(), values.size());
    Bytes plain(plainBytes);
    std::memcpy(plain.data(), values.data(), plainBytes);
    return plain;
}

std::uint64_t
ExpectedStreamBytes(double meanBits, std::uint64_t begin, std::uint64_t plainBytes)
{
    // half of what the end of a frame is a multiple of (PatternBits): no rounding takes a whole byte
    constexpr double nudge = 0.5 / PATTERN_FRAMES;
    const auto streamBytes = [meanBits](std::uint64_t bytes) {
        return static_cast<std::uint64_t>(static_cast<double>(bytes / VALUE_BYTES) * meanBits / 8 +
                                          nudge);
    };
    return streamBytes(begin + plainBytes) - streamBytes(begin);
}

} // namespace inca
