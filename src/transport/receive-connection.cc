/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "transport/receive-connection.h"

#include "base/errors.h"
#include "device/mac-hash.h"

#include <algorithm>
#include <string>
#include <utility>

namespace inca
{

namespace
{

/** Room that a message gets when it begins, of which what is not written yet takes no memory. */
constexpr std::uint64_t MOST_RESERVED{std::uint64_t{1} << 30U};

} // namespace

ReceiveConnection::ReceiveConnection(std::uint32_t ackEvery, std::uint32_t windowFrames)
    : m_ackEvery(ackEvery),
      m_windowFrames(windowFrames),
      m_credit(windowFrames)
{
}

ReceiveOutcome
ReceiveConnection::Accept(const ns3::Ptr<Frame>& frame, const Receiver& receiver)
{
    ReceiveOutcome outcome;
    const auto number = frame->segment.number;
    m_heard = frame->segment.transmission;
    if (number != m_next)
    {
        outcome.acknowledge = true;
        m_unacknowledged = 0;
        const bool isInWindow = number - m_next < m_windowFrames; // modulo 2^64: not below, either
        const bool isNew = isInWindow && m_early.emplace(number, frame).second;
        outcome.duplicate = number < m_next || (isInWindow && !isNew);
        if (isNew)
        {
            MarkHeld(*frame);
        }
        return outcome;
    }
    outcome.acknowledge = !m_early.empty() || frame->segment.repeated;
    DeliverInOrder(*frame, receiver, outcome);
    while (!m_early.empty() && m_early.begin()->first == m_next)
    {
        const auto early = m_early.begin()->second;
        m_early.erase(m_early.begin());
        DeliverInOrder(*early, receiver, outcome);
    }
    outcome.acknowledge = outcome.acknowledge || m_unacknowledged >= std::min(m_ackEvery, m_credit);
    m_unacknowledged = outcome.acknowledge ? 0 : m_unacknowledged;
    return outcome;
}

void
ReceiveConnection::DeliverInOrder(const Frame& frame,
                                  const Receiver& receiver,
                                  ReceiveOutcome& outcome)
{
    Advance();
    ++m_unacknowledged;
    if (frame.segment.tag.grant)
    {
        outcome.acknowledge = true;
        receiver({frame.source, frame.segment.tag, 0, 0, {}, frame.segment.sentPs});
        return;
    }
    outcome.deliveredBytes += frame.plainBytes;
    Assemble(frame);
    if (!frame.segment.last)
    {
        return;
    }
    outcome.acknowledge = true;
    auto whole = std::move(*m_message);
    m_message.reset();
    receiver(std::move(whole));
}

void
ReceiveConnection::Assemble(const Frame& frame)
{
    if (!m_message)
    {
        m_message.emplace();
        m_message->from = frame.source;
        m_message->tag = frame.segment.tag;
        m_message->plainBytes = frame.segment.messageBytes;
        m_message->sentPs = frame.segment.sentPs;
        m_assembledBytes = 0;
        m_gathered = {};
    }
    RequireNextPart(frame);
    m_assembledBytes += frame.plainBytes;
    m_message->wirePayloadBytes += frame.wirePayloadBytes;
    if (frame.bytes.AreThere())
    {
        m_gathered.reserve(std::min(m_message->plainBytes, MOST_RESERVED));
        m_gathered.insert(
            m_gathered.end(), frame.bytes.data(), frame.bytes.data() + frame.bytes.size());
    }
    if (frame.segment.last && !m_gathered.empty())
    {
        m_message->bytes = SharedBytes::Of(std::exchange(m_gathered, {}));
    }
}

void
ReceiveConnection::RequireNextPart(const Frame& frame) const
{
    const auto& segment = frame.segment;
    const bool isOfIt =
        segment.tag == m_message->tag && segment.messageBytes == m_message->plainBytes;
    const bool isNext = segment.offset == m_assembledBytes &&
                        frame.plainBytes <= m_message->plainBytes - m_assembledBytes;
    const bool isLast = isNext && m_assembledBytes + frame.plainBytes == m_message->plainBytes;
    const bool hasValues = frame.bytes.size() > 0;
    const bool hasAll = !frame.bytes.AreThere() || frame.bytes.size() == frame.plainBytes;
    const bool hadAll = m_gathered.size() == (hasValues ? m_assembledBytes : 0);
    if (!isOfIt || !isNext || segment.last != isLast || !hasAll || !hadAll)
    {
        throw InvariantError("a frame does not go on with its message at " +
                             std::to_string(m_assembledBytes) + " of " +
                             std::to_string(m_message->plainBytes) + " bytes");
    }
}

/** What is behind the next frame comes nearer; what was too far behind it to be told of may not be any more. */
void
ReceiveConnection::Advance()
{
    const auto told = m_next + Receipt::HELD_FRAMES;
    ++m_next;
    m_held >>= 1U;
    if (!m_early.empty() && m_early.rbegin()->first >= told)
    {
        for (const auto& [number, frame] : m_early)
        {
            MarkHeld(*frame);
        }
    }
}

void
ReceiveConnection::MarkHeld(const Frame& early)
{
    const auto behind = early.segment.number - m_next - 1;
    m_held |= behind < Receipt::HELD_FRAMES ? std::uint64_t{1} << behind : 0;
}

void
ReceiveConnection::VisitState(StateVisitor& visitor, ns3::Mac48Address from, ns3::Mac48Address self)
{
    if (!m_early.empty())
    {
        visitor.Aperiodic();
    }
    visitor.State(MacNumber(from));
    visitor.SequenceNumber(WayNumber(from, self), m_next);
    visitor.State(m_heard - m_next);
    visitor.State(m_unacknowledged);
    visitor.State(m_credit);
    visitor.State(m_message ? 1 : 0);
    if (m_message)
    {
        m_message->tag.VisitState(visitor, from, self);
        visitor.State(m_message->plainBytes);
        visitor.Progress(m_message->sentPs, m_assembledBytes, m_message->plainBytes);
        visitor.Count(m_message->wirePayloadBytes);
    }
}

} // namespace inca
