/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "codec/sketch-layout.h"

#include "base/errors.h"
#include "codec/murmur-hash.h"

#include <string>

namespace inca
{

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

} // namespace inca
