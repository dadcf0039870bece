/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/port.h"

#include "base/units.h"

#include "ns3/assert.h"

#include <algorithm>
#include <numeric>

namespace inca
{

Port::Port(const PortSettings& settings)
    : m_settings(settings)
{
}

bool
Port::Enqueue(Frame& frame, std::int64_t readyPs)
{
    Settle(readyPs);
    if (m_counters.held.wireBytes + frame.wireBytes > m_settings.bufferBytes)
    {
        Refuse(frame, DropReason::BUFFER_FULL);
        return false;
    }
    const ByteCounts bytes{frame.plainBytes, frame.wireBytes};
    m_counters.in.Add(bytes);
    m_counters.held.Add(bytes);
    ++m_counters.frames;
    frame.firstDeparturePs = std::max(readyPs, m_freePs);
    m_freePs = frame.firstDeparturePs + Serialisation(frame);
    frame.lastDeparturePs = m_freePs;
    const auto queueBytes = m_counters.held.wireBytes;
    m_counters.largestQueueBytes = std::max(m_counters.largestQueueBytes, queueBytes);
    if (m_settings.ecnBytes > 0 && queueBytes > m_settings.ecnBytes)
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
    return m_counters;
}

void
Port::VisitState(StateVisitor& visitor, std::int64_t nowPs)
{
    Settle(nowPs);
    visitor.Deadline(m_freePs);
    visitor.State(m_waiting.size());
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
    while (!m_waiting.empty() && m_waiting.front().departurePs <= nowPs)
    {
        m_counters.held.Remove(m_waiting.front().bytes);
        m_counters.out.Add(m_waiting.front().bytes);
        m_waiting.pop_front();
    }
    NS_ASSERT(m_counters.in.plainBytes == m_counters.out.plainBytes + m_counters.held.plainBytes +
                                              m_counters.dropped.plainBytes);
    NS_ASSERT(m_counters.in.wireBytes ==
              m_counters.out.wireBytes + m_counters.held.wireBytes + m_counters.dropped.wireBytes);
}

std::int64_t
Port::NewSerialisation(const Frame& frame)
{
    m_lastWireBytes = frame.wireBytes;
    m_lastSerialisationPs = SerialisationPs(frame.wireBytes, m_settings.bitsPerSecond);
    return m_lastSerialisationPs;
}

std::uint64_t
DropCounts::Total() const
{
    return std::accumulate(m_frames.begin(), m_frames.end(), std::uint64_t{0});
}

const char*
DropReasonName(DropReason reason)
{
    static constexpr std::array<const char*, DROP_REASONS> names{
        "buffer-full", "link-error", "no-link", "over-mtu"};
    return names[static_cast<std::size_t>(reason)];
}

} // namespace inca
