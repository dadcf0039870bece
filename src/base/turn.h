/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_BASE_TURN_H
#define INCA_BASE_TURN_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** Has what stands at place i of @p ring stand at place (i + @p by) mod its size. */
template <typename T>
void
Turn(std::vector<T>& ring, std::uint64_t by)
{
    if (!ring.empty())
    {
        const auto back = static_cast<std::ptrdiff_t>(by % ring.size());
        std::rotate(ring.begin(), ring.end() - back, ring.end());
    }
}

} // namespace inca

#endif // INCA_BASE_TURN_H
