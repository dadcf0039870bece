/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/slot-sender.h"

#include "base/errors.h"
#include "base/turn.h"

#include <algorithm>
#include <iterator>

namespace inca
{

SlotSender::SlotSender(std::uint32_t slots)
    : m_slots(slots)
{
    if (slots == 0)
    {
        throw InvariantError("a sender needs a slot");
    }
    for (std::uint32_t slot = 0; slot < slots; ++slot)
    {
        m_slots[slot].number = slot;
    }
}

void
SlotSender::Begin(std::uint64_t stream,
                  std::uint64_t blocks,
                  bool exponentsAhead,
                  std::uint64_t turn)
{
    if (blocks == 0 || turn == 0)
    {
        throw InvariantError("a stream needs a block");
    }
    const auto prologue = exponentsAhead ? std::min<std::uint64_t>(m_slots.size(), blocks) : 0;
    const auto first = m_end;
    m_streams.push_back({stream, first, blocks, prologue, prologue + blocks, turn});
    m_end = m_streams.back().End();
    const auto window = std::min<std::uint64_t>(m_slots.size(), m_end - first);
    for (auto number = first; number < first + window; ++number)
    {
        MakeReady(number);
    }
}

std::optional<SlotTurn>
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
    return TurnOf(number, m_streams[StreamOf(number)]);
}

std::optional<SlotTurn>
SlotSender::Receive(std::uint64_t number)
{
    auto& slot = SlotOf(number);
    if (!IsMissing(slot, number))
    {
        return std::nullopt;
    }
    slot.number += m_slots.size();
    slot.state = SlotState::WAITING;
    --m_outstanding;
    auto& stream = m_streams[StreamOf(number)];
    auto turn = TurnOf(number, stream);
    turn.endsStream = --stream.missing == 0;
    MakeReady(slot.number);
    if (number < stream.first + stream.prologue)
    {
        MakeReady(number + stream.prologue);
    }
    DropEnded();
    return turn;
}

std::optional<SlotTurn>
SlotSender::Missing(std::uint64_t number) const
{
    if (!IsMissing(SlotOf(number), number))
    {
        return std::nullopt;
    }
    return TurnOf(number, m_streams[StreamOf(number)]);
}

void
SlotSender::VisitState(StateVisitor& visitor, std::size_t sequence)
{
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
    if (stream.turn > 1)
    {
        visitor.State((oldest - stream.first) % stream.turn);
    }
    visitor.CountUpTo(newest, stream.End() - std::min(stream.turn, stream.blocks));
    for (std::size_t i = 0; i < m_slots.size(); ++i)
    {
        auto& slot = m_slots[(oldest + i) % m_slots.size()];
        visitor.Packet(slot.number, sequence);
        visitor.State(static_cast<std::uint64_t>(slot.state));
    }
    for (auto& number : m_ready)
    {
        visitor.Packet(number, sequence);
    }
    Turn(m_slots, visitor.PacketsMoved(sequence));
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

SlotTurn
SlotSender::TurnOf(std::uint64_t number, const Stream& stream) const
{
    const auto index = number - stream.first;
    SlotTurn turn{number, stream.name, std::nullopt, std::nullopt, false};
    if (index >= stream.prologue)
    {
        turn.block = index - stream.prologue;
    }
    if (stream.prologue > 0 && index < stream.blocks)
    {
        turn.exponentOf = index;
    }
    return turn;
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

} // namespace inca
