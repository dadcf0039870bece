/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_MODEL_TIMELINE_H
#define INCA_MODEL_TIMELINE_H

#include "exchange/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** What a host can be busy with, in the order in which the breakdown of a run counts them. */
enum class Activity : std::uint8_t
{
    FORWARD,
    BACKWARD,
    COPY,   ///< between GPU and host memory
    CODEC,  ///< encoding or decoding on the host; engines of a NIC are part of the network
    SUM,    ///< adding gradients
    UPDATE, ///< turning summed gradients into weights
};

constexpr std::size_t g_activityCount = 6;

/** A span of simulated time, [beginPs, endPs). */
struct Span
{
    std::int64_t beginPs{0};
    std::int64_t endPs{0};
};

/** A span in which a rank could not go on without a message from @p peer. */
struct Wait
{
    Span span;
    Rank peer{0};
};

/**
 * What one rank did when. Spans of one activity do not overlap and are in order of time, as are
 * those of waits of one exchange; different activities may overlap.
 */
class Timeline
{
  public:
    void Add(Activity activity, Span span)
    {
        auto& spans = m_spans[static_cast<std::size_t>(activity)];
        if (span.beginPs == span.endPs)
        {
            return;
        }
        if (!spans.empty() && spans.back().endPs == span.beginPs)
        {
            spans.back().endPs = span.endPs; // back to back: one span
            return;
        }
        spans.push_back(span);
    }

    void AddWait(Wait wait)
    {
        if (wait.span.beginPs != wait.span.endPs)
        {
            m_waits.push_back(wait);
        }
    }

    const std::vector<Span>& Spans(Activity activity) const
    {
        return m_spans[static_cast<std::size_t>(activity)];
    }

    const std::vector<Wait>& Waits() const
    {
        return m_waits;
    }

  private:
    std::array<std::vector<Span>, g_activityCount> m_spans;
    std::vector<Wait> m_waits;
};

} // namespace inca

#endif // INCA_MODEL_TIMELINE_H
