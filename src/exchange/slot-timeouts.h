/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_TIMEOUTS_H
#define INCA_EXCHANGE_SLOT_TIMEOUTS_H

#include "base/state-walk.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace inca
{

/**
 * When a worker sends a packet again: pure, times are given. A packet is due one timeout after it
 * was last sent. After every @p doubleAfter timeouts the timeout doubles, up to 2^10 times the
 * first (SwitchML's release). Restart sets it back: at the begin of a stream, and when a sum says that
 * a packet was lost, so that the timeout was not too short.
 *
 * Packet n has slot n mod s to itself while it is waited for. What is sent with the same timeout is
 * due in the order in which it was sent, so there is a queue of slots for each of the 11 timeouts,
 * and all calls take O(1). Memory is O(slots), taken once.
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

    /**
     * When what is waited for is due is no part of what repeats, as that comes to rest only when all slots had a packet:
     * it is afterwards what it would have been. That a timeout strikes is.
     */
    void Walk(StateWalk& walk, std::size_t sequence = 0);

    /** In how many periods no timeout strikes, at most those that @p walk would live through: to be asked before. */
    std::uint64_t PeriodsInTime(const StateWalk& walk, std::size_t sequence = 0) const;

    /** Beyond it (ps) so many timeouts in a row were in vain that hardly any packet gets through. */
    std::int64_t LongestSilencePs() const;

    /** @return when to ask TakeDue; empty: nothing is missing */
    std::optional<std::int64_t> NextPs() const;

    /** @return a packet that is due at @p nowPs, which the caller sends again; empty: none */
    std::optional<std::uint64_t> TakeDue(std::int64_t nowPs);

  private:
    static constexpr std::uint8_t MOST_DOUBLINGS = 10;
    static constexpr std::uint32_t NO_SLOT = 0xffff'ffff;

    /** What a slot waits for, and its neighbours in the queue of its timeout. */
    struct Due
    {
        std::uint64_t number{0};
        std::int64_t timePs{0};
        std::uint32_t before{NO_SLOT};
        std::uint32_t after{NO_SLOT};
        std::uint8_t doublings{0};
        bool waiting{false};
    };

    struct Queue
    {
        std::uint32_t first{NO_SLOT};
        std::uint32_t last{NO_SLOT};
    };

    /** Packets of a repetition that is not simulated. */
    struct Repetition
    {
        std::uint64_t packets; ///< of a period
        std::int64_t periodPs;
        std::uint64_t times;
    };

    std::uint32_t SlotOf(std::uint64_t number) const;
    bool WasSentLast(std::uint64_t number) const; ///< of all packets of its slot
    std::vector<std::uint32_t> SlotsByNumber() const;
    std::vector<Due> Repeated(const Repetition& repetition) const;
    void TakeOver(std::vector<Due> slots);
    void Append(std::uint32_t slot);
    void Remove(std::uint32_t slot);
    const Due* Next() const; ///< what is due first; null: nothing is waited for
    std::int64_t TimeoutPs(std::uint8_t doublings) const;

    std::int64_t m_firstPs;
    std::uint32_t m_doubleAfter;
    std::uint64_t m_timeouts{0}; ///< since the timeout doubled
    std::uint64_t m_struck{0};   ///< of all timeouts
    std::uint8_t m_doublings{0};
    std::int64_t m_latestPs{0};                     ///< of the times that packets were sent
    std::array<Queue, MOST_DOUBLINGS + 1> m_queues; ///< by doublings
    std::vector<Due> m_slots;
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_TIMEOUTS_H
