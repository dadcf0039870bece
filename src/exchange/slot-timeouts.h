/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_TIMEOUTS_H
#define INCA_EXCHANGE_SLOT_TIMEOUTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>

namespace inca
{

/**
 * When a worker sends a packet again: pure, times are given. A packet is due one timeout after it
 * was last sent. After every @p doubleAfter timeouts the timeout doubles, up to 2^10 times the
 * first (SwitchML's release); Restart, at the begin of a stream, sets it back.
 *
 * What is sent with the same timeout is due in the order in which it was sent, so there is a queue
 * for each of the 11 timeouts, and all calls take O(1). Memory is O(packets whose sums are
 * missing).
 */
class SlotTimeouts
{
  public:
    /** @param timeoutPs at least 1 @param doubleAfter 0: never */
    SlotTimeouts(std::int64_t timeoutPs, std::uint32_t doubleAfter);

    /** @p number was sent, at first or again. @param nowPs never before an earlier call's */
    void Sent(std::uint64_t number, std::int64_t nowPs);

    /** Its sum is there; it may be one that is not waited for. */
    void Answered(std::uint64_t number);

    /** The first timeout again, and no timeouts counted; what was sent stays due when it was. */
    void Restart();

    /** @return when to ask TakeDue; empty: nothing is missing */
    std::optional<std::int64_t> NextPs() const;

    /** @return a packet that is due at @p nowPs, which the caller sends again; empty: none */
    std::optional<std::uint64_t> TakeDue(std::int64_t nowPs);

  private:
    static constexpr std::size_t MOST_DOUBLINGS = 10;

    struct Due
    {
        std::uint64_t number;
        std::int64_t timePs;
        std::size_t doublings;
    };

    using Queue = std::list<Due>;

    const Queue* Next() const; ///< the one whose first is due first; null: all are empty
    std::int64_t TimeoutPs() const;

    std::int64_t m_firstPs;
    std::uint32_t m_doubleAfter;
    std::uint64_t m_timeouts{0}; ///< since the timeout doubled
    std::size_t m_doublings{0};
    std::array<Queue, MOST_DOUBLINGS + 1> m_queues;               ///< by doublings
    std::unordered_map<std::uint64_t, Queue::iterator> m_waiting; ///< by packet
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_TIMEOUTS_H
