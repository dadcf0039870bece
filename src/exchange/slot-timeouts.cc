/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-timeouts.h"

#include "base/errors.h"
#include "base/turn.h"

#include <algorithm>
#include <limits>
#include <string>

namespace inca
{

namespace
{

constexpr std::int64_t g_endOfTimePs = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t g_longestInVain{
    8}; ///< of the longest timeouts; so many that are shorter precede them

} // namespace

SlotTimeouts::SlotTimeouts(std::uint32_t slots, std::int64_t timeoutPs, std::uint32_t doubleAfter)
    : m_firstPs(timeoutPs),
      m_doubleAfter(doubleAfter),
      m_slots(slots)
{
    if (slots == 0)
    {
        throw InvariantError("timeouts need a slot");
    }
    if (timeoutPs < 1)
    {
        throw InvariantError("a timeout of " + std::to_string(timeoutPs) + " ps");
    }
}

std::int64_t
SlotTimeouts::Sent(std::uint64_t number, std::int64_t nowPs)
{
    const auto slot = SlotOf(number);
    auto& due = m_slots[slot];
    if (due.waiting)
    {
        Remove(slot); // sent again before it was due: the later time holds
    }
    m_latestPs = std::max(m_latestPs, nowPs);
    const auto timeoutPs = TimeoutPs(m_doublings);
    due.number = number;
    due.timePs = m_latestPs > g_endOfTimePs - timeoutPs ? g_endOfTimePs : m_latestPs + timeoutPs;
    due.doublings = m_doublings;
    Append(slot);
    return due.timePs;
}

void
SlotTimeouts::Answered(std::uint64_t number)
{
    const auto slot = SlotOf(number);
    if (m_slots[slot].waiting && m_slots[slot].number == number)
    {
        Remove(slot);
    }
}

void
SlotTimeouts::Restart()
{
    m_doublings = 0;
    m_timeouts = 0;
}

std::optional<std::int64_t>
SlotTimeouts::NextPs() const
{
    const auto* next = Next();
    if (next == nullptr)
    {
        return std::nullopt;
    }
    return next->timePs;
}

std::optional<std::uint64_t>
SlotTimeouts::TakeDue(std::int64_t nowPs)
{
    const auto* next = Next();
    if (next == nullptr || next->timePs > nowPs)
    {
        return std::nullopt;
    }
    const auto number = next->number;
    Remove(SlotOf(number));
    if (++m_timeouts == m_doubleAfter && m_doublings < MOST_DOUBLINGS)
    {
        ++m_doublings;
        m_timeouts = 0;
    }
    return number;
}

void
SlotTimeouts::Walk(StateWalk& walk, std::size_t sequence)
{
    const auto moved = walk.PacketsMoved(sequence);
    if (moved == 0)
    {
        return;
    }
    const auto turn = [&](std::uint32_t& slot) {
        slot = slot == NO_SLOT ? NO_SLOT : SlotOf(slot + moved);
    };
    for (auto& due : m_slots)
    {
        due.number += moved;
        turn(due.before);
        turn(due.after);
    }
    for (auto& queue : m_queues)
    {
        turn(queue.first);
        turn(queue.last);
    }
    Turn(m_slots, moved);
}

const SlotTimeouts::Due*
SlotTimeouts::Next() const
{
    const Due* next = nullptr;
    for (const auto& queue : m_queues)
    {
        if (queue.first != NO_SLOT &&
            (next == nullptr || m_slots[queue.first].timePs < next->timePs))
        {
            next = &m_slots[queue.first];
        }
    }
    return next;
}

std::uint32_t
SlotTimeouts::SlotOf(std::uint64_t number) const
{
    return static_cast<std::uint32_t>(number % m_slots.size());
}

void
SlotTimeouts::Append(std::uint32_t slot)
{
    auto& due = m_slots[slot];
    auto& queue = m_queues[due.doublings];
    due.waiting = true;
    due.before = queue.last;
    due.after = NO_SLOT;
    (queue.last == NO_SLOT ? queue.first : m_slots[queue.last].after) = slot;
    queue.last = slot;
}

void
SlotTimeouts::Remove(std::uint32_t slot)
{
    auto& due = m_slots[slot];
    auto& queue = m_queues[due.doublings];
    due.waiting = false;
    (due.before == NO_SLOT ? queue.first : m_slots[due.before].after) = due.after;
    (due.after == NO_SLOT ? queue.last : m_slots[due.after].before) = due.before;
}

std::int64_t
SlotTimeouts::TimeoutPs(std::uint8_t doublings) const
{
    return m_firstPs > (g_endOfTimePs >> doublings) ? g_endOfTimePs : m_firstPs << doublings;
}

std::int64_t
SlotTimeouts::LongestSilencePs() const
{
    const auto longestPs = TimeoutPs(m_doubleAfter == 0 ? 0 : MOST_DOUBLINGS);
    return longestPs > g_endOfTimePs / g_longestInVain ? g_endOfTimePs
                                                       : g_longestInVain * longestPs;
}

} // namespace inca
