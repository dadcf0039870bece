/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CODEC_MURMUR_HASH_H
#define INCA_CODEC_MURMUR_HASH_H

#include <cstdint>

namespace inca
{

/** MurmurHash3 (x86, 32 bits) of the four little-endian bytes of @p key. */
std::uint32_t MurmurHash3(std::uint32_t key, std::uint32_t seed);

} // namespace inca

#endif // INCA_CODEC_MURMUR_HASH_H
