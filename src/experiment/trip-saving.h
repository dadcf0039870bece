/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_TRIP_SAVING_H
#define INCA_EXPERIMENT_TRIP_SAVING_H

#include "inca/experiment/critical-path.h"
#include "inca/plan/resolved.h"

#include <cstdint>

namespace inca
{

/** By which a limit is raised to see what it saves. Of two that are nearer to each other, one leaves the other to limit a run. */
constexpr double RAISE{1.25};

/** What is saved of round trips for which senders wait. (ps) */
struct TripSaving
{
    double savedPs{0}; ///< by a window, or by slots, that are a quarter more
    double idlePs{0};  ///< at most: no resource works meanwhile
};

/** @param limit with @p detail and @p times: an entry of CriticalPath::trips */
TripSaving SavingOf(PathKind limit,
                    std::uint32_t detail,
                    const TripTimes& times,
                    const Resolved& resolved);

} // namespace inca

#endif // INCA_EXPERIMENT_TRIP_SAVING_H
