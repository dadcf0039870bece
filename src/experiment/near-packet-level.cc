/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/near-packet-level.h"

#include "base/wire-format.h"

namespace inca
{

bool
IsNearPacketLevel(const Outcome& inTrains)
{
    const auto acknowledgedBytes =
        static_cast<double>(inTrains.acknowledgements * FrameWireBytes(INCA_HEADER_BYTES));
    const auto totalPs = static_cast<double>(inTrains.breakdown.TotalPs());
    return acknowledgedBytes <=
               MOST_ACKNOWLEDGED_IN_TRAINS * static_cast<double>(inTrains.hostWireBytes) &&
           static_cast<double>(inTrains.dividedOtherwisePs) <= MOST_DIVIDED_OTHERWISE * totalPs;
}

} // namespace inca
