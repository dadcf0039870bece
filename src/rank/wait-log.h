/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_WAIT_LOG_H
#define INCA_RANK_WAIT_LOG_H

#include "inca/job/timeline.h"
#include "inca/rank/job-clock.h"
#include "inca/rank/round-mailbox.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

/** What a rank cannot go on without: the other's message of that key, or its grant for the own one. */
struct Awaited
{
    MessageKey key;    ///< of the message
    bool grant{false}; ///< whether it is the grant, and not the message

    /** Whether both are the same. */
    bool operator==(const Awaited& other) const
    {
        return key == other.key && grant == other.grant;
    }
};

/**
 * Whom a rank waits for in a round, from when to when, on its timeline: until the other has sent what is
 * awaited. From then on the rank waits for the network, whatever the other does.
 */
class WaitLog
{
  public:
    /**
     * @param timeline gets the waits; outlives it
     * @param clock of the rank; outlives it
     */
    WaitLog(Timeline& timeline, const JobClock& clock)
        : m_timeline(timeline),
          m_clock(clock)
    {
    }

    /** From now on the rank waits for @p awaited, which did not come yet, or for nothing. */
    void Note(const std::optional<Awaited>& awaited);

    /** @p what, awaited or not, is here; the other sent it at @p sentPs. */
    void Came(const Awaited& what, std::int64_t sentPs);

    /**
     * Shows whom the rank waits for, and has waited for.
     * @param visitor which it is shown to
     * @param round of the messages
     * @param way of what is awaited: a function of Awaited
     */
    template <typename Way>
    void VisitState(StateVisitor& visitor, std::uint32_t round, const Way& way)
    {
        const auto show = [&](const Awaited& awaited) {
            visitor.State(std::uint64_t{awaited.key.first} << 1U | std::uint64_t{awaited.grant});
            visitor.MessageNumber(way(awaited), round, awaited.key.second);
        };
        visitor.State(2 * m_open.size() + (m_awaited ? 1 : 0));
        if (m_awaited)
        {
            show(*m_awaited);
            visitor.PastTime(m_sincePs);
        }
        for (auto& [awaited, span] : m_open)
        {
            show(awaited);
            visitor.PastTime(span.beginPs);
            visitor.PastTime(span.endPs);
        }
    }

  private:
    Timeline& m_timeline;                         ///< of the rank
    const JobClock& m_clock;                      ///< of the rank
    std::optional<Awaited> m_awaited;             ///< now; empty: it waits for nothing
    std::int64_t m_sincePs{0};                    ///< since when
    std::vector<std::pair<Awaited, Span>> m_open; ///< over, for what did not come yet
};

} // namespace inca

#endif // INCA_RANK_WAIT_LOG_H
