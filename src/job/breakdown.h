/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_BREAKDOWN_H
#define INCA_JOB_BREAKDOWN_H

#include "inca/job/timeline.h"

#include <array>
#include <cstdint>
#include <vector>

namespace inca
{

/** Spans of time that do not overlap: in order, each not empty. */
using SpanSet = std::vector<Span>;

/** @return where both are */
SpanSet Intersect(const SpanSet& a, const SpanSet& b);

/** @return where @p a is and @p b is not */
SpanSet Subtract(const SpanSet& a, const SpanSet& b);

/** @return the length of all spans together (ps) */
std::int64_t Length(const SpanSet& spans);

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
};

/** Breaks down the time of any worker of a run. */
class Breakdowns
{
  public:
    /**
     * @param timelines by rank, of all ranks or of those that represent the others; they outlive this
     */
    explicit Breakdowns(std::vector<const Timeline*> timelines);

    /** @param window the part of the run that is looked at */
    Breakdown Of(Rank worker, Span window) const;

    /** When what Of counts was. */
    BreakdownSpans SpansOf(Rank worker, Span window) const;

  private:
    /** When hosts that a worker waits for are busy. */
    struct BusyHosts
    {
        SpanSet summing;
        SpanSet updating; ///< and not summing
        std::vector<bool>
            visited; ///< by rank: on the way from the worker to the host that is looked at
    };

    void Follow(Rank rank, const SpanSet& open, BusyHosts& busy) const;

    std::vector<const Timeline*> m_timelines;
    std::vector<std::vector<Wait>> m_waits; ///< by rank; they do not overlap, in order of time
    SpanSet
        m_anyBusy; ///< when at least one host sums or updates: at other times nobody is waited for
};

} // namespace inca

#endif // INCA_JOB_BREAKDOWN_H
