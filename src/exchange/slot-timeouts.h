/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_TIMEOUTS_H
#define INCA_EXCHANGE_SLOT_TIMEOUTS_H

#include "base/state-visitor.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace inca
{

/**
 * When a worker sends a packet again: pure, times are given. A packet is due one timeout after it
 * was last sent. After every @p doubleAfter timeouts the timeout doubles, up to 2^10 times the
 * first (SwitchML's release). Restart resets it: at the begin of a stream, and when a sum says that
 * a packet was lost, so that the timeout was not too short.
 *
 * Packet n occupies slot n mod s until it is answered. A queue orders sent packets by due time; answered ones leave it
 * when they reach its front.
 */
class SlotTimeouts
{
  public:
    /** @param slots at least 1 @param timeoutPs at least 1 @param doubleAfter 0: never */
    SlotTimeouts(std::uint32_t slots, std::int64_t timeoutPs, std::uint32_t doubleAfter);

    /**
     * @p number was sent, at first or again; whatever its slot waited for is forgotten.
     * @param nowPs a time before an earlier call's counts as that one
     * @return when it is due (ps)
     */
    std::int64_t Sent(std::uint64_t number, std::int64_t nowPs);

    /** Its sum is there; it may be one that is not waited for. */
    void Answered(std::uint64_t number);

    /** The first timeout again, and no timeouts counted; what was sent stays due when it was. */
    void Restart();

    /** Unanswered packets and their due times are part of the state. */
    void VisitState(StateVisitor& visitor, std::size_t sequence = 0);

    /** Longer silence (ps) takes so many timeouts in a row that hardly any packet gets through. */
    std::int64_t LongestSilencePs() const;

    /** @return when to ask TakeDue; empty: nothing is missing */
    std::optional<std::int64_t> NextPs() const;

    /** @return of the packets that are due at @p nowPs the first, which the caller sends again; empty: none */
    std::optional<std::uint64_t> TakeDue(std::int64_t nowPs);

  private:
    static constexpr unsigned MOST_DOUBLINGS = 10;

    /** What a slot waits for. */
    struct Due
    {
        std::uint64_t number{0};
        std::int64_t timePs{0};
        bool waiting{false};
    };

    /** When a packet is due (ps), and its number. */
    using DueNumber = std::pair<std::int64_t, std::uint64_t>;

    void DropAnswered();
    std::int64_t TimeoutPs(unsigned doublings) const;

    std::int64_t m_firstPs;
    std::uint32_t m_doubleAfter;
    std::uint64_t m_timeouts{0}; ///< since the timeout doubled
    unsigned m_doublings{0};
    std::int64_t m_latestPs{0}; ///< of the times that packets were sent
    std::vector<Due> m_slots;
    std::priority_queue<DueNumber, std::vector<DueNumber>, std::greater<>>
        m_queue; ///< the earliest first
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_TIMEOUTS_H
