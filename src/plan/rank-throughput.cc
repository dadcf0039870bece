/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/rank-throughput.h"

#include "base/wire-format.h"
#include "plan/exchange-times.h"
#include "plan/message-times.h"
#include "plan/resource-times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

namespace inca
{

namespace
{

/** Frames of a flow that surely are full: every message may end with one that is not. */
std::uint64_t
FullFrames(double bytes, std::uint64_t messages, std::uint64_t payload)
{
    const auto frames = std::floor(bytes / static_cast<double>(payload));
    return static_cast<std::uint64_t>(std::max(0.0, frames - static_cast<double>(messages)));
}

LimitedTime
InEngine(Limit limit, const Flow& flow, std::uint64_t payload, const EngineSpeed& engine)
{
    if (engine.widthBits == 0)
    {
        return {};
    }
    constexpr double psPerSecond = 1e12;
    const auto width = static_cast<double>(engine.widthBits);
    const auto frames = static_cast<double>(FullFrames(flow.markedBytes, flow.messages, payload));
    const auto full = static_cast<double>(payload);
    const auto cycles =
        frames * std::ceil(full * 8 / width) + (flow.markedBytes - frames * full) * 8 / width;
    return {limit, cycles * psPerSecond / static_cast<double>(engine.hertz)};
}

LimitedTime
FlowOnLink(const Flow& flow, std::uint64_t payload, std::uint64_t bitsPerSecond)
{
    const auto frames = std::max<double>(std::floor(flow.plainBytes / static_cast<double>(payload)),
                                         static_cast<double>(flow.messages));
    const auto headers = FrameWireBytes(INCA_HEADER_BYTES + payload) - payload;
    const auto bytes = flow.wireBytes + frames * static_cast<double>(headers);
    return OnLink(static_cast<std::uint64_t>(bytes), bitsPerSecond);
}

LimitedTime
FlowOnHost(const HostSettings& host, const Flow& flow, std::uint64_t payload)
{
    const auto frames = std::floor(flow.plainBytes / static_cast<double>(payload));
    return MovingFrames(host,
                        std::max(flow.messages, static_cast<std::uint64_t>(frames)),
                        static_cast<std::uint64_t>(flow.plainBytes));
}

LimitedTime
Updating(const TrainingJob& job)
{
    LimitedTime updating;
    for (const auto& layer : job.layers)
    {
        updating += {Limit::COMPUTE, static_cast<double>(layer.aggregatorUpdatePs)};
    }
    return updating;
}

/** What the window does to the busiest of a rank's connections. */
class ConnectionTimes
{
  public:
    ConnectionTimes(const Scenario& scenario,
                    const TrainingJob& job,
                    const NetworkSpeed& network,
                    Rank rank)
        : m_scenario(scenario),
          m_job(job),
          m_clock(scenario, job, network),
          m_rank(rank)
    {
    }

    LimitedTime Longest()
    {
        for (const auto& [first, count] : RunsOfAlike(m_job))
        {
            AddChunk(m_job.chunks[first], static_cast<double>(count));
        }
        LimitedTime longest;
        for (const auto& [peer, trips] : m_trips)
        {
            longest.Await(InWindow(peer, trips));
        }
        return longest;
    }

  private:
    void AddChunk(const JobChunk& chunk, double count)
    {
        for (const auto& round : chunk.rounds)
        {
            const auto steps = round.plan->Elements() > 0 ? round.plan->StepCount(m_rank) : 0;
            for (std::uint32_t step = 0; step < steps; ++step)
            {
                for (const auto& send : round.plan->At(m_rank, step).sends)
                {
                    const auto parcel = m_clock.ParcelOf(chunk, send.leg, send.range);
                    m_trips[send.peer] += m_clock.Of(parcel, m_rank, send.peer).trips * count;
                }
            }
        }
    }

    /** Every frame waits for the one a window before it: of as many lines, the mean, but for one trip. */
    LimitedTime InWindow(Rank peer, const LimitedTime& trips)
    {
        const Parcel frame{MaxPayloadBytes(m_scenario.cluster.mtu), false, 0};
        const auto first = m_clock.Of(frame, m_rank, peer).trips;
        const auto window = m_scenario.transport.window;
        return LimitedTime::With(Limit::WINDOW,
                                 trips * (1.0 / window) - first,
                                 trips * (1.0 / static_cast<double>(Raised(window))) - first);
    }

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    MessageClock m_clock;
    Rank m_rank;
    std::map<Rank, LimitedTime> m_trips; ///< by peer
};

} // namespace

RankThroughput
ThroughputOf(const Scenario& scenario,
             const TrainingJob& job,
             const NetworkSpeed& network,
             Rank rank)
{
    const auto work = WorkOf(job, rank);
    const auto payload = MaxPayloadBytes(scenario.cluster.mtu);
    const auto rate = network.linkBitsPerSecond[rank];
    const auto& [compression, decompression] = network.engines;
    const LimitedTime messages{Limit::HOST,
                               static_cast<double>(work.sent.messages) *
                                   static_cast<double>(scenario.host.messageCostPs)};
    RankThroughput busy;
    busy.sending = FlowOnHost(scenario.host, work.sent, payload) + messages;
    busy.sending.Await(InEngine(Limit::COMPRESSION, work.sent, payload, compression));
    busy.sending.Await(FlowOnLink(work.sent, payload, rate));
    busy.sending.Await(ConnectionTimes(scenario, job, network, rank).Longest());
    busy.taking = FlowOnHost(scenario.host, work.received, payload);
    busy.taking.Await(InEngine(Limit::DECOMPRESSION, work.received, payload, decompression));
    busy.taking.Await(FlowOnLink(work.received, payload, rate));

    busy.working = OnHost(work.encodedBytes, scenario.codec.encodeBytesPerSecond) +
                   OnHost(work.decodedBytes, scenario.codec.decodeBytesPerSecond) +
                   LimitedTime{Limit::HOST, static_cast<double>(work.codedPs)};
    busy.working.Await(OnHost(work.addedBytes, scenario.host.sumBytesPerSecond));
    if (job.weightsReturn && rank >= job.workers)
    {
        busy.working.Await(Updating(job));
    }
    return busy;
}

} // namespace inca
