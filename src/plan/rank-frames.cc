/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/rank-frames.h"

#include "base/wire-format.h"

#include <algorithm>

namespace inca
{

Framing
FramingOf(const Scenario& scenario, std::uint64_t bytesPerElement)
{
    const auto& transport = scenario.transport;
    return {bytesPerElement,
            MaxPayloadBytes(scenario.cluster.mtu),
            std::min(transport.ackEvery, transport.window)};
}

void
MessageTraffic::Add(std::uint64_t elementsOfEach, std::uint64_t times, const Framing& framing)
{
    const auto bytes = elementsOfEach * framing.bytesPerElement;
    const auto full = bytes == 0 ? 0 : (bytes - 1) / framing.payloadBytes; // but the last
    const auto fullBytes = FrameWireBytes(INCA_HEADER_BYTES + framing.payloadBytes);
    const auto lastBytes = FrameWireBytes(INCA_HEADER_BYTES + bytes - full * framing.payloadBytes);
    elements += times * elementsOfEach;
    frames += times * (full + 1);
    wireBytes += times * (full * fullBytes + lastBytes);
    acknowledgements += times * (full / framing.ackFrames + 1);
}

void
MessageTraffic::Add(const MessageTraffic& other, std::uint64_t times)
{
    elements += times * other.elements;
    frames += times * other.frames;
    wireBytes += times * other.wireBytes;
    acknowledgements += times * other.acknowledgements;
}

void
RankFrames::Add(const RankFrames& other, std::uint64_t times)
{
    sent.Add(other.sent, times);
    received.Add(other.received, times);
}

RankFrames
WalkedFrames(const StepPlan& plan, Rank rank, const Framing& framing)
{
    RankFrames traffic;
    for (std::uint32_t number = 0; number < plan.StepCount(rank); ++number)
    {
        const auto step = plan.At(rank, number);
        for (const auto& transfer : step.sends)
        {
            traffic.sent.Add(transfer.range.count, 1, framing);
        }
        for (const auto& transfer : step.receives)
        {
            traffic.received.Add(transfer.range.count, 1, framing);
        }
    }
    return traffic;
}

} // namespace inca
