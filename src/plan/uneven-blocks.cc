/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/uneven-blocks.h"

#include "base/wire-format.h"

#include <algorithm>

namespace inca
{

namespace
{

std::uint64_t
FramesOf(std::uint64_t bytes, std::uint64_t payloadBytes)
{
    return std::max<std::uint64_t>(1, (bytes + payloadBytes - 1) / payloadBytes);
}

void
AddChunk(const TrainingJob& job,
         const JobRound& round,
         std::uint64_t parts,
         std::uint64_t payloadBytes,
         Unevenness& sum)
{
    const auto elements = round.plan->Elements();
    const auto bytes = elements / parts * job.bytesPerElement;
    const auto frames = FramesOf(bytes, payloadBytes);
    const auto messages = static_cast<double>(parts);
    sum.mostFrames = std::max(sum.mostFrames, frames);
    sum.frames += frames;
    sum.wireBytes += messages * static_cast<double>(bytes + frames * FrameWireBytes(0));
    if (elements % parts != 0)
    {
        const auto last = INCA_HEADER_BYTES + bytes - (frames - 1) * payloadBytes;
        sum.inFrames = sum.inFrames || elements < parts ||
                       frames != FramesOf(bytes + job.bytesPerElement, payloadBytes) ||
                       FrameWireBytes(last + job.bytesPerElement) !=
                           FrameWireBytes(last) + job.bytesPerElement; // it is padded
        sum.differingBytes += messages * static_cast<double>(job.bytesPerElement);
    }
}

/** A frame in each message is little. */
bool
AreLong(const TrainingJob& job, const Unevenness& uneven)
{
    return uneven.frames >= LONG_MESSAGE_FRAMES * job.chunks.size();
}

std::size_t
ExchangesOf(const TrainingJob& job)
{
    return job.iterations * job.chunks.size();
}

} // namespace

double
AcknowledgementShare(const Scenario& scenario)
{
    const auto full = FrameWireBytes(INCA_HEADER_BYTES + MaxPayloadBytes(scenario.cluster.mtu));
    const auto frames = std::min(scenario.transport.ackEvery, scenario.transport.window);
    return static_cast<double>(FrameWireBytes(INCA_HEADER_BYTES)) /
           (static_cast<double>(frames) * static_cast<double>(full));
}

Unevenness
UnevennessOf(const TrainingJob& job, std::uint64_t parts, std::uint64_t payloadBytes)
{
    Unevenness sum;
    for (const auto& chunk : job.chunks)
    {
        for (const auto& round : chunk.rounds)
        {
            AddChunk(job, round, parts, payloadBytes, sum);
        }
        // what a part of a coded chunk stands for is a share of its gradients, in whole ones
        const auto shared = chunk.coding ? chunk.ValueCount() : 0;
        sum.differingBytes += shared % parts == 0 ? 0 : 1;
    }
    return sum;
}

double
MostUneven(const Scenario& scenario, const TrainingJob& job, const Unevenness& uneven)
{
    if (scenario.host.duplex < 1)
    {
        return MOST_UNEVEN;
    }
    const auto& transport = scenario.transport;
    const auto exchanges = ExchangesOf(job);
    const bool isBorne = AcknowledgementShare(scenario) <= MOST_ACKNOWLEDGEMENTS;
    const bool isShort = uneven.mostFrames <= std::min(transport.ackEvery, transport.window);
    if (job.workers > MOST_NEAR_STEP && exchanges > 1 && scenario.host.sumBytesPerSecond > 0)
    {
        return 0;
    }
    if (IsLoneRing(scenario, job) && MayBeInMiniature(scenario) && !isShort &&
        !AreLong(job, uneven))
    {
        return 0;
    }
    if (isShort || (isBorne && exchanges == 1))
    {
        return std::min(MOST_UNEVEN_ALONE, MOST_OUT_OF_STEP / static_cast<double>(exchanges));
    }
    const bool isOfOneIteration = job.iterations == 1 && scenario.host.sumBytesPerSecond == 0;
    return isBorne && (isOfOneIteration || AreLong(job, uneven)) ? MOST_UNEVEN : 0;
}

bool
IsOneRing(const Scenario& scenario)
{
    const auto& ring = scenario.ring;
    return scenario.exchange.algorithm == "ring" && ring.channels == 1 && ring.chunkBytes == 0;
}

bool
IsLoneRing(const Scenario& scenario, const TrainingJob& job)
{
    return IsOneRing(scenario) && ExchangesOf(job) == 1;
}

bool
MayBeInMiniature(const Scenario& scenario)
{
    constexpr std::uint32_t few = 8;
    const auto& transport = scenario.transport;
    return scenario.cluster.workers >= FEWEST_IN_MINIATURE && scenario.exchange.concurrent == 1 &&
           transport.ackEvery >= few && transport.window >= 2 * transport.ackEvery;
}

} // namespace inca
