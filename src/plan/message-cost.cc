/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/message-cost.h"

#include "base/stream-pattern.h"
#include "base/wire-format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr std::size_t g_moving = 6; ///< resources that move bytes

double
CyclesPs(double frames, double bytesOfEach, const EngineSpeed& engine)
{
    if (engine.widthBits == 0)
    {
        return 0;
    }
    const auto cycles = std::ceil(bytesOfEach * 8 / static_cast<double>(engine.widthBits));
    return frames * cycles * g_psPerSecond / static_cast<double>(engine.hertz);
}

double
OnLinkPs(double bytes, std::uint64_t bitsPerSecond)
{
    return bytes * 8 * g_psPerSecond / static_cast<double>(bitsPerSecond);
}

} // namespace

BoundTime
BoundOf(const BusyTimes& busy, Resource resource)
{
    constexpr std::array limits{Limit::HOST,
                                Limit::COMPRESSION,
                                Limit::LINK,
                                Limit::LINK,
                                Limit::DECOMPRESSION,
                                Limit::HOST,
                                Limit::HOST,
                                Limit::HOST,
                                Limit::COMPUTE};
    const auto ps = busy[static_cast<std::size_t>(resource)];
    const auto encodes = busy[static_cast<std::size_t>(Resource::COMPRESSION)];
    const auto decodes = busy[static_cast<std::size_t>(Resource::DECOMPRESSION)];
    const bool isEngine = resource == Resource::COMPRESSION || resource == Resource::DECOMPRESSION;
    const bool areBoth =
        isEngine && std::max(encodes, decodes) < RAISE * std::min(encodes, decodes);
    return {areBoth ? Limit::ENGINES : limits[static_cast<std::size_t>(resource)], ps};
}

MessageCost::MessageCost(const Scenario& scenario,
                         const TrainingJob& job,
                         const NetworkSpeed& network)
    : m_scenario(scenario),
      m_job(job),
      m_network(network),
      m_payload(MaxPayloadBytes(scenario.cluster.mtu)),
      m_fastest(*std::max_element(network.linkBitsPerSecond.begin(),
                                  network.linkBitsPerSecond.begin() + job.workers)),
      m_latencyPs(2 * static_cast<double>(network.linkLatencyPs) +
                  static_cast<double>(network.switchLatencyPs))
{
}

double
MessageCost::BitsOf(const JobChunk& chunk) const
{
    const bool coded = m_job.engines || m_job.hostCodec;
    return coded ? m_job.meanBits(chunk.range) : 8.0 * static_cast<double>(m_job.bytesPerElement);
}

double
MessageCost::HostPs(std::uint64_t elements, std::uint64_t bytesPerSecond) const
{
    const auto bytes = static_cast<double>(elements * m_job.bytesPerElement);
    return bytesPerSecond == 0 ? 0 : bytes * g_psPerSecond / static_cast<double>(bytesPerSecond);
}

/** As hosts move them. */
std::uint64_t
MessageCost::PlainBytes(PayloadKind kind, double bits, std::uint64_t elements) const
{
    if (kind == PayloadKind::GRADIENT && m_job.hostCodec)
    {
        return static_cast<std::uint64_t>(static_cast<double>(elements) * bits / 8);
    }
    return elements * m_job.BytesPerElement(kind);
}

double
MessageCost::BusyPs(Resource resource,
                    PayloadKind kind,
                    double bitsPerElement,
                    std::uint64_t messages,
                    std::uint64_t elements,
                    std::uint64_t bitsPerSecond) const
{
    const auto bytes = PlainBytes(kind, bitsPerElement, elements);
    const auto plain = static_cast<double>(bytes);
    const auto full = static_cast<double>(m_payload);
    // Every message may end with a frame that is not full.
    const auto frames = static_cast<double>(std::max<std::uint64_t>(
        messages, messages == 1 ? (bytes + m_payload - 1) / m_payload : bytes / m_payload));
    const bool marked = m_job.IsForEngines(kind);
    const auto coded = marked ? static_cast<double>(elements) * bitsPerElement / 8 : plain;
    switch (resource)
    {
    case Resource::SENDING_HOST:
    case Resource::RECEIVING_HOST:
    {
        const auto rate = m_scenario.host.byteBytesPerSecond;
        return frames * static_cast<double>(m_scenario.host.frameCostPs) +
               (rate == 0 ? 0 : plain * g_psPerSecond / static_cast<double>(rate));
    }
    case Resource::COMPRESSION:
    case Resource::DECOMPRESSION:
    {
        const auto& engine = resource == Resource::COMPRESSION ? m_network.engines.compression
                                                               : m_network.engines.decompression;
        const auto surelyFull = std::max(
            0.0, std::floor(plain / full) - (messages == 1 ? 0.0 : static_cast<double>(messages)));
        return marked ? CyclesPs(surelyFull, full, engine) +
                            CyclesPs(1, 1, engine) * (plain - surelyFull * full) * 8 /
                                static_cast<double>(std::max<std::uint64_t>(1, engine.widthBits))
                      : 0;
    }
    case Resource::UPLINK:
    case Resource::DOWNLINK:
    {
        const auto headers =
            static_cast<double>(FrameWireBytes(INCA_HEADER_BYTES + m_payload)) - full;
        const auto floors = marked ? frames : 0; // streams of frames end with a whole byte
        return OnLinkPs(std::max(coded - floors + frames * headers,
                                 frames * static_cast<double>(FrameWireBytes(0))),
                        bitsPerSecond);
    }
    default:
        return 0;
    }
}

/** Of one message of a round. */
BusyTimes
MessageCost::OneMessage(const Rounds& rounds,
                        double bits,
                        std::uint64_t elements,
                        std::uint64_t bitsPerSecond) const
{
    BusyTimes busy{};
    for (std::size_t i = 0; i < g_moving; ++i)
    {
        const auto resource = static_cast<Resource>(i);
        busy[i] = BusyPs(resource, rounds.kind, bits, 1, elements, bitsPerSecond);
    }
    return busy;
}

/**
 * From the first departure of @p frames to the end of the last. With w frames in the window and a to an
 * acknowledgement, frame w waits for that of the first a; and that of the m-th batch behind it,
 * m = ceil((w - a + 1) / a), for frame w.
 */
double
MessageCost::Windowed(std::uint64_t frames, double framePs, double tripPs) const
{
    const std::uint64_t window = m_scenario.transport.window;
    if (frames <= window)
    {
        return static_cast<double>(frames) * framePs;
    }
    const auto perAck = std::min<std::uint64_t>(m_scenario.transport.ackEvery, window);
    const auto batches = window / perAck;
    const auto periodPs =
        tripPs + framePs * static_cast<double>((batches + 1) * perAck - 1 - window);
    const auto waiting = frames - 1 - window;
    const auto periods = waiting / (batches * perAck);
    const auto others = waiting % (batches * perAck);
    return framePs * static_cast<double>(perAck + others) + tripPs +
           periodPs * static_cast<double>(periods);
}

/** All frames through one resource after the other: the first is late by those before it, the last by those behind it. */
BoundTime
MessageCost::Pipeline(const Rounds& rounds, double bits) const
{
    const auto other = m_network.linkBitsPerSecond.back();
    const auto slower = rounds.atOther ? std::min(m_fastest, other) : m_fastest;
    const auto faster = rounds.atOther ? std::max(m_fastest, other) : m_fastest;
    const auto bytes = std::max<std::uint64_t>(1, PlainBytes(rounds.kind, bits, rounds.elements));
    const auto frames = (bytes + m_payload - 1) / m_payload;
    const auto firstElements = rounds.elements * std::min(bytes, m_payload) / bytes;
    const auto lastElements = rounds.elements * (bytes - (frames - 1) * m_payload) / bytes;
    const auto first = OneMessage(rounds, bits, firstElements, faster);
    const auto last = OneMessage(rounds, bits, lastElements, faster);
    const auto all = OneMessage(rounds, bits, rounds.elements, slower);
    auto slowest = static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());

    constexpr auto uplink = static_cast<std::size_t>(Resource::UPLINK);
    const auto ackBytes = static_cast<double>(FrameWireBytes(INCA_HEADER_BYTES));
    const auto tripPs = std::accumulate(first.begin(), first.end(), 0.0) + 2 * m_latencyPs +
                        2 * OnLinkPs(ackBytes, faster);
    auto heldPs = Windowed(frames, first[uplink], tripPs);
    for (std::size_t i = 0; i <= uplink; ++i)
    {
        heldPs -= first[i] - last[i]; // the last frame may be a smaller one
    }
    const bool isHeld = frames > m_scenario.transport.window && heldPs > all[slowest];
    slowest = isHeld ? uplink : slowest;
    const auto busy =
        isHeld ? BoundTime(Limit::WINDOW, heldPs) : BoundOf(all, static_cast<Resource>(slowest));

    BoundTime others{Limit::LATENCY, m_latencyPs};
    others += {Limit::HOST, static_cast<double>(m_scenario.host.messageCostPs)};
    for (std::size_t i = 0; i < g_moving; ++i)
    {
        const auto& through = i < slowest ? first : last;
        others += i == slowest ? BoundTime{} : BoundOf(through, static_cast<Resource>(i));
    }
    return busy * static_cast<double>(rounds.messages) + others * static_cast<double>(rounds.count);
}

/** Messages in turn of one sender, or to one receiver, whose other ends have one each. */
BoundTime
MessageCost::InTurn(const Rounds& rounds, double bits) const
{
    const auto rate = rounds.atOther ? m_network.linkBitsPerSecond.back() : m_fastest;
    auto busy = OneMessage(rounds, bits, rounds.elements, rate);
    for (auto& ps : busy)
    {
        ps *= static_cast<double>(rounds.messages);
    }
    const bool areReceived = rounds.atOther && rounds.added > 0;
    const auto begin = busy.begin() + (areReceived ? g_moving / 2 : 0);
    const auto slowest = std::max_element(begin, begin + g_moving / 2) - busy.begin();
    return BoundOf(busy, static_cast<Resource>(slowest)) + BoundTime{Limit::LATENCY, m_latencyPs};
}

BoundTime
MessageCost::Moving(const Rounds& rounds, double bits) const
{
    if (rounds.count == 0 || rounds.messages == rounds.count)
    {
        return Pipeline(rounds, bits);
    }
    auto one = rounds;
    one.messages = rounds.count;
    return Longer(Pipeline(one, bits), InTurn(rounds, bits));
}

BoundTime
MessageCost::Of(const Rounds& rounds, const JobChunk& chunk) const
{
    if (rounds.elements == 0 || rounds.messages == 0)
    {
        return {};
    }
    const auto& codec = m_scenario.codec;
    auto sum = Moving(rounds, BitsOf(chunk));
    const bool coded = m_job.hostCodec && rounds.kind == PayloadKind::GRADIENT;
    if (coded)
    {
        const auto count = static_cast<double>(rounds.count);
        sum += {Limit::HOST, count * HostPs(rounds.elements, codec.encodeBytesPerSecond)};
        sum += {Limit::HOST, count * HostPs(rounds.elements, codec.decodeBytesPerSecond)};
    }
    const auto onArrival = m_job.sumOnArrival && rounds.atOther;
    const auto added = onArrival ? std::min(rounds.added, rounds.elements) : rounds.added;
    sum += {Limit::HOST, HostPs(added, m_scenario.host.sumBytesPerSecond)};
    if (rounds.updates)
    {
        sum += {Limit::COMPUTE,
                static_cast<double>(m_job.AggregatorUpdatePs(chunk, {0, chunk.ValueCount()}))};
    }
    return sum;
}

} // namespace inca
