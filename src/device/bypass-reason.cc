/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/bypass-reason.h"

#include <array>

namespace inca
{

const char*
BypassReasonName(BypassReason reason)
{
    static constexpr std::array<const char*, BYPASS_REASONS> names{"not-marked",
                                                                   "no-payload",
                                                                   "not-compressed",
                                                                   "not-udp-or-tcp",
                                                                   "fragment",
                                                                   "not-whole-values",
                                                                   "not-on-a-value"};
    return names[static_cast<std::size_t>(reason)];
}

} // namespace inca
