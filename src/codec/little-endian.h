/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_LITTLE_ENDIAN_H
#define INCA_CODEC_LITTLE_ENDIAN_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inca
{

/**
 * Integers as little-endian bytes, on any machine; compilers turn each into one move where the
 * machine is little-endian.
 * @{
 */
template <typename Unsigned>
inline void StoreLittle(Unsigned value, std::uint8_t* out)
{
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    {
        out[i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

template <typename Unsigned>
inline Unsigned LoadLittle(const std::uint8_t* in)
{
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
    {
        value = static_cast<Unsigned>(value | static_cast<Unsigned>(Unsigned{in[i]} << (8 * i)));
    }
    return value;
}

/** @} */

/** A float's bits, and back; a NaN keeps its payload. @{ */
inline std::uint32_t BitsOf(float value)
{
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline float FloatOf(std::uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/** @} */

} // namespace inca

#endif // INCA_CODEC_LITTLE_ENDIAN_H
