/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_BYTE_RATE_H
#define INCA_DEVICE_BYTE_RATE_H

#include "inca/device/set-up-error.h"

#include "ns3/data-rate.h"

#include <algorithm>
#include <cstdint>

namespace inca
{

/** The default of rates at which a host works: what it does takes no time. ns-3 reads the text of rates as doubles. */
constexpr std::uint64_t NO_LIMIT_BPS{std::uint64_t{1} << 63U};

/** @return @p rate, rounded down, as WorkPs takes it: 0 if there is no limit (bytes per second) */
inline std::uint64_t
BytesPerSecond(const ns3::DataRate& rate)
{
    INCA_ABORT_MSG_IF(rate.GetBitRate() == 0,
                      "a rate of 0bps never ends; without a limit, leave the default");
    return rate.GetBitRate() >= NO_LIMIT_BPS ? 0
                                             : std::max<std::uint64_t>(1, rate.GetBitRate() / 8);
}

/** The inverse. */
inline ns3::DataRate
ByteRate(std::uint64_t bytesPerSecond)
{
    return ns3::DataRate(bytesPerSecond == 0 || bytesPerSecond > NO_LIMIT_BPS / 8
                             ? NO_LIMIT_BPS
                             : bytesPerSecond * 8);
}

} // namespace inca

#endif // INCA_DEVICE_BYTE_RATE_H
