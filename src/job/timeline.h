/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_TIMELINE_H
#define INCA_JOB_TIMELINE_H

#include "inca/base/state-visitor.h"
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

    /** What was done in @p period is done again @p times, and what is to come until @p untilPs so much later. */
    void Repeat(Activity activity, Span period, std::int64_t untilPs, std::uint64_t times)
    {
        const auto& spans = Spans(activity);
        const auto first = std::find_if(spans.rbegin(), spans.rend(), [period](const Span& span) {
                               return span.endPs <= period.beginPs;
                           }).base();
        const std::vector<Span> repeated(first, spans.end());
        for (std::uint64_t time = 1; time <= times; ++time)
        {
            const auto shiftPs = static_cast<std::int64_t>(time) * (period.endPs - period.beginPs);
            const auto endPs = time < times ? period.endPs : untilPs;
            for (const auto& span : repeated)
            {
                const Span part{std::max(span.beginPs, period.beginPs),
                                std::min(span.endPs, endPs)};
                Add(activity,
                    {part.beginPs + shiftPs, std::max(part.beginPs, part.endPs) + shiftPs});
            }
        }
    }

    /** Shows how many waits there are. Those of a period happen again with it. */
    void VisitState(StateVisitor& visitor)
    {
        std::uint64_t count = m_waits.size();
        const auto added = visitor.Count(count);
        const auto ofPeriod = added / std::max<std::uint64_t>(visitor.Times(), 1);
        for (std::uint64_t i = 0; i < added; ++i)
        {
            auto wait = m_waits[m_waits.size() - ofPeriod];
            wait.span.beginPs += visitor.PeriodPs();
            wait.span.endPs += visitor.PeriodPs();
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
