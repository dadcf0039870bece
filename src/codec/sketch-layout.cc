/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/sketch-layout.h"

#include "base/errors.h"

#include <string>

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

SketchLayout::SketchLayout(std::uint32_t rows, std::uint32_t counterRows)
    : m_counterRows(counterRows)
{
    if (counterRows >= g_negativePlace || (counterRows == 0 && rows > 0))
    {
        throw InputError("a sketch of " + std::to_string(rows) +
                         " rows takes 1 to 2^31 - 1 counter rows, not " +
                         std::to_string(counterRows));
    }
    m_places.resize(rows);
    for (std::uint32_t row = 0; row < rows; ++row)
    {
        for (unsigned j = 0; j < g_sketchHashes; ++j)
        {
            const auto hash = MurmurHash3(row, j);
            m_places[row][j] = (hash % counterRows) | (hash & g_negativePlace);
        }
    }
}

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
