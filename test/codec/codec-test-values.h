/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_CODEC_CODEC_TEST_VALUES_H
#define INCA_TEST_CODEC_CODEC_TEST_VALUES_H

#include "codec/codec.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace inca
{

inline float
FromBits(std::uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

inline std::uint32_t
ToBits(float value)
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline std::vector<std::uint32_t>
ToBits(const std::vector<float>& values)
{
    std::vector<std::uint32_t> bits;
    for (const auto value : values)
    {
        bits.push_back(ToBits(value));
    }
    return bits;
}

/** Zeros of both signs, the smallest and largest denormal, infinities, quiet and signaling NaNs. */
inline std::vector<float>
SpecialValues()
{
    std::vector<float> values;
    for (const std::uint32_t bits : {0x00000000U,
                                     0x00000001U,
                                     0x007FFFFFU,
                                     0x00800000U,
                                     0x3F7FFFFFU,
                                     0x3F800000U,
                                     0x7F7FFFFFU,
                                     0x7F800000U,
                                     0x7F800001U,
                                     0x7FC12345U})
    {
        values.push_back(FromBits(bits));
        values.push_back(FromBits(bits | 0x80000000U));
    }
    return values;
}

/** A fixed sequence over all signs and exponents (a linear congruential generator's top bits). */
inline std::vector<float>
AnyValues(std::size_t count)
{
    std::vector<float> values;
    std::uint64_t state = 1;
    for (std::size_t i = 0; i < count; ++i)
    {
        state = state * 6364136223846793005U + 1442695040888963407U;
        values.push_back(FromBits(static_cast<std::uint32_t>(state >> 32U)));
    }
    return values;
}

inline std::vector<std::uint8_t>
Encoded(const Codec& codec, const std::vector<float>& values)
{
    std::vector<std::uint8_t> stream;
    codec.Encode(values.data(), values.size(), stream);
    return stream;
}

inline std::vector<float>
Decoded(const Codec& codec, const std::vector<std::uint8_t>& stream, std::size_t count)
{
    std::vector<float> values(count);
    codec.Decode(stream.data(), stream.size(), values.data(), count);
    return values;
}

inline std::vector<float>
ThereAndBack(const Codec& codec, const std::vector<float>& values)
{
    return Decoded(codec, Encoded(codec, values), values.size());
}

} // namespace inca

#endif // INCA_TEST_CODEC_CODEC_TEST_VALUES_H
