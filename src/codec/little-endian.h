/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_LITTLE_ENDIAN_H
#define INCA_CODEC_LITTLE_ENDIAN_H

#include "inca/base/word.h"

#include <cstdint>
#include <cstring>

namespace inca
{

/** Integers as little-endian bytes, as machines have them (base/word.h). @{ */
template <typename Unsigned>
inline void
StoreLittle(Unsigned value, std::uint8_t* out)
{
    std::memcpy(out, &value, sizeof value);
}

template <typename Unsigned>
inline Unsigned
LoadLittle(const std::uint8_t* in)
{
    Unsigned value;
    std::memcpy(&value, in, sizeof value);
    return value;
}

/** @} */

} // namespace inca

#endif // INCA_CODEC_LITTLE_ENDIAN_H
