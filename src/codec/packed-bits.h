/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_PACKED_BITS_H
#define INCA_CODEC_PACKED_BITS_H

#include "inca/base/errors.h"
#include "inca/codec/little-endian.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inca
{

/** Codes of 0 to 8 bits, a byte each, to a stream of bits, the first in the lowest ones; 8 at once, and back. */

/** Of each of 8 bytes the low @p bits. */
inline std::uint64_t
LowBits(std::uint64_t bytes, unsigned bits)
{
    return bytes & (std::uint64_t{0x0101010101010101} * ((1U << bits) - 1));
}

/** Of 8 bytes the low @p bits each, one after the other. */
inline std::uint64_t
Packed(std::uint64_t bytes, unsigned bits)
{
    const auto join = [](std::uint64_t x, std::uint64_t low, unsigned gap) {
        return (x & low) | ((x & ~low) >> gap);
    };
    bytes = join(LowBits(bytes, bits), 0x00FF00FF00FF00FF, 8 - bits);
    bytes = join(bytes, 0x0000FFFF0000FFFF, 16 - 2 * bits);
    return join(bytes, 0x00000000FFFFFFFF, 32 - 4 * bits);
}

/** The way back, of the low 8 * @p bits. */
inline std::uint64_t
Unpacked(std::uint64_t packed, unsigned bits)
{
    const auto part = [](std::uint64_t x, std::uint64_t low, unsigned gap) {
        return (x & (low >> gap)) | ((x << gap) & ~low);
    };
    packed = part(packed, 0x00000000FFFFFFFF, 32 - 4 * bits);
    packed = part(packed, 0x0000FFFF0000FFFF, 16 - 2 * bits);
    return LowBits(part(packed, 0x00FF00FF00FF00FF, 8 - bits), bits);
}

inline std::size_t
PackedBytes(std::size_t count, unsigned bits)
{
    return (count * bits + 7) / 8;
}

/** Of each code @p bits from bit @p low on. @param codes up to a multiple of 8, those behind @p count being zeros */
inline void
Pack(const std::uint8_t* codes, std::size_t count, unsigned low, unsigned bits, std::uint8_t* out)
{
    const auto bytes = PackedBytes(count, bits);
    for (std::size_t at = 0; at < bytes; at += bits, codes += 8)
    {
        const auto packed = Packed(LoadLittle<std::uint64_t>(codes) >> low, bits);
        const auto left = bytes - at;
        left < 8 ? std::memcpy(out + at, &packed, left) : std::memcpy(out + at, &packed, 8);
    }
}

/** @param codes up to a multiple of 8; of 0 bits they stay @throws InputError if bits behind the last one are set */
inline void
Unpack(const std::uint8_t* in, std::size_t count, unsigned low, unsigned bits, std::uint8_t* codes)
{
    const auto bytes = PackedBytes(count, bits);
    const auto last = count * bits % 8; // bits of a byte; 0: all
    if (last != 0 && in[bytes - 1] >> last != 0)
    {
        throw InputError("a stream of bits: those behind its last value are not zero");
    }
    for (std::size_t at = 0; at < bytes; at += bits, codes += 8)
    {
        std::uint64_t packed = 0;
        const auto left = bytes - at;
        left < 8 ? std::memcpy(&packed, in + at, left) : std::memcpy(&packed, in + at, 8);
        StoreLittle(Unpacked(packed, bits) << low, codes);
    }
}

} // namespace inca

#endif // INCA_CODEC_PACKED_BITS_H
