/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_BREAKDOWN_H
#define INCA_JOB_BREAKDOWN_H

#include "job/timeline.h"

#include <array>
#include <cstdint>
#include <vector>

namespace inca
{

/**
 * Where the time of one worker went. Each instant counts once, for the first that holds of:
 * forward, backward, copy, codec, sum, update on that worker; while it waits, sum or update
 * running on the host that it waits for; else communication. A host that itself only waits for
 * another passes the question on to that one.
 * Identity: the activities and communicationPs add up to the length of the window.
 */
struct Breakdown
{
    std::array<std::int64_t, g_activityCount> activityPs{}; ///< by Activity
    std::int64_t communicationPs{0};

    std::int64_t Of(Activity activity) const
    {
        return activityPs[static_cast<std::size_t>(activity)];
    }

    std::int64_t TotalPs() const;
};

/** Where in @p window the time of @p worker is communication: what BreakDown counts as that. */
std::vector<Span> CommunicationSpans(const std::vector<const Timeline*>& timelines,
                                     Rank worker,
                                     Span window);

/**
 * @param timelines by rank
 * @param worker whose time it is
 * @param window the part of the run that is looked at
 */
Breakdown BreakDown(const std::vector<const Timeline*>& timelines, Rank worker, Span window);

} // namespace inca

#endif // INCA_JOB_BREAKDOWN_H
