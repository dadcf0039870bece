/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/message-times.h"

#include "base/stream-pattern.h"
#include "base/wire-format.h"
#include "plan/resource-times.h"

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

/** What a frame goes through, in this order. */
enum Stage : std::size_t
{
    SENDING_HOST,
    COMPRESSION,
    UPLINK,
    TRUNK,
    DOWNLINK,
    DECOMPRESSION,
    RECEIVING_HOST,
    STAGES,
};

constexpr double g_psPerSecond = 1e12;

double
Cycles(std::uint64_t bytes, const EngineSpeed& engine)
{
    return static_cast<double>((bytes * 8 + engine.widthBits - 1) / engine.widthBits);
}

LimitedTime
InEngine(Limit limit, double cycles, const EngineSpeed& engine)
{
    return {limit, cycles * g_psPerSecond / static_cast<double>(engine.hertz)};
}

} // namespace

/** From one host to another. */
struct MessageClock::Way
{
    std::uint64_t upBitsPerSecond;
    std::uint64_t downBitsPerSecond;
    bool far; ///< over a trunk, at least
};

/** What one frame takes of each stage. */
struct MessageClock::Stages
{
    std::array<LimitedTime, STAGES> times;

    LimitedTime Sum(std::size_t first, std::size_t end) const
    {
        LimitedTime sum;
        for (auto stage = first; stage < end; ++stage)
        {
            sum += times[stage];
        }
        return sum;
    }
};

namespace
{

/** Latencies of @p links and @p switches on a way. */
LimitedTime
Latency(const NetworkSpeed& network, int links, int switches)
{
    return {Limit::LATENCY,
            links * static_cast<double>(network.linkLatencyPs) +
                switches * static_cast<double>(network.switchLatencyPs)};
}

/** From the last bit out of the sender's link to the last bit out of the receiver's. */
LimitedTime
Latency(const NetworkSpeed& network, bool far)
{
    return far ? Latency(network, 3, 2) : Latency(network, 2, 1);
}

} // namespace

MessageClock::MessageClock(const Scenario& scenario,
                           const TrainingJob& job,
                           const NetworkSpeed& network)
    : m_scenario(scenario),
      m_job(job),
      m_network(network)
{
}

const MessageTimes&
MessageClock::Of(const Parcel& parcel, Rank from, Rank to)
{
    const auto way = WayBetween(from, to);
    const Key key{parcel.bytes,
                  parcel.marked,
                  parcel.bitsPerValue,
                  way.upBitsPerSecond,
                  way.downBitsPerSecond,
                  way.far};
    const auto found = m_known.find(key);
    return found != m_known.end() ? found->second
                                  : m_known.emplace(key, Make(parcel, way)).first->second;
}

MessageClock::Way
MessageClock::WayBetween(Rank from, Rank to) const
{
    return {m_network.linkBitsPerSecond[from],
            m_network.linkBitsPerSecond[to],
            m_network.switchOfHost[from] != m_network.switchOfHost[to]};
}

LimitedTime
MessageClock::Grant(Rank from, Rank to) const
{
    return Ack(WayBetween(from, to));
}

Parcel
MessageClock::ParcelOf(const JobChunk& chunk, Leg leg, ElementRange range) const
{
    const auto plainBytes = range.count * m_job.BytesPerElement(leg);
    if (leg != Leg::GRADIENT || (!m_job.engines && !m_job.hostCodec))
    {
        return {plainBytes, false, 0};
    }
    const auto bits = m_job.MeanBitsOf(chunk, range);
    if (m_job.engines)
    {
        return {plainBytes, true, PatternBits(bits, MaxPayloadBytes(m_scenario.cluster.mtu))};
    }
    return {static_cast<std::uint64_t>(std::floor(static_cast<double>(range.count) * bits / 8)),
            false,
            0};
}

MessageClock::Stages
MessageClock::Frame(const Parcel& parcel, std::uint64_t bytes, const Way& way) const
{
    const auto& [compression, decompression] = m_network.engines;
    const auto values = static_cast<double>(bytes) / static_cast<double>(m_job.bytesPerElement);
    const auto payload =
        parcel.marked ? static_cast<std::uint64_t>(std::floor(values * parcel.bitsPerValue / 8))
                      : bytes;
    const auto wireBytes = FrameWireBytes(INCA_HEADER_BYTES + payload);
    Stages stages;
    stages.times[SENDING_HOST] = MovingFrames(m_scenario.host, 1, bytes);
    stages.times[UPLINK] = OnLink(wireBytes, way.upBitsPerSecond);
    stages.times[DOWNLINK] = OnLink(wireBytes, way.downBitsPerSecond);
    stages.times[RECEIVING_HOST] = stages.times[SENDING_HOST];
    if (way.far)
    {
        stages.times[TRUNK] = OnLink(wireBytes, m_network.trunkBitsPerSecond);
    }
    if (parcel.marked && compression.widthBits > 0)
    {
        const auto cycles = std::max(Cycles(bytes, decompression), Cycles(payload, decompression));
        stages.times[COMPRESSION] =
            InEngine(Limit::COMPRESSION, Cycles(bytes, compression), compression);
        stages.times[DECOMPRESSION] = InEngine(Limit::DECOMPRESSION, cycles, decompression);
    }
    return stages;
}

/** From a frame's departure to that of the frame for which its acknowledgement opens the window. */
LimitedTime
MessageClock::RoundTrip(const Stages& frame, const Way& way) const
{
    return frame.Sum(0, STAGES) + Latency(m_network, way.far) + Ack(way);
}

LimitedTime
MessageClock::Ack(const Way& way) const
{
    const auto bytes = FrameWireBytes(INCA_HEADER_BYTES);
    return OnLink(bytes, way.downBitsPerSecond) + OnLink(bytes, way.upBitsPerSecond) +
           Latency(m_network, way.far);
}

/**
 * From the first departure of @p frames to the end of the last, all as large as @p frame. With w frames in
 * the window and a to an acknowledgement, frame w waits for that of the first a; and that of the m-th
 * batch behind it, m = ceil((w - a + 1) / a), for frame w.
 */
LimitedTime
MessageClock::Windowed(std::uint64_t window,
                       std::uint64_t frames,
                       const Stages& frame,
                       const Way& way) const
{
    const auto& linkTime = frame.times[UPLINK];
    if (frames <= window)
    {
        return linkTime * static_cast<double>(frames);
    }
    // Grants are acknowledged at once, and data with them: in the midst of a message where a host that
    // alternates begins to receive before it has sent all.
    const auto duplex = m_scenario.host.duplex;
    const bool together = duplex == 0.0 || duplex == 1.0;
    const auto perAck =
        together ? std::min<std::uint64_t>(m_scenario.transport.ackEvery, window) : 1;
    const auto batches = window / perAck;
    const auto trip = RoundTrip(frame, way);
    const auto period = trip + linkTime * static_cast<double>((batches + 1) * perAck - 1 - window);
    const auto waiting = frames - 1 - window;
    const auto periods = waiting / (batches * perAck);
    const auto others = waiting % (batches * perAck);
    return linkTime * static_cast<double>(perAck + others) + trip +
           period * static_cast<double>(periods);
}

/** @param last of them: not larger than @p frame */
LimitedTime
MessageClock::Departures(std::uint64_t frames,
                         const Stages& frame,
                         const Stages& last,
                         const Way& way) const
{
    const auto window = m_scenario.transport.window;
    const auto held = LimitedTime::With(Limit::WINDOW,
                                        Windowed(window, frames, frame, way),
                                        Windowed(Raised(window), frames, frame, way));
    const auto smaller = frame.Sum(0, UPLINK + 1) - last.Sum(0, UPLINK + 1);
    const auto others = static_cast<double>(frames - 1);
    return Longer(held - smaller, frame.times[UPLINK] * others + last.times[UPLINK]);
}

MessageTimes
MessageClock::Make(const Parcel& parcel, const Way& way) const
{
    const auto payload = MaxPayloadBytes(m_scenario.cluster.mtu);
    const auto fullFrames = parcel.bytes / payload;
    const auto restBytes = parcel.bytes % payload;
    const bool hasRest = restBytes > 0 || fullFrames == 0;
    const auto full = Frame(parcel, payload, way);
    const auto rest = hasRest ? Frame(parcel, restBytes, way) : Stages{};
    const auto& first = fullFrames > 0 ? full : rest;
    const auto& last = hasRest ? rest : full;

    Stages all;
    for (std::size_t stage = 0; stage < STAGES; ++stage)
    {
        all.times[stage] = full.times[stage] * static_cast<double>(fullFrames) + rest.times[stage];
    }
    const auto frames = fullFrames + (hasRest ? 1 : 0);
    all.times[UPLINK] = Departures(frames, first, last, way);

    MessageTimes times;
    for (std::size_t stage = 0; stage < STAGES; ++stage)
    {
        const auto through = first.Sum(0, stage) + all.times[stage];
        times.arrive.Await(through + last.Sum(stage + 1, STAGES));
        if (stage <= UPLINK)
        {
            times.leave.Await(through + last.Sum(stage + 1, UPLINK + 1));
        }
    }
    const LimitedTime message{Limit::HOST, static_cast<double>(m_scenario.host.messageCostPs)};
    const auto latency = Latency(m_network, way.far);
    times.leave += message;
    times.arrive += message + latency;
    times.head = message + first.Sum(0, DOWNLINK) + latency - Latency(m_network, 1, 0);
    times.frames = frames;
    times.trips = RoundTrip(full, way) * static_cast<double>(fullFrames);
    if (hasRest)
    {
        times.trips += RoundTrip(rest, way);
    }
    times.acknowledged = times.arrive + Ack(way);
    times.lastOut = last.Sum(0, STAGES) + latency;
    times.load = {all.times[DOWNLINK], all.times[DECOMPRESSION], all.times[RECEIVING_HOST]};
    return times;
}

} // namespace inca
