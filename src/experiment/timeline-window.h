/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_TIMELINE_WINDOW_H
#define INCA_EXPERIMENT_TIMELINE_WINDOW_H

#include "rank/job-clock.h"
#include "record/timeline-writer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/**
 * The part of a run that its timeline shows. It passes on whole spans of which some lies in it, also
 * those that were told before it opened, as what is queued is told with its times. All times are those
 * of the ranks.
 */
class TimelineWindow
{
  public:
    /** Shut. @param writer outlives it, as does @p clock */
    TimelineWindow(TimelineWriter& writer, const JobClock& clock);

    /** It begins now. */
    void Open();

    /** It ends now. */
    void Close();

    /** Whether what begins now is shown. */
    bool IsOpen() const
    {
        return m_openPs && !m_closePs;
    }

    /** Whether @p atPs, now or earlier, is in it. */
    bool Contains(std::int64_t atPs) const;

    void Add(TimelineSpan span);
    void Add(const TimelineCount& count);

  private:
    void Forget(std::int64_t untilPs);

    TimelineWriter& m_writer;
    const JobClock& m_clock;
    std::optional<std::int64_t> m_openPs;
    std::optional<std::int64_t> m_closePs;
    std::vector<TimelineSpan> m_early; ///< while it is shut: those that may last until it opens
    std::size_t m_mostEarly;           ///< beyond which it looks which are over
};

} // namespace inca

#endif // INCA_EXPERIMENT_TIMELINE_WINDOW_H
