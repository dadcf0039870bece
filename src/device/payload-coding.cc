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

/** Where they are, or copied if that is no value's address. */
const float*
ValuesAt(const std::uint8_t* plain, std::uint64_t plainBytes)
{
    if (reinterpret_cast<std::uintptr_t>(plain) % alignof(float) == 0)
    {
        return reinterpret_cast<const float*>(plain);
    }
    auto* const values = Room(plainBytes / VALUE_BYTES);
    std::memcpy(values, plain, plainBytes);
    return values;
}

} // namespace

Bytes
EncodePayload(const Codec& codec, const std::uint8_t* plain, std::uint64_t plainBytes)
{
    thread_local Bytes stream; // grows once
    stream.clear();
    codec.Encode(ValuesAt(plain, plainBytes), plainBytes / VALUE_BYTES, stream);
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
