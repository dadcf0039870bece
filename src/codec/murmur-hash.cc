/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/murmur-hash.h"

namespace inca
{

namespace
{

constexpr std::uint32_t g_keyBytes = 4;

std::uint32_t
RotateLeft(std::uint32_t x, unsigned bits)
{
    return (x << bits) | (x >> (32 - bits));
}

} // namespace

std::uint32_t
MurmurHash3(std::uint32_t key, std::uint32_t seed)
{
    // All constants are the published hash's; none of them is a choice of ours.
    const auto block = RotateLeft(key * 0xCC9E2D51U, 15) * 0x1B873593U;
    auto hash = RotateLeft(seed ^ block, 13) * 5 + 0xE6546B64U;
    hash ^= g_keyBytes;
    hash = (hash ^ (hash >> 16U)) * 0x85EBCA6BU;
    hash = (hash ^ (hash >> 13U)) * 0xC2B2AE35U;
    return hash ^ (hash >> 16U);
}

} // namespace inca
