/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-sender.h"

#include "base/errors.h"
#include "base/turn.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace inca
{

namespace
{

constexpr std::int64_t END_OF_TIME_PS{std::numeric_limits<std::int64_t>::max()};
constexpr unsigned MOST_DOUBLINGS{10};

} // namespace

SlotSender::SlotSender(std::uint32_t slots, SlotTimeout timeout)
    : m_slots(slots),
      m_timeout(timeout)
{
    if (slots == 0 || timeout.firstPs < 1)
    {
        throw InvariantError("a sender needs a slot, and a timeout");
    }
    for (std::uint32_t slot = 0; slot < slots; ++slot)
    {
        m_slots[slot].number = slot;
    }
}

void
SlotSender::Begin(std::uint64_t stream,
                  std::uint64_t blocks,
                  std::uint64_t prologue,
                  std::uint64_t patternBlocks)
{
    if (blocks == 0 || patternBlocks == 0 || prologue > std::min(m_slots.size(), blocks))
    {
        throw InvariantError("a stream needs a block, and one and a slot for each packet ahead");
    }
    const auto first = m_end;
    m_streams.push_back({stream, first, blocks, prologue, prologue + blocks, patternBlocks});
    m_end = m_streams.back().End();
    const auto window = std::min<std::uint64_t>(m_slots.size(), m_end - first);
    for (auto number = first; number < first + window; ++number)
    {
        MakeReady(number);
    }
    Restart();
}

std::optional<StreamPacket>
SlotSender::Next()
{
    if (m_ready.empty())
    {
        return std::nullopt;
    }
    const auto number = m_ready.front();
    m_ready.pop_front();
    SlotOf(number).state = SlotState::SENT;
    ++m_outstanding;
    return PacketOf(number, m_streams[StreamOf(number)]);
}

std::optional<StreamPacket>
SlotSender::NextAgain()
{
    while (!m_again.empty())
    {
        const auto number = m_again.front();
        m_again.pop_front();
        if (auto packet = Missing(number))
        {
            return packet;
        }
    }
    return std::nullopt;
}

std::int64_t
SlotSender::Sent(std::uint64_t number, std::int64_t nowPs)
{
    m_latestPs = std::max(m_latestPs, nowPs);
    const auto timeoutPs = TimeoutPs(m_doublings);
    const auto duePs =
        m_latestPs > END_OF_TIME_PS - timeoutPs ? END_OF_TIME_PS : m_latestPs + timeoutPs;
    auto& slot = SlotOf(number);
    ++slot.timesSent;
    slot.duePs = duePs;
    slot.path = PathLog::Now();
    m_dues.emplace(duePs, number);
    DropAnswered();
    return duePs;
}

std::optional<std::int64_t>
SlotSender::NextDuePs() const
{
    return m_dues.empty() ? std::nullopt : std::optional(m_dues.top().first);
}

void
SlotSender::TimeOut(std::int64_t nowPs)
{
    while (!m_dues.empty() && m_dues.top().first <= nowPs)
    {
        const auto number = m_dues.top().second;
        SlotOf(number).duePs.reset();
        DropAnswered();
        m_again.push_back(number);
        if (++m_timeouts == m_timeout.doubleAfter && m_doublings < MOST_DOUBLINGS)
        {
            ++m_doublings;
            m_timeouts = 0;
        }
    }
}

std::optional<StreamPacket>
SlotSender::Receive(std::uint64_t number, bool afterLoss)
{
    auto& slot = SlotOf(number);
    if (!IsMissing(slot, number))
    {
        return std::nullopt;
    }
    slot = {number + m_slots.size(), SlotState::WAITING, 0, std::nullopt, {}};
    --m_outstanding;
    DropAnswered();
    if (afterLoss)
    {
        Restart(); // it was a loss that took so long, and it is over
    }
    auto& stream = m_streams[StreamOf(number)];
    auto packet = PacketOf(number, stream);
    packet.endsStream = --stream.missing == 0;
    MakeReady(slot.number);
    if (number < stream.first + stream.prologue)
    {
        MakeReady(number + stream.prologue);
    }
    DropEnded();
    return packet;
}

std::optional<StreamPacket>
SlotSender::Missing(std::uint64_t number) const
{
    if (!IsMissing(SlotOf(number), number))
    {
        return std::nullopt;
    }
    return PacketOf(number, m_streams[StreamOf(number)]);
}

void
SlotSender::VisitState(StateVisitor& visitor, std::size_t sequence)
{
    visitor.State(m_timeouts);
    visitor.State(m_doublings);
    visitor.Deadline(m_latestPs);
    visitor.State(m_again.size());
    visitor.State(m_streams.size());
    visitor.State(m_outstanding);
    if (m_streams.empty())
    {
        return; // nothing is sent, and nothing awaited
    }
    auto& stream = m_streams.front();
    visitor.State(stream.name);
    visitor.Count(stream.missing);
    const auto [least, most] =
        std::minmax_element(m_slots.begin(), m_slots.end(), [](const Slot& a, const Slot& b) {
            return a.number < b.number;
        });
    auto oldest = least->number;
    auto newest = most->number;
    if (oldest < stream.first + stream.prologue)
    {
        visitor.Aperiodic(); // exponents alone
    }
    visitor.Packet(oldest, sequence);
    if (stream.patternBlocks > 1)
    {
        visitor.State((oldest - stream.first) % stream.patternBlocks);
    }
    visitor.CountUpTo(newest, stream.End() - std::min(stream.patternBlocks, stream.blocks));
    for (std::size_t i = 0; i < m_slots.size(); ++i)
    {
        auto& slot = m_slots[(oldest + i) % m_slots.size()];
        visitor.Packet(slot.number, sequence);
        visitor.State(static_cast<std::uint64_t>(slot.state) | std::uint64_t{slot.duePs.has_value()}
                                                                   << 8U);
        if (slot.duePs)
        {
            visitor.At(*slot.duePs);
            visitor.Path(slot.path);
        }
    }
    for (auto* numbers : {&m_ready, &m_again})
    {
        for (auto& number : *numbers)
        {
            visitor.Packet(number, sequence);
        }
    }
    if (visitor.PacketsMoved(sequence) == 0)
    {
        return;
    }
    Turn(m_slots, visitor.PacketsMoved(sequence));
    m_dues = {};
    for (const auto& slot : m_slots)
    {
        if (slot.duePs)
        {
            m_dues.emplace(*slot.duePs, slot.number);
        }
    }
}

std::uint32_t
SlotSender::Outstanding() const
{
    return m_outstanding;
}

std::optional<std::uint64_t>
SlotSender::Oldest() const
{
    std::optional<std::uint64_t> oldest;
    for (const auto& slot : m_slots)
    {
        if (slot.state == SlotState::SENT && slot.number < oldest.value_or(m_end))
        {
            oldest = slot.number;
        }
    }
    return oldest;
}

SlotSender::Slot&
SlotSender::SlotOf(std::uint64_t number)
{
    return m_slots[number % m_slots.size()];
}

const SlotSender::Slot&
SlotSender::SlotOf(std::uint64_t number) const
{
    return m_slots[number % m_slots.size()];
}

bool
SlotSender::IsMissing(const Slot& slot, std::uint64_t number)
{
    return slot.state == SlotState::SENT && slot.number == number;
}

std::size_t
SlotSender::StreamOf(std::uint64_t number) const
{
    const auto after = std::upper_bound(
        m_streams.begin(), m_streams.end(), number, [](std::uint64_t n, const Stream& stream) {
            return n < stream.first;
        });
    return static_cast<std::size_t>(std::distance(m_streams.begin(), after)) - 1;
}

StreamPacket
SlotSender::PacketOf(std::uint64_t number, const Stream& stream) const
{
    const auto index = number - stream.first;
    StreamPacket packet{number, stream.name, std::nullopt, std::nullopt, false};
    if (index >= stream.prologue)
    {
        packet.block = index - stream.prologue;
    }
    if (stream.prologue > 0 && index < stream.blocks)
    {
        packet.exponentOf = index;
    }
    return packet;
}

bool
SlotSender::KnowsExponent(std::uint64_t number) const
{
    const auto& stream = m_streams[StreamOf(number)];
    if (stream.prologue == 0 || number - stream.first < stream.prologue)
    {
        return true;
    }
    const auto teller = number - stream.prologue;
    return SlotOf(teller).number > teller;
}

void
SlotSender::MakeReady(std::uint64_t number)
{
    auto& slot = SlotOf(number);
    if (number < m_end && slot.number == number && slot.state == SlotState::WAITING &&
        KnowsExponent(number))
    {
        slot.state = SlotState::READY;
        m_ready.push_back(number);
    }
}

void
SlotSender::DropEnded()
{
    while (!m_streams.empty() && m_streams.front().missing == 0)
    {
        m_streams.pop_front();
    }
}

/** Leaves at the front of the queue what is due then. */
void
SlotSender::DropAnswered()
{
    while (!m_dues.empty())
    {
        const auto& [duePs, number] = m_dues.top();
        const auto& slot = SlotOf(number);
        if (slot.number == number && slot.duePs == duePs)
        {
            return;
        }
        m_dues.pop();
    }
}

void
SlotSender::Restart()
{
    m_doublings = 0;
    m_timeouts = 0;
}

std::int64_t
SlotSender::TimeoutPs(unsigned doublings) const
{
    return m_timeout.firstPs > (END_OF_TIME_PS >> doublings) ? END_OF_TIME_PS
                                                             : m_timeout.firstPs << doublings;
}

std::int64_t
SlotSender::LongestTimeoutPs() const
{
    return TimeoutPs(m_timeout.doubleAfter == 0 ? 0 : MOST_DOUBLINGS);
}

} // namespace inca
