/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_LITTLE_ENDIAN_H
#define INCA_CODEC_LITTLE_ENDIAN_H

#include <cstddef>
#include <cstdint>
#include <utility>

namespace inca
{

/**
 * Integers as little-endian bytes, on any machine. Written without a loop, because GCC at -O2 then
 * makes one move of it where the machine is little-endian.
 * @{
 */
template <typename Unsigned, std::size_t... Byte>
inline void
StoreLittle(Unsigned value, std::uint8_t* out, std::index_sequence<Byte...> /*all*/)
{
    ((out[Byte] = static_cast<std::uint8_t>(value >> (8 * Byte))), ...);
}

template <typename Unsigned>
inline void
StoreLittle(Unsigned value, std::uint8_t* out)
{
    StoreLittle(value, out, std::make_index_sequence<sizeof(Unsigned)>());
}

template <typename Unsigned, std::size_t... Byte>
inline Unsigned
LoadLittle(const std::uint8_t* in, std::index_sequence<Byte...> /*all*/)
{
    return static_cast<Unsigned>((static_cast<Unsigned>(Unsigned{in[Byte]} << (8 * Byte)) | ...));
}

template <typename Unsigned>
inline Unsigned
LoadLittle(const std::uint8_t* in)
{
    return LoadLittle<Unsigned>(in, std::make_index_sequence<sizeof(Unsigned)>());
}

/** @} */

} // namespace inca

#endif // INCA_CODEC_LITTLE_ENDIAN_H
