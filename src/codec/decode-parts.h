/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_DECODE_PARTS_H
#define INCA_CODEC_DECODE_PARTS_H

#include "inca/base/errors.h"
#include "inca/base/interrupt.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace inca
{

/** So many values are decoded before Ctrl-C is looked at again; a multiple of every codec's groups. */
constexpr std::size_t g_decodePart = 1U << 20U;

/**
 * Does @p decode(begin, count) for all parts of @p total values, one after the other.
 * @throws Interrupted
 */
template <class Decode>
void
DecodeInParts(std::size_t total, const Decode& decode)
{
    for (std::size_t begin = 0; begin < total; begin += g_decodePart)
    {
        ThrowIfInterrupted();
        decode(begin, std::min(g_decodePart, total - begin));
    }
}

/**
 * Refuses a stream whose size does not follow from its number of values.
 * @throws InputError that names @p codec, what is there and what would be right
 */
inline void
CheckStreamBytes(const char* codec, std::size_t count, std::uint64_t bytes, std::uint64_t right)
{
    if (bytes != right)
    {
        throw InputError(std::string(codec) + " stream: " + std::to_string(bytes) +
                         (bytes < right ? " bytes are too few for " : " bytes are too many for ") +
                         std::to_string(count) + " values, which take " + std::to_string(right));
    }
}

} // namespace inca

#endif // INCA_CODEC_DECODE_PARTS_H
