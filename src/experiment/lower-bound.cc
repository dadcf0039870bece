/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/lower-bound.h"

#include "base/units.h"
#include "exchange/traffic.h"
#include "model/wire-format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

/** Time by what takes it. (ps) */
struct Parts
{
    std::int64_t linkPs{0};
    std::int64_t enginePs{0};
    std::int64_t hostPs{0};
    std::int64_t computePs{0};

    std::int64_t TotalPs() const
    {
        return linkPs + enginePs + hostPs + computePs;
    }

    const char* Largest() const
    {
        const std::array<std::pair<std::int64_t, const char*>, 4> parts{
            {{linkPs, "link"}, {enginePs, "engine"}, {hostPs, "host"}, {computePs, "compute"}}};
        return std::max_element(parts.begin(),
                                parts.end(),
                                [](const auto& a, const auto& b) { return a.first < b.first; })
            ->second;
    }
};

Parts
Longer(const Parts& a, const Parts& b)
{
    return a.TotalPs() >= b.TotalPs() ? a : b;
}

Parts
Sum(const Parts& a, const Parts& b)
{
    return {a.linkPs + b.linkPs,
            a.enginePs + b.enginePs,
            a.hostPs + b.hostPs,
            a.computePs + b.computePs};
}

Parts
Times(const Parts& parts, double factor)
{
    const auto part = [factor](std::int64_t ps) {
        return static_cast<std::int64_t>(std::floor(static_cast<double>(ps) * factor));
    };
    return {part(parts.linkPs), part(parts.enginePs), part(parts.hostPs), part(parts.computePs)};
}

/** What one rank moves in one direction during all exchanges of an iteration. */
struct Flow
{
    double plainBytes{0};
    double markedBytes{0}; ///< of them, through an engine
    double wireBytes{0};   ///< payload as it travels
    std::uint64_t messages{0};
};

/** What one rank does during all exchanges of an iteration. */
struct RankWork
{
    Flow sent;
    Flow received;
    std::uint64_t addedElements{0};
};

class Bound
{
  public:
    Bound(const Scenario& scenario,
          const GradientTrace& trace,
          const TrainingJob& job,
          EngineSpeed engine)
        : m_scenario(scenario)
        , m_trace(trace)
        , m_job(job)
        , m_engine(engine)
    {
    }

    LowerBound Compute() const
    {
        const auto parts = Iteration();
        return {parts.TotalPs(), parts.Largest()};
    }

  private:
    Parts Iteration() const
    {
        const auto exchange = Exchange();
        const auto [fastest, slowest] = ComputePs();
        if (m_job.chunks.size() == 1)
        {
            const auto copyPs = WorkPs(m_trace.Bytes(), m_scenario.host.copyBytesPerSecond);
            const auto updatePs = m_job.weightsReturn ? 0 : UpdatePs();
            const Parts alone{0, 0, copyPs, slowest + updatePs};
            return Longer(Sum(exchange, {0, 0, copyPs, fastest + updatePs}), alone);
        }
        return Longer(Sum(exchange, BeforeFirstExchange()), {0, 0, 0, slowest});
    }

    /** The rank whose part in the exchanges takes longest. */
    Parts Exchange() const
    {
        Parts longest;
        for (Rank rank = 0; rank < m_job.chunks.front().program->RankCount(); ++rank)
        {
            longest = Longer(longest, OfRank(rank));
        }
        return longest;
    }

    Parts OfRank(Rank rank) const
    {
        const auto work = WorkOf(rank);
        const auto tx = Direction(rank, work.sent, m_scenario.host.messageCostPs);
        const auto rx = Direction(rank, work.received, 0);
        const bool aggregator = rank >= m_job.workers;
        const bool oneByOne = m_job.concurrent == 1;
        // An aggregator sends what it has summed: its directions follow each other.
        const double both = aggregator && oneByOne ? 1.0 : 1.0 - m_job.duplex;
        const auto shorter = tx.TotalPs() < rx.TotalPs() ? tx : rx;
        const auto transfer = Sum(Longer(tx, rx), Times(shorter, both));
        const auto sumPs =
            WorkPs(work.addedElements * m_job.bytesPerElement, m_scenario.host.sumBytesPerSecond);
        const Parts sum{
            0, 0, m_job.sumOnArrival ? 0 : sumPs, aggregator ? AggregatorUpdatePs() : 0};
        return oneByOne ? Sum(transfer, sum) : Longer(transfer, sum);
    }

    /** One direction of one rank: in pipeline, so the slowest of link, engine and host. */
    Parts Direction(Rank rank, const Flow& flow, std::int64_t messageCostPs) const
    {
        const auto fullBytes = MaxPayloadBytes(m_scenario.cluster.mtu);
        const auto headerBytes = FrameWireBytes(INCA_HEADER_BYTES + fullBytes) - fullBytes;
        const auto frames = std::floor(flow.plainBytes / static_cast<double>(fullBytes));
        const auto bytes = flow.wireBytes + frames * static_cast<double>(headerBytes);
        const auto linkPs =
            SerialisationPs(static_cast<std::uint64_t>(bytes), LinkBitsPerSecond(rank));
        const auto enginePs = WorkPs(static_cast<std::uint64_t>(flow.markedBytes),
                                     m_engine.widthBytes * m_engine.hertz);
        const auto hostPs = WorkPs(static_cast<std::uint64_t>(flow.plainBytes),
                                   m_scenario.host.byteBytesPerSecond) +
                            static_cast<std::int64_t>(frames) * m_scenario.host.frameCostPs;
        const Parts slowest =
            Longer(Longer({linkPs, 0, 0, 0}, {0, enginePs, 0, 0}), {0, 0, hostPs, 0});
        return Sum(slowest, {0, 0, static_cast<std::int64_t>(flow.messages) * messageCostPs, 0});
    }

    RankWork WorkOf(Rank rank) const
    {
        RankWork work;
        std::map<const Program*, RankTraffic> traffic; // chunks of one size share a program
        for (const auto& chunk : m_job.chunks)
        {
            auto found = traffic.find(chunk.program.get());
            if (found == traffic.end())
            {
                found = traffic.emplace(chunk.program.get(), Traffic(*chunk.program, rank)).first;
            }
            const auto& [gradient, weight, added] = found->second;
            const auto bits = GradientBits(chunk);
            Add(work.sent, gradient.sentElements, weight.sentElements, bits);
            Add(work.received, gradient.receivedElements, weight.receivedElements, bits);
            work.sent.messages += gradient.sentMessages + weight.sentMessages;
            work.addedElements += added;
        }
        return work;
    }

    void Add(Flow& flow, std::uint64_t gradients, std::uint64_t weights, double gradientBits) const
    {
        const auto bytes = static_cast<double>(m_job.bytesPerElement);
        const auto gradientBytes = static_cast<double>(gradients) * bytes;
        const auto codedBytes = static_cast<double>(gradients) * gradientBits / 8;
        const auto weightBytes = static_cast<double>(weights) * bytes;
        flow.plainBytes += (m_job.hostCodec ? codedBytes : gradientBytes) + weightBytes;
        flow.markedBytes += m_job.engines ? gradientBytes : 0;
        flow.wireBytes += codedBytes + weightBytes;
    }

    /** With values, what they become is not known beforehand, and counts as nothing. */
    double GradientBits(const JobChunk& chunk) const
    {
        const bool coded = m_job.engines || m_job.hostCodec;
        return coded ? m_job.meanBits(chunk.range)
                     : 8.0 * static_cast<double>(m_job.bytesPerElement);
    }

    std::uint64_t LinkBitsPerSecond(Rank rank) const
    {
        const auto& cluster = m_scenario.cluster;
        if (rank >= m_job.workers)
        {
            return cluster.aggregatorBitsPerSecond.value_or(cluster.bitsPerSecond);
        }
        for (const auto& worker : cluster.overrides)
        {
            if (worker.index == rank && worker.bitsPerSecond)
            {
                return *worker.bitsPerSecond;
            }
        }
        return cluster.bitsPerSecond;
    }

    /** Forward and backward of one iteration: of the fastest and of the slowest worker. */
    std::pair<std::int64_t, std::int64_t> ComputePs() const
    {
        std::int64_t meanPs = 0;
        for (const auto& layer : m_trace.layers)
        {
            meanPs += layer.forwardPs + layer.backwardPs;
        }
        const auto ps = static_cast<double>(meanPs) * m_job.accumulation;
        const auto [fastest, slowest] = ComputeScales();
        return {static_cast<std::int64_t>(ps * fastest), static_cast<std::int64_t>(ps * slowest)};
    }

    std::pair<double, double> ComputeScales() const
    {
        const auto& overrides = m_scenario.cluster.overrides;
        const bool someAsTraced = overrides.size() < m_job.workers;
        double fastest = someAsTraced ? 1.0 : overrides.front().computeScale;
        double slowest = fastest;
        for (const auto& worker : overrides)
        {
            fastest = std::min(fastest, worker.computeScale);
            slowest = std::max(slowest, worker.computeScale);
        }
        return {fastest, slowest};
    }

    /** From the start of the last backward pass until the first bucket may be exchanged. */
    Parts BeforeFirstExchange() const
    {
        const auto& bucket = m_job.buckets.front();
        const auto firstLayer = m_job.overlap ? bucket.firstLayer : 0;
        std::int64_t backwardPs = 0;
        for (std::size_t layer = firstLayer; layer < m_trace.layers.size(); ++layer)
        {
            backwardPs += m_trace.layers[layer].backwardPs;
        }
        std::uint64_t bytes = 0;
        for (const auto chunk : bucket.chunks)
        {
            bytes += m_job.chunks[chunk].range.count * m_job.bytesPerElement;
        }
        return {0,
                0,
                WorkPs(bytes, m_scenario.host.copyBytesPerSecond),
                static_cast<std::int64_t>(static_cast<double>(backwardPs) * ComputeScales().first)};
    }

    std::int64_t UpdatePs() const
    {
        std::int64_t ps = 0;
        for (const auto& layer : m_trace.layers)
        {
            ps += layer.updatePs;
        }
        return static_cast<std::int64_t>(static_cast<double>(ps) * ComputeScales().first);
    }

    std::int64_t AggregatorUpdatePs() const
    {
        std::int64_t ps = 0;
        for (const auto& layer : m_job.layers)
        {
            ps += layer.aggregatorUpdatePs;
        }
        return ps;
    }

    const Scenario& m_scenario;
    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    EngineSpeed m_engine;
};

} // namespace

LowerBound
ComputeLowerBound(const Scenario& scenario,
                  const GradientTrace& trace,
                  const TrainingJob& job,
                  EngineSpeed engine)
{
    return Bound(scenario, trace, job, engine).Compute();
}

} // namespace inca
