/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_SIMULATED_TIME_H
#define INCA_DEVICE_SIMULATED_TIME_H

#include "ns3/simulator.h"

#include <cstdint>

namespace inca
{

/** The present in picoseconds, which are ns-3's time steps (RequirePicosecondResolution). */
inline std::int64_t
NowPs()
{
    return ns3::Simulator::Now().GetTimeStep();
}

/** How long it is until @p timePs, which is not in the past. */
inline ns3::Time
Until(std::int64_t timePs)
{
    return ns3::TimeStep(static_cast<std::uint64_t>(timePs - NowPs()));
}

} // namespace inca

#endif // INCA_DEVICE_SIMULATED_TIME_H
