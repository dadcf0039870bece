/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_PACKED_BITS_H
#define INCA_CODEC_PACKED_BITS_H

#include "base/errors.h"
#include "codec/little-endian.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inca
{

/** Codes of 0 to 8 bits, a byte each, to a stream of bits, the first in the lowest ones; 8 at once, and back. */

constexpr std::size_t g_eight = 8; ///< codes take as many bytes as each has bits
constexpr std::size_t g_packRoom =
    sizeof(std::uint64_t); ///< that Pack may write behind what it packs

/** Of 8 bytes the low @p bits each, the first lowest. */
inline std::uint64_t
Packed(std::uint64_t bytes, unsigned bits)
{
    const auto merge = [](std::uint64_t x, std::uint64_t low, unsigned shift) {
        return (x & low) | ((x & ~low) >> shift);
    };
    bytes = merge(bytes, 0x00FF00FF00FF00FF, 8 - bits);
    bytes = merge(bytes, 0x0000FFFF0000FFFF, 16 - 2 * bits);
    return merge(bytes, 0x00000000FFFFFFFF, 32 - 4 * bits);
}

/** The way back, of the low 8 * @p bits. */
inline std::uint64_t
Unpacked(std::uint64_t packed, unsigned bits)
{
    const auto part = [](std::uint64_t x, std::uint64_t every, unsigned width, unsigned apart) {
        const auto low = ((std::uint64_t{1} << width) - 1) * every;
        return (x & low) | ((x & (low << width)) << (apart - width));
    };
    packed = part(packed, 1, 4 * bits, 32);
    packed = part(packed, 0x0000000100000001, 2 * bits, 16);
    return part(packed, 0x0001000100010001, bits, 8);
}

inline std::size_t
PackedBytes(std::size_t count, unsigned bits)
{
    return (count * bits + 7) / 8;
}

/** @param out has g_packRoom bytes more than PackedBytes */
inline void
Pack(const std::uint8_t* codes, std::size_t count, unsigned bits, std::uint8_t* out)
{
    for (; count >= g_eight; count -= g_eight, codes += g_eight, out += bits)
    {
        StoreLittle(Packed(LoadLittle<std::uint64_t>(codes), bits), out);
    }
    std::array<std::uint8_t, g_eight> last{};
    std::copy_n(codes, count, last.begin());
    StoreLittle(Packed(LoadLittle<std::uint64_t>(last.data()), bits), out);
}

/** @throws InputError if bits behind the last code are set */
inline void
Unpack(const std::uint8_t* in, std::size_t count, unsigned bits, std::uint8_t* codes)
{
    for (; PackedBytes(count, bits) >= sizeof(std::uint64_t) && count >= g_eight; count -= g_eight)
    {
        StoreLittle(Unpacked(LoadLittle<std::uint64_t>(in), bits), codes);
        codes += g_eight;
        in += bits;
    }
    for (; count >= g_eight; count -= g_eight, codes += g_eight, in += bits)
    {
        std::uint64_t packed = 0;
        std::memcpy(&packed, in, bits);
        StoreLittle(Unpacked(packed, bits), codes);
    }
    std::uint64_t packed = 0;
    std::memcpy(&packed, in, PackedBytes(count, bits));
    if (packed >> (count * bits) != 0)
    {
        throw InputError("a stream of bits: those behind its last value are not zero");
    }
    const auto bytes = Unpacked(packed, bits);
    std::memcpy(codes, &bytes, count);
}

} // namespace inca

#endif // INCA_CODEC_PACKED_BITS_H
