/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_FRAME_BYTES_H
#define INCA_SCENARIO_FRAME_BYTES_H

#include <cstdint>

namespace inca
{

/** What checks of a scenario must know of frames, as model/wire-format.h builds them. (bytes) @{ */
constexpr std::uint64_t g_frameOverhead = 8 + 14 + 4 + 12; ///< preamble, Ethernet, checksum, gap
constexpr std::uint64_t g_slotHeaders = 20 + 8 + 16;       ///< IPv4, UDP, aggregation program
constexpr std::uint64_t g_bytesPerValue = 4;
/** @} */

} // namespace inca

#endif // INCA_SCENARIO_FRAME_BYTES_H
