/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RESOURCE_TIMES_H
#define INCA_PLAN_RESOURCE_TIMES_H

#include "plan/limited-time.h"
#include "scenario/scenario.h"

#include <cstdint>

namespace inca
{

/** What a part of the cluster takes at least, not rounded: a simulated one rounds every piece up. @{ */
LimitedTime OnLink(std::uint64_t wireBytes, std::uint64_t bitsPerSecond);
LimitedTime OnHost(std::uint64_t bytes, std::uint64_t bytesPerSecond); ///< 0 per second: nothing

/** What a host does to move @p frames with @p bytes between memory and NIC. */
LimitedTime MovingFrames(const HostSettings& host, std::uint64_t frames, std::uint64_t bytes);
/** @} */

} // namespace inca

#endif // INCA_PLAN_RESOURCE_TIMES_H
