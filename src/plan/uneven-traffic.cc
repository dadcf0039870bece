/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/uneven-traffic.h"

#include "plan/ring-traffic.h"
#include "plan/server-traffic.h"

namespace inca
{

std::unique_ptr<const UnevenTraffic>
MakeUnevenTraffic(const ExchangeSpec& spec, const Framing& framing)
{
    if (spec.algorithm == "ring")
    {
        return std::make_unique<RingTraffic>(spec, framing);
    }
    return std::make_unique<ServerTraffic>(spec.workers, framing);
}

} // namespace inca
