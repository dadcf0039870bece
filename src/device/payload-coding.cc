/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/payload-coding.h"

#include "base/stream-pattern.h"

#include <algorithm>
#include <cstring>

namespace inca
{

namespace
{

/** Room for the values of a payload, kept for the next one. */
float*
Room(std::size_t count)
{
    thread_local std::vector<float> room;
    room.resize(std::max(room.size(), count));
    return room.data();
}

} // namespace

Bytes
EncodePayload(const Codec& codec, const std::uint8_t* plain, std::uint64_t plainBytes)
{
    const auto count = plainBytes / VALUE_BYTES;
    auto* const values = Room(count);
    std::memcpy(values, plain, plainBytes);
    thread_local Bytes stream; // grows once
    stream.clear();
    codec.Encode(values, count, stream);
    return stream;
}

Bytes
DecodePayload(const Codec& codec,
              const std::uint8_t* stream,
              std::uint64_t streamBytes,
              std::uint64_t plainBytes)
{
    const auto* const bytes = DecodeInRoom(codec, stream, streamBytes, plainBytes);
    return {bytes, bytes + plainBytes};
}

const std::uint8_t*
DecodeInRoom(const Codec& codec,
             const std::uint8_t* stream,
             std::uint64_t streamBytes,
             std::uint64_t plainBytes)
{
    const auto count = plainBytes / VALUE_BYTES;
    auto* const values = Room(count);
    codec.Decode(stream, streamBytes, values, count);
    return reinterpret_cast<const std::uint8_t*>(values);
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
