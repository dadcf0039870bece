/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/port.h"

#include "base/units.h"

#include <algorithm>

namespace inca
{

Port::Port(const PortSettings& is)
    : settings(is)
{
}

bool
Port::Enqueue(Frame& frame, std::int64_t readyPs, std::int64_t nowPs)
{
    Settle(nowPs);
    if (readyPs > nowPs)
    {
        LookAhead(readyPs);
    }
    if (m_queueBytes + frame.wireBytes > settings.bufferBytes)
    {
        Refuse(frame, DropReason::BUFFER_FULL);
        return false;
    }
    const ByteCounts bytes{frame.plainBytes, frame.wireBytes};
    m_counters.in.Add(bytes);
    ++m_counters.frames;
    if (m_last)
    {
        CountTie(frame, readyPs);
    }
    frame.firstDeparturePs = std::max(readyPs, m_freePs);
    m_freePs = frame.firstDeparturePs + SerialisationOf(frame);
    frame.lastDeparturePs = m_freePs;
    m_queueBytes += frame.wireBytes;
    m_counters.largestQueueBytes = std::max(m_counters.largestQueueBytes, m_queueBytes);
    if (settings.ecnBytes > 0 && m_queueBytes > settings.ecnBytes)
    {
        frame.congested = true;
        ++m_counters.congestedFrames;
    }
    m_waiting.push_back({m_freePs, bytes});
    return true;
}

void
Port::Refuse(const Frame& frame, DropReason reason)
{
    const ByteCounts bytes{frame.plainBytes, frame.wireBytes};
    m_counters.in.Add(bytes);
    m_counters.dropped.Add(bytes);
    m_counters.drops.Add(reason);
}

const PortCounters&
Port::CountersAt(std::int64_t nowPs)
{
    Settle(nowPs);
    m_counters.held = m_counters.in;
    m_counters.held.Remove(m_counters.out);
    m_counters.held.Remove(m_counters.dropped);
    return m_counters;
}

void
Port::VisitState(StateVisitor& visitor, std::int64_t nowPs)
{
    CountersAt(nowPs);
    visitor.Deadline(m_freePs);
    visitor.State(m_waiting.size());
    visitor.State(m_gone);
    for (auto* bytes : {&m_counters.in, &m_counters.out})
    {
        visitor.Count(bytes->plainBytes);
        visitor.Count(bytes->wireBytes);
    }
    visitor.Count(m_counters.frames);
    visitor.Count(m_counters.congestedFrames);
    visitor.State(m_counters.held.wireBytes);
    visitor.State(m_counters.dropped.wireBytes);
    visitor.State(m_counters.largestQueueBytes);
}

void
Port::Settle(std::int64_t nowPs)
{
    for (; !m_waiting.empty() && m_waiting.front().departurePs <= nowPs; m_waiting.pop_front())
    {
        const auto& bytes = m_waiting.front().bytes;
        m_counters.out.Add(bytes);
        m_gone > 0 ? --m_gone : m_queueBytes -= bytes.wireBytes;
    }
}

/** What will have left by then takes no room any more. */
void
Port::LookAhead(std::int64_t readyPs)
{
    for (; m_gone < m_waiting.size() && m_waiting[m_gone].departurePs <= readyPs; ++m_gone)
    {
        m_queueBytes -= m_waiting[m_gone].bytes.wireBytes;
    }
}

/** Which of two goes first that come at one time, the order of events says. */
void
Port::CountTie(const Frame& frame, std::int64_t readyPs)
{
    const bool isAlike = m_last->kind == frame.kind && m_last->source == frame.source &&
                         m_last->destination == frame.destination;
    m_counters.tiedFrames += m_last->readyPs == readyPs && !isAlike ? 1 : 0;
    *m_last = {readyPs, frame.kind, frame.source, frame.destination};
}

void
Port::CountTies()
{
    m_last = std::make_unique<Last>();
}

std::int64_t
Port::SerialisationOf(const Frame& frame)
{
    if (frame.wireBytes != m_lastWireBytes)
    {
        m_lastWireBytes = frame.wireBytes;
        m_lastSerialisationPs = SerialisationPs(frame.wireBytes, settings.bitsPerSecond);
    }
    return m_lastSerialisationPs;
}

std::int64_t
Port::RoomPs(std::uint64_t bytes) const
{
    std::int64_t roomPs = 0;
    auto held = m_queueBytes;
    for (auto i = m_gone; i < m_waiting.size() && held + bytes > settings.bufferBytes; ++i)
    {
        held -= m_waiting[i].bytes.wireBytes;
        roomPs = m_waiting[i].departurePs;
    }
    return roomPs;
}

} // namespace inca
