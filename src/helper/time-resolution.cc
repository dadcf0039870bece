/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "helper/time-resolution.h"

#include "base/errors.h"

#include "ns3/nstime.h"

namespace inca
{

void
SetPicosecondResolution()
{
    if (ns3::Time::GetResolution() != ns3::Time::PS)
    {
        ns3::Time::SetResolution(ns3::Time::PS);
    }
}

void
RequirePicosecondResolution()
{
    if (ns3::Time::GetResolution() != ns3::Time::PS)
    {
        throw InputError("INCA counts picoseconds, but ns-3 runs at another time resolution; call "
                         "inca::SetPicosecondResolution() first thing in main()");
    }
}

} // namespace inca
