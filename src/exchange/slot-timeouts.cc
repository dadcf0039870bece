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
    m_latestPs = std::max(m_latestPs, nowPs);
    const auto timeoutPs = TimeoutPs(m_doublings);
    const auto duePs =
        m_latestPs > g_endOfTimePs - timeoutPs ? g_endOfTimePs : m_latestPs + timeoutPs;
    m_slots[number % m_slots.size()] = {number, duePs, true};
    m_queue.emplace(duePs, number);
    DropAnswered();
    return duePs;
}

void
SlotTimeouts::Answered(std::uint64_t number)
{
    auto& due = m_slots[number % m_slots.size()];
    due.waiting = due.waiting && due.number != number;
    DropAnswered();
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
    return m_queue.empty() ? std::nullopt : std::optional(m_queue.top().first);
}

std::optional<std::uint64_t>
SlotTimeouts::TakeDue(std::int64_t nowPs)
{
    if (m_queue.empty() || m_queue.top().first > nowPs)
    {
        return std::nullopt;
    }
    const auto number = m_queue.top().second;
    Answered(number);
    if (++m_timeouts == m_doubleAfter && m_doublings < MOST_DOUBLINGS)
    {
        ++m_doublings;
        m_timeouts = 0;
    }
    return number;
}

/** Leaves at the front of the queue what is waited for until then. */
void
SlotTimeouts::DropAnswered()
{
    while (!m_queue.empty())
    {
        const auto& [timePs, number] = m_queue.top();
        const auto& due = m_slots[number % m_slots.size()];
        if (due.waiting && due.number == number && due.timePs == timePs)
        {
            return;
        }
        m_queue.pop();
    }
}

void
SlotTimeouts::VisitState(StateVisitor& visitor, std::size_t sequence)
{
    visitor.State(m_timeouts);
    visitor.State(m_doublings);
    visitor.Deadline(m_latestPs);
    const auto oldest =
        std::min_element(m_slots.begin(), m_slots.end(), [](const Due& a, const Due& b) {
            return a.waiting != b.waiting ? a.waiting : a.number < b.number;
        });
    for (std::size_t i = 0; i < m_slots.size(); ++i)
    {
        auto& due =
            m_slots[(static_cast<std::size_t>(oldest - m_slots.begin()) + i) % m_slots.size()];
        if (due.waiting)
        {
            visitor.Packet(due.number, sequence);
            visitor.At(due.timePs);
        }
    }
    if (visitor.PacketsMoved(sequence) == 0)
    {
        return;
    }
    Turn(m_slots, visitor.PacketsMoved(sequence));
    m_queue = {};
    for (const auto& due : m_slots)
    {
        if (due.waiting)
        {
            m_queue.emplace(due.timePs, due.number);
        }
    }
}

std::int64_t
SlotTimeouts::TimeoutPs(unsigned doublings) const
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
