/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-timeouts.h"

#include "base/errors.h"
#include "base/turn.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

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
    return duePs;
}

void
SlotTimeouts::Answered(std::uint64_t number)
{
    auto& due = m_slots[number % m_slots.size()];
    due.waiting = due.waiting && due.number != number;
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
    std::optional<std::int64_t> nextPs;
    for (const auto& due : m_slots)
    {
        if (due.waiting)
        {
            nextPs = std::min(nextPs.value_or(due.timePs), due.timePs);
        }
    }
    return nextPs;
}

std::optional<std::uint64_t>
SlotTimeouts::TakeDue(std::int64_t nowPs)
{
    Due* next = nullptr;
    for (auto& due : m_slots)
    {
        if (due.waiting && due.timePs <= nowPs && (next == nullptr || due < *next))
        {
            next = &due;
        }
    }
    if (next == nullptr)
    {
        return std::nullopt;
    }
    next->waiting = false;
    if (++m_timeouts == m_doubleAfter && m_doublings < MOST_DOUBLINGS)
    {
        ++m_doublings;
        m_timeouts = 0;
    }
    return next->number;
}

void
SlotTimeouts::Walk(StateWalk& walk, std::size_t sequence)
{
    walk.State(m_timeouts);
    walk.State(m_doublings);
    walk.Until(m_latestPs);
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
            walk.Packet(due.number, sequence);
            walk.At(due.timePs);
        }
    }
    Turn(m_slots, walk.PacketsMoved(sequence));
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
