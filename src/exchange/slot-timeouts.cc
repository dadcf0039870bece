/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-timeouts.h"

#include "base/errors.h"

#include <iterator>
#include <limits>
#include <string>

namespace inca
{

namespace
{

constexpr std::int64_t g_endOfTimePs = std::numeric_limits<std::int64_t>::max();

} // namespace

SlotTimeouts::SlotTimeouts(std::int64_t timeoutPs, std::uint32_t doubleAfter)
    : m_firstPs(timeoutPs),
      m_doubleAfter(doubleAfter)
{
    if (timeoutPs < 1)
    {
        throw InvariantError("a timeout of " + std::to_string(timeoutPs) + " ps");
    }
}

void
SlotTimeouts::Sent(std::uint64_t number, std::int64_t nowPs)
{
    Answered(number); // sent again before it was due: the later time holds
    const auto timeoutPs = TimeoutPs();
    const auto duePs = nowPs > g_endOfTimePs - timeoutPs ? g_endOfTimePs : nowPs + timeoutPs;
    auto& queue = m_queues[m_doublings];
    queue.push_back({number, duePs, m_doublings});
    m_waiting[number] = std::prev(queue.end());
}

void
SlotTimeouts::Answered(std::uint64_t number)
{
    const auto found = m_waiting.find(number);
    if (found != m_waiting.end())
    {
        m_queues[found->second->doublings].erase(found->second);
        m_waiting.erase(found);
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
    return next->front().timePs;
}

std::optional<std::uint64_t>
SlotTimeouts::TakeDue(std::int64_t nowPs)
{
    const auto* next = Next();
    if (next == nullptr || next->front().timePs > nowPs)
    {
        return std::nullopt;
    }
    const auto number = next->front().number;
    Answered(number);
    if (++m_timeouts == m_doubleAfter && m_doublings < MOST_DOUBLINGS)
    {
        ++m_doublings;
        m_timeouts = 0;
    }
    return number;
}

const SlotTimeouts::Queue*
SlotTimeouts::Next() const
{
    const Queue* next = nullptr;
    for (const auto& queue : m_queues)
    {
        if (!queue.empty() && (next == nullptr || queue.front().timePs < next->front().timePs))
        {
            next = &queue;
        }
    }
    return next;
}

std::int64_t
SlotTimeouts::TimeoutPs() const
{
    return m_firstPs > (g_endOfTimePs >> m_doublings) ? g_endOfTimePs : m_firstPs << m_doublings;
}

} // namespace inca
