/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device/port.h"

#include "base/units.h"

#include "ns3/assert.h"

#include <algorithm>

namespace inca
{

namespace
{

/** Each is rounded up; where they differ, as coded ones, they are taken to do so by a byte. */
std::int64_t
SerialisationOfSeveral(const Train& train, std::uint64_t bitsPerSecond)
{
    const auto longer = train.wireBytes % train.frames;
    const auto frameBytes = train.wireBytes / train.frames;
    const auto timePs = [bitsPerSecond](std::uint64_t bytes, std::uint64_t times) {
        return static_cast<std::int64_t>(times) * SerialisationPs(bytes, bitsPerSecond);
    };
    return timePs(frameBytes, train.frames - longer) + timePs(frameBytes + 1, longer);
}

} // namespace

Port::Port(const PortSettings& settings)
    : m_settings(settings)
{
}

bool
Port::Enqueue(Train& train, TrainTimes ready, std::uint32_t ring)
{
    Settle(EntryPs(train, ready));
    if (m_counters.held.wireBytes + train.wireBytes > m_settings.bufferBytes)
    {
        Refuse(train, DropReason::BUFFER_FULL);
        return false;
    }
    const ByteCounts bytes{train.plainBytes, train.wireBytes};
    m_counters.in.Add(bytes);
    m_counters.held.Add(bytes);
    m_counters.frames += train.frames;
    Depart(train, ready, ring);
    const auto queueBytes = QueueBytes(ready.lastPs);
    m_counters.largestQueueBytes = std::max(m_counters.largestQueueBytes, queueBytes);
    if (m_settings.ecnBytes > 0 && queueBytes > m_settings.ecnBytes)
    {
        train.congested = true;
        m_counters.congestedFrames += train.frames;
    }
    m_waiting.push_back({m_freePs, bytes});
    return true;
}

/** Of a train, frames have left before others come: what waits of those that have come goes by the time that it takes. */
std::uint64_t
Port::QueueBytes(std::int64_t nowPs)
{
    if (m_arriving.empty())
    {
        return m_counters.held.wireBytes;
    }
    constexpr std::uint64_t bitPsPerByte = 8'000'000'000'000;
    const auto leavingPs =
        std::max<std::int64_t>(1, m_freePs - nowPs - NotArrivedPs(nowPs)) - 1; // it was rounded up
    const auto bytes =
        MulDivCeil(static_cast<std::uint64_t>(leavingPs), m_settings.bitsPerSecond, bitPsPerByte);
    return std::min(m_counters.held.wireBytes, static_cast<std::uint64_t>(bytes));
}

/** The wire is the train's from its first departure on. */
void
Port::Reserve(Train& train, TrainTimes ready, std::uint32_t ring)
{
    const auto entryPs = EntryPs(train, ready);
    const auto serialisationPs = Serialisation(train);
    const auto freeBeforePs = m_freePs;
    const auto firstLeftPs = std::max(ready.firstPs, m_freePs) + serialisationPs / train.frames;
    train.firstDeparturePs = std::max(entryPs, m_freePs);
    m_freePs = train.firstDeparturePs + serialisationPs;
    train.lastDeparturePs = m_freePs;
    train.spacingPs = (train.lastDeparturePs - firstLeftPs) / (train.frames - 1);
    ForgetArrived(entryPs);
    m_arriving.push_back({ready,
                          train.frames,
                          ring,
                          train.FramePs(),
                          freeBeforePs,
                          train.firstDeparturePs,
                          train.lastDeparturePs});
}

/** An acknowledgement passes frames that have not come; trains behind it leave later by as much. */
void
Port::GoBetween(Train& train, std::int64_t readyPs)
{
    const auto serialisationPs = Serialisation(train);
    const auto aheadPs = std::max<std::int64_t>(0, m_freePs - readyPs - NotArrivedPs(readyPs));
    train.firstDeparturePs = readyPs + aheadPs;
    train.lastDeparturePs = train.firstDeparturePs + serialisationPs;
    m_freePs = std::max(m_freePs, readyPs) + serialisationPs;
}

/** Of a train that has come, an acknowledgement waits for all that is left; of a ring, there may be more. */
void
Port::ForgetArrived(std::int64_t nowPs)
{
    const auto hasCome = [nowPs](const Arriving& train) {
        return (train.ring == 0 ? train.ready.lastPs : train.lastDeparturePs) <= nowPs;
    };
    m_arriving.erase(std::remove_if(m_arriving.begin(), m_arriving.end(), hasCome),
                     m_arriving.end());
}

std::int64_t
Port::EntryOfSeveralPs(const Train& train, TrainTimes ready)
{
    const auto others = static_cast<std::int64_t>(train.frames) - 1;
    return std::max(ready.firstPs, ready.lastPs - others * (Serialisation(train) / train.frames));
}

/** Of what the wire is reserved for: frames that come after @p nowPs, and waiting for them. */
std::int64_t
Port::NotArrivedPs(std::int64_t nowPs)
{
    std::int64_t sumPs = 0;
    for (const auto& train : m_arriving)
    {
        const auto idleFromPs = std::max(nowPs, train.idleFromPs);
        sumPs += std::max<std::int64_t>(0, train.firstDeparturePs - idleFromPs);
        sumPs += FramesToCome(train, nowPs) * train.framePs;
    }
    return sumPs;
}

std::int64_t
Port::FramesToCome(const Arriving& train, std::int64_t nowPs)
{
    const std::int64_t frames{train.frames};
    const auto until = [nowPs](std::int64_t ps, std::int64_t eachPs) {
        return eachPs == 0 || ps <= nowPs ? 0 : (ps - nowPs + eachPs - 1) / eachPs;
    };
    const auto spacingPs = (train.ready.lastPs - train.ready.firstPs) / (frames - 1);
    const auto toCome = std::min(frames, until(train.ready.lastPs, spacingPs));
    if (train.ring == 0)
    {
        return toCome;
    }
    const auto left = std::min(frames, until(train.lastDeparturePs, train.framePs));
    const auto half = std::max<std::int64_t>(1, train.ring / 2);
    return std::max(toCome, left - (train.ring - (frames - left) % half));
}

void
Port::Refuse(const Train& train, DropReason reason)
{
    const ByteCounts bytes{train.plainBytes, train.wireBytes};
    m_counters.in.Add(bytes);
    m_counters.dropped.Add(bytes);
    m_counters.drops.Add(reason, train.frames);
}

const PortCounters&
Port::CountersAt(std::int64_t nowPs)
{
    Settle(nowPs);
    return m_counters;
}

void
Port::Walk(StateWalk& walk, std::int64_t nowPs)
{
    Settle(nowPs);
    walk.Until(m_freePs);
    walk.State(m_waiting.size());
    for (auto* bytes : {&m_counters.in, &m_counters.out})
    {
        walk.Count(bytes->plainBytes);
        walk.Count(bytes->wireBytes);
    }
    walk.Count(m_counters.frames);
    walk.Count(m_counters.congestedFrames);
    walk.State(m_counters.held.wireBytes);
    walk.State(m_counters.dropped.wireBytes);
    walk.State(m_counters.largestQueueBytes);
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
Port::NewSerialisation(const Train& train)
{
    m_lastWireBytes = train.wireBytes;
    m_lastFrames = train.frames;
    m_lastSerialisationPs = train.frames == 1
                                ? SerialisationPs(train.wireBytes, m_settings.bitsPerSecond)
                                : SerialisationOfSeveral(train, m_settings.bitsPerSecond);
    return m_lastSerialisationPs;
}

} // namespace inca
