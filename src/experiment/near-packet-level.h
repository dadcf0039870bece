/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_NEAR_PACKET_LEVEL_H
#define INCA_EXPERIMENT_NEAR_PACKET_LEVEL_H

#include "experiment/outcome.h"

namespace inca
{

/**
 * Whether a run in trains tells what packet level does: acknowledgements, which trains take in at another time, are few; and
 * whoever of those ends last that end at nearly the same time, its time is divided alike.
 */
bool IsNearPacketLevel(const Outcome& inTrains);

/** @{ */
constexpr double MOST_DIVIDED_OTHERWISE{0.0025}; ///< of the time, by communication
constexpr double NEARLY_LAST{0.001};             ///< of the time, before the last worker
/** @} */

} // namespace inca

#endif // INCA_EXPERIMENT_NEAR_PACKET_LEVEL_H
