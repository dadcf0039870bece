/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_TIMELINE_H
#define INCA_JOB_TIMELINE_H

#include "inca/exchange/step-plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
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

/** A span in which a rank could not go on without a message that @p peer had not sent yet. */
struct Wait
{
    Span span;
    Rank peer{0};
};

/**
 * What one rank did when. Spans of one activity do not overlap and are in order of time; different
 * activities may overlap, and so may waits.
 */
class Timeline
{
  public:
    /** Spans that touch or overlap, as of two resources at the same activity, become one. */
    void Add(Activity activity, Span span)
    {
        auto& spans = m_spans[static_cast<std::size_t>(activity)];
        if (span.beginPs == span.endPs)
        {
            return;
        }
        auto first = spans.end();
        while (first != spans.begin() && std::prev(first)->endPs >= span.beginPs)
        {
            --first;
        }
        auto last = first;
        for (; last != spans.end() && last->beginPs <= span.endPs; ++last)
        {
            span = {std::min(span.beginPs, last->beginPs), std::max(span.endPs, last->endPs)};
        }
        spans.insert(spans.erase(first, last), span); // what touches is one span
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

#endif // INCA_JOB_TIMELINE_H
