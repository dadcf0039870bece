/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-timeouts.h"

#include "base/errors.h"
#include "base/turn.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr std::int64_t g_endOfTimePs = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t g_longestInVain{
    8}; ///< of the longest timeouts; so many that are shorter precede them

/** Whole ones that end before @p timePs. */
std::uint64_t
PeriodsBefore(std::int64_t timePs, const StateWalk& walk)
{
    const auto leftPs = std::max<std::int64_t>(timePs - walk.NowPs(), 1) - 1;
    return static_cast<std::uint64_t>(leftPs / walk.PeriodPs());
}

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
    ++m_struck;
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
    walk.State(m_struck);
    walk.State(m_doublings);
    if (!walk.Looks())
    {
        TakeOver(Repeated({walk.PacketsPerPeriod(sequence), walk.PeriodPs(), walk.Times()}));
    }
}

/**
 * When a period is over, as many packets as move on in one are answered from the oldest number on, one period later as many
 * more; and what is sent until then waits for as long as what was sent in the last period. Where none moves on, all wait.
 */
std::uint64_t
SlotTimeouts::PeriodsInTime(const StateWalk& walk, std::size_t sequence) const
{
    const auto packets = walk.PacketsPerPeriod(sequence);
    auto oldest = std::numeric_limits<std::uint64_t>::max();
    for (const auto& due : m_slots)
    {
        oldest = due.waiting ? std::min(oldest, due.number) : oldest;
    }
    auto periods = walk.Times();
    for (const auto& due : m_slots)
    {
        if (!due.waiting)
        {
            continue;
        }
        const auto before = PeriodsBefore(due.timePs, walk);
        if (packets == 0)
        {
            periods = std::min(periods, before);
        }
        else if (before <= (due.number - oldest) / packets)
        {
            return 0;
        }
    }
    return periods;
}

/** By number, the latest first. */
std::vector<std::uint32_t>
SlotTimeouts::SlotsByNumber() const
{
    std::vector<std::uint32_t> slots(m_slots.size());
    std::iota(slots.begin(), slots.end(), 0);
    std::sort(slots.begin(), slots.end(), [this](std::uint32_t a, std::uint32_t b) {
        return m_slots[a].number > m_slots[b].number;
    });
    return slots;
}

/**
 * Packets are like those whose numbers are that of a period higher, and sent a period before them. So what is under way
 * was sent as long ago as the last one like it that was sent.
 */
std::vector<SlotTimeouts::Due>
SlotTimeouts::Repeated(const Repetition& repetition) const
{
    const auto [packets, periodPs, times] = repetition;
    auto repeated = m_slots;
    // by slot: periods since, in each of which one like it was sent, or nothing was
    std::vector<std::uint64_t> since(m_slots.size(), packets == 0 ? times : 0);
    for (const auto slot : SlotsByNumber())
    {
        const auto number = m_slots[slot].number;
        if (packets > 0 && WasSentLast(number + packets))
        {
            since[slot] = since[SlotOf(number + packets)] + 1;
        }
        const auto periods = std::min(since[slot], times);
        const auto& alike = m_slots[SlotOf(number + periods * packets)];
        repeated[slot].number = number + times * packets;
        repeated[slot].timePs = alike.timePs - static_cast<std::int64_t>(periods) * periodPs;
        repeated[slot].doublings = alike.doublings;
    }
    Turn(repeated, times * packets);
    return repeated;
}

/** Queues anew what they wait for. */
void
SlotTimeouts::TakeOver(std::vector<Due> slots)
{
    m_slots = std::move(slots);
    m_queues = {};
    auto order = SlotsByNumber();
    std::reverse(order.begin(), order.end());
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
        return m_slots[a].timePs < m_slots[b].timePs;
    });
    for (const auto slot : order)
    {
        if (m_slots[slot].waiting)
        {
            Append(slot);
        }
    }
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

bool
SlotTimeouts::WasSentLast(std::uint64_t number) const
{
    return m_slots[SlotOf(number)].number == number;
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
