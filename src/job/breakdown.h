/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_BREAKDOWN_H
#define INCA_JOB_BREAKDOWN_H

#include "job/span-set.h"
#include "job/timeline.h"
#include "job/waited-for.h"

#include <array>
#include <cstdint>
#include <vector>

namespace inca
{

/**
 * Where the time of one worker went. Each instant counts once, for the first that holds of:
 * forward, backward, copy, codec, sum, update on that worker; while it waits for what another host
 * has not sent yet, sum or update running on that host; else communication. A host that itself only
 * waits for another passes the question on to that one.
 * Identity: the activities and communicationPs add up to the length of the window.
 */
struct Breakdown
{
    std::array<std::int64_t, g_activityCount> activityPs{}; ///< by Activity
    std::int64_t communicationPs{0};
    std::int64_t waitedForPs{0}; ///< of activities: others' sums and updates

    std::int64_t Of(Activity activity) const
    {
        return activityPs[static_cast<std::size_t>(activity)];
    }

    std::int64_t TotalPs() const;
};

/** The spans that a Breakdown counts. They do not overlap, and fill the window. */
struct BreakdownSpans
{
    std::array<SpanSet, g_activityCount> activities; ///< by Activity
    SpanSet communication;
    std::int64_t waitedForPs{0}; ///< of activities: others' sums and updates
};

/** Breaks down the time of any worker of a run. */
class Breakdowns
{
  public:
    /**
     * @param timelines by rank, of all of them or of those who stand for the others; they outlive this
     */
    explicit Breakdowns(std::vector<const Timeline*> timelines);

    /** @param window the part of the run that is looked at */
    Breakdown Of(Rank worker, Span window) const;

    /** When what Of counts was. */
    BreakdownSpans SpansOf(Rank worker, Span window) const;

  private:
    std::vector<const Timeline*> m_timelines;
    std::vector<WaitedFor> m_waitedFor; ///< by rank
};

} // namespace inca

#endif // INCA_JOB_BREAKDOWN_H
