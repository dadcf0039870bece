/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_TIME_RESOLUTION_H
#define INCA_HELPER_TIME_RESOLUTION_H

#include "inca/device/set-up-error.h"

#include "ns3/nstime.h"

namespace inca
{

/**
 * Makes ns-3 count picoseconds, as everything in INCA does: at 1 ns, ns-3's default, a frame's time
 * would be off by up to 2 %. Call it before the first node is made. Returns at once when the
 * resolution is picoseconds already, since ns-3 may set it only once per process.
 */
inline void
SetPicosecondResolution()
{
    if (ns3::Time::GetResolution() != ns3::Time::PS)
    {
        ns3::Time::SetResolution(ns3::Time::PS);
    }
}

/** Ends the program, saying what to call, if ns-3 does not count picoseconds. */
inline void
RequirePicosecondResolution()
{
    INCA_ABORT_MSG_IF(ns3::Time::GetResolution() != ns3::Time::PS,
                      "INCA counts picoseconds, but ns-3 runs at another time resolution; call "
                      "inca::SetPicosecondResolution() first thing in main()");
}

} // namespace inca

#endif // INCA_HELPER_TIME_RESOLUTION_H
