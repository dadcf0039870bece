/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_HELPER_TIME_RESOLUTION_H
#define INCA_HELPER_TIME_RESOLUTION_H

namespace inca
{

/**
 * Makes ns-3 count picoseconds, as everything in INCA does: at 1 ns, ns-3's default, a frame's time
 * would be off by up to 2 %. Call it before the first node is made. Returns at once when the
 * resolution is picoseconds already, since ns-3 may set it only once per process.
 */
void SetPicosecondResolution();

/** @throws InputError, saying what to call, if ns-3 does not count picoseconds */
void RequirePicosecondResolution();

} // namespace inca

#endif // INCA_HELPER_TIME_RESOLUTION_H
