/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/limit.h"

#include <array>

namespace inca
{

const char*
LimitName(Limit limit)
{
    constexpr std::array<const char*, LIMITS> names{"link",
                                                    "compression engine",
                                                    "decompression engine",
                                                    "both engines",
                                                    "host",
                                                    "compute",
                                                    "switch",
                                                    "window",
                                                    "slots",
                                                    "latency"};
    return names[static_cast<std::size_t>(limit)];
}

} // namespace inca
