/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SLOT_TIMEOUTS_H
#define INCA_EXCHANGE_SLOT_TIMEOUTS_H

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

namespace inca
{

/**
 * When a worker sends a packet again: pure, times are given. A packet is due one timeout after it
 * was last sent. After every @p doubleAfter timeouts the timeout doubles, up to 2^10 times the first
 * (SwitchML's release); Restart, at the begin of a stream, sets it back.
 */
class SlotTimeouts
{
  public:
    /** @param timeoutPs at least 1 @param doubleAfter 0: never */
    SlotTimeouts(std::int64_t timeoutPs, std::uint32_t doubleAfter);

    void Sent(std::uint64_t number, std::int64_t nowPs);

    void Answered(std::uint64_t number);

    /** The first timeout again, and no timeouts counted; what was sent stays due when it was. */
    void Restart();

    /** @return when to ask TakeDue; empty: nothing is missing */
    std::optional<std::int64_t> NextPs();

    /** @return a packet that is due at @p nowPs, which the caller sends again; empty: none */
    std::optional<std::uint64_t> TakeDue(std::int64_t nowPs);
};

} // namespace inca

#endif // INCA_EXCHANGE_SLOT_TIMEOUTS_H
