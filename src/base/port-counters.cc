/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "base/port-counters.h"

#include <numeric>

namespace inca
{

std::uint64_t
DropCounts::Total() const
{
    return std::accumulate(m_frames.begin(), m_frames.end(), std::uint64_t{0});
}

const char*
DropReasonName(DropReason reason)
{
    static constexpr std::array<const char*, DROP_REASONS> names{
        "buffer-full", "link-error", "no-link", "over-mtu"};
    return names[static_cast<std::size_t>(reason)];
}

} // namespace inca
