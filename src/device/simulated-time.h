/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_DEVICE_SIMULATED_TIME_H
#define INCA_DEVICE_SIMULATED_TIME_H

#include "inca/base/path-log.h"

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

/** From now on it is for @p path that things happen. */
inline void
ResumePath(const PathEnd& path)
{
    if (PathLog::IsOn())
    {
        PathLog::Resume(path, NowPs(), ns3::Simulator::GetContext());
    }
}

/** They go on at @p endPs, when this node has done what @p kind says. */
inline void
ExtendPath(PathKind kind, std::int64_t endPs, std::uint32_t detail = 0)
{
    if (PathLog::IsOn())
    {
        PathLog::Extend(kind, ns3::Simulator::GetContext(), endPs, detail);
    }
}

/** Notes on their path something that takes no time. */
inline void
MarkPath(PathKind kind)
{
    if (PathLog::IsOn())
    {
        PathLog::Mark(kind, ns3::Simulator::GetContext());
    }
}

/** How long it is until @p timePs, which is not in the past. */
inline ns3::Time
Until(std::int64_t timePs)
{
    return ns3::TimeStep(static_cast<std::uint64_t>(timePs - NowPs()));
}

} // namespace inca

#endif // INCA_DEVICE_SIMULATED_TIME_H
