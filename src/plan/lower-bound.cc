/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/lower-bound.h"

#include "base/units.h"
#include "base/wire-format.h"
#include "plan/network-sum-bound.h"
#include "plan/rank-work.h"
#include "plan/time-parts.h"
#include "plan/trace-times.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

namespace inca
{

namespace
{

/** Whole picoseconds of what one rank does in an iteration's exchanges. */
struct RankTimes
{
    TimeParts sending;
    TimeParts receiving;
    TimeParts encoding; ///< on the host
    TimeParts decoding;
    TimeParts adding;
    TimeParts updating; ///< an aggregator's
    TimeParts summing;  ///< handing values to the network, and getting sums
};

bool
RoundsOverlap(const TrainingJob& job)
{
    const auto& coding = job.chunks.front().coding;
    return coding && coding->Overlaps();
}

/** What a worker does with a bucket before it is copied. */
std::int64_t
BeforePs(const JobBucket& bucket)
{
    return bucket.reducePs + bucket.sparsifyPs;
}

class Bound
{
  public:
    Bound(const Scenario& scenario,
          const GradientTrace& trace,
          const TrainingJob& job,
          const NetworkSpeed& network)
        : m_scenario(scenario),
          m_trace(trace),
          m_job(job),
          m_network(network),
          m_scheme(SumsInNetwork(scenario) ? MakeScheme(scenario) : nullptr),
          m_times(SumTimes(trace)),
          m_oneByOne((job.concurrent == 1 || job.chunks.size() == 1) && !RoundsOverlap(job))
    {
        m_workersCoding = {0, 0, WorkOf(job, 0).codedPs, 0};
        const auto& rates = network.linkBitsPerSecond;
        const auto workers = rates.begin() + job.workers;
        m_equalLinks = std::adjacent_find(rates.begin(), workers, std::not_equal_to<>()) == workers;
    }

    LowerBound Compute() const
    {
        const auto parts = Iteration();
        return {parts.TotalPs(), parts.Largest()};
    }

  private:
    /** The rank, or switch, whose part in an iteration takes longest. */
    TimeParts Iteration() const
    {
        TimeParts longest = OfSwitches();
        for (Rank rank = 0; rank < m_job.RankCount(); ++rank)
        {
            const auto work = WorkOf(m_job, rank);
            const auto times = TimesOf(rank, work);
            longest =
                Longer(longest,
                       rank < m_job.workers ? Longer(Sum(OfWorker(times), Beside(ScaleOf(rank))),
                                                     Alone(ScaleOf(rank)))
                                            : OfServer(rank, work, times));
        }
        return longest;
    }

    /** No switch gets a value before the fastest worker has one. */
    TimeParts OfSwitches() const
    {
        const auto sums = WorkOf(m_job, 0).networkSums;
        return sums.empty() ? TimeParts{}
                            : Sum(NetworkSumsOnSwitches(*m_scheme, m_network.switches, sums),
                                  Beside(FastestScale()));
    }

    /** Per iteration, what a worker does in turn with its exchanges. */
    TimeParts Beside(double scale) const
    {
        return m_job.chunks.size() == 1 ? BesideOneExchange(scale) : BeforeFirstExchange(scale);
    }

    /** What a worker does even if its exchanges cost nothing. */
    TimeParts Alone(double scale) const
    {
        return Longer({0, 0, 0, Scaled(BatchesPs(), scale)}, {0, 0, LongestCopyPs(), 0});
    }

    /** Copies follow each other, and so do the sums and copies between a worker's GPUs. */
    std::int64_t LongestCopyPs() const
    {
        std::int64_t betweenGpusPs = 0;
        for (const auto& bucket : m_job.buckets)
        {
            betweenGpusPs += bucket.reducePs;
        }
        for (const auto& chunk : m_job.chunks)
        {
            betweenGpusPs += chunk.gatherPs;
        }
        return std::max(betweenGpusPs, WorkPs(m_trace.Bytes(), CopyBytesPerSecond(m_scenario)));
    }

    std::int64_t BatchesPs() const
    {
        return m_job.accumulation * (m_times.forwardPs + m_times.backwardPs);
    }

    /**
     * All gradients go at once, so everything but the updates is in turn. A layer's update and the
     * next forward pass of the layers below it overlap, unless there is a barrier.
     */
    TimeParts BesideOneExchange(double scale) const
    {
        const auto firstPs = BatchesPs();
        const auto nextForwardPs =
            ForwardAfterUpdatesPs(m_trace, !m_job.weightsReturn, m_job.barrier);
        const auto repeatedPs = firstPs - m_times.forwardPs + nextForwardPs;
        const auto copyPs = WorkPs(m_trace.Bytes(), CopyBytesPerSecond(m_scenario)) +
                            BeforePs(m_job.buckets.front()) + m_job.chunks.front().gatherPs;
        if (m_scenario.simulation.warmup > 0)
        {
            return {0, 0, copyPs, Scaled(repeatedPs, scale)};
        }
        const auto lastPs = m_job.weightsReturn ? 0 : m_times.updatePs;
        // The mean: one first pass and one last update among all, the rest repeated.
        const double once = 1.0 / m_job.iterations;
        const auto meanPs = Scaled(firstPs + lastPs, once) + Scaled(repeatedPs, 1.0 - once);
        return {0, 0, copyPs, Scaled(meanPs, scale)};
    }

    RankTimes TimesOf(Rank rank, const RankWork& work) const
    {
        const auto& codec = m_scenario.codec;
        const auto encodingPs =
            WorkPs(work.encodedBytes, codec.encodeBytesPerSecond) + work.codedPs;
        const auto decodingPs = WorkPs(work.decodedBytes, codec.decodeBytesPerSecond);
        const auto addingPs = WorkPs(work.addedBytes, m_scenario.host.sumBytesPerSecond);
        return {Direction(
                    rank, work.sent, m_network.engines.compression, m_scenario.host.messageCostPs),
                Direction(rank, work.received, m_network.engines.decompression, 0),
                {0, 0, encodingPs, 0},
                {0, 0, decodingPs, 0},
                {0, 0, addingPs, 0},
                {0, 0, 0, rank < m_job.workers || !m_job.weightsReturn ? 0 : AggregatorUpdatePs()},
                Summing(rank, work.networkSums)};
    }

    TimeParts Summing(Rank rank, const NetworkSums& sums) const
    {
        return sums.empty()
                   ? TimeParts{}
                   : NetworkSumsOnWorker(
                         *m_scheme, m_scenario.host, m_network.linkBitsPerSecond[rank], sums);
    }

    TimeParts OfWorker(const RankTimes& times) const
    {
        // Exchanges that overlap alternate each for itself, so the host's directions overlap too.
        const auto messages = Alternating(
            times.sending, times.receiving, m_oneByOne ? 1.0 - m_scenario.host.duplex : 0.0);
        const auto transfer = Sum(messages, times.summing);
        const auto work = Sum(Sum(times.encoding, times.decoding), times.adding);
        return m_oneByOne && m_equalLinks ? Sum(transfer, work) : Longer(transfer, work);
    }

    /** An aggregator, or a server, which updates nothing, and encodes its sum before it sends it. */
    TimeParts OfServer(Rank rank, const RankWork& work, const RankTimes& times) const
    {
        const auto workers = Beside(FastestScale());
        const auto& [sending, receiving, encoding, decoding, adding, updating, summing] = times;
        const auto taking = Longer(receiving, decoding);
        if (!m_oneByOne)
        {
            const auto coding = Sum(encoding, decoding); // on one resource
            const auto working = Longer(coding, Longer(adding, updating));
            return Sum(Longer(Longer(sending, receiving), working), workers);
        }
        const auto inBetween =
            Sum(m_job.sumOnArrival ? TimeParts{} : adding, Sum(updating, encoding));
        const auto inTurn = Sum(Sum(taking, inBetween), sending);
        const auto lastIn = Sum(Times(receiving, OneTensor(work.received)), sending);
        const auto firstOut = Sum(Times(sending, OneTensor(work.sent)), taking);
        const auto besides = Sum(workers, m_workersCoding);
        auto first = Sum(InTurn(rank), besides);
        auto repeated = Sum(Sum(inBetween, Longer(lastIn, firstOut)), besides);
        if (m_scenario.host.duplex < 1.0 && m_job.concurrent == 1)
        {
            repeated = Longer(repeated, inTurn); // nobody may send before it has sent everything
            first = Longer(first, Sum(inTurn, workers));
        }
        return Mean(first, repeated);
    }

    /**
     * The first exchange of a server: it takes, adds and sends in turn; but of several rounds, words of
     * the next come in while sums of the one before go out.
     */
    TimeParts InTurn(Rank rank) const
    {
        TimeParts all;
        TimeParts sendingBefore;
        Flow sentBefore;
        for (std::uint32_t round = 0; round < m_job.RoundCount(); ++round)
        {
            const auto work = WorkOfRound(m_job, rank, round);
            const auto times = TimesOf(rank, work);
            const auto taking = Longer(times.receiving, times.decoding);
            const auto lastIn =
                Sum(sendingBefore, Times(times.receiving, OneTensor(work.received)));
            const auto firstOut = Sum(Times(sendingBefore, OneTensor(sentBefore)), taking);
            const auto adding = m_job.sumOnArrival ? TimeParts{} : times.adding;
            all = Sum(all, round == 0 ? taking : Longer(lastIn, firstOut));
            all = Sum(all, Sum(adding, Sum(times.updating, times.encoding)));
            sendingBefore = times.sending;
            sentBefore = work.sent;
        }
        return Sum(all, sendingBefore);
    }

    /** The share of @p flow that is one whole tensor; of a server's, one copy of its block. */
    double OneTensor(const Flow& flow) const
    {
        if (!m_job.weightsReturn)
        {
            return 1.0 / m_job.workers;
        }
        return static_cast<double>(m_trace.Elements()) / static_cast<double>(flow.elements);
    }

    /** Of all measured iterations, when only the run's very first exchange had nothing before it. */
    TimeParts Mean(const TimeParts& first, const TimeParts& repeated) const
    {
        if (m_scenario.simulation.warmup > 0 || m_job.chunks.size() > 1)
        {
            return repeated;
        }
        const auto others = 1.0 - 1.0 / m_job.iterations;
        return Sum(Times(first, 1.0 / m_job.iterations), Times(repeated, others));
    }

    /** One direction of one rank: in pipeline, so the slowest of link, engine and host. */
    TimeParts Direction(Rank rank,
                        const Flow& flow,
                        const EngineSpeed& engine,
                        std::int64_t messageCostPs) const
    {
        const auto fullBytes = MaxPayloadBytes(m_scenario.cluster.mtu);
        const auto headerBytes = FrameWireBytes(INCA_HEADER_BYTES + fullBytes) - fullBytes;
        const auto frames = std::floor(flow.plainBytes / static_cast<double>(fullBytes));
        const auto bytes = flow.wireBytes + frames * static_cast<double>(headerBytes);
        const auto linkPs =
            SerialisationPs(static_cast<std::uint64_t>(bytes), m_network.linkBitsPerSecond[rank]);
        const auto messagesPs =
            MulDivCeil(flow.messages, static_cast<std::uint64_t>(messageCostPs), 1);
        const auto hostPs = WorkPs(static_cast<std::uint64_t>(flow.plainBytes),
                                   m_scenario.host.byteBytesPerSecond) +
                            MulDivCeil(static_cast<std::uint64_t>(frames),
                                       static_cast<std::uint64_t>(m_scenario.host.frameCostPs),
                                       1);
        const auto wire = Longer({linkPs, 0, 0, 0}, {0, EnginePs(flow, engine), 0, 0});
        // A message that follows another one is begun when that one has left.
        return m_oneByOne ? Sum(Longer(wire, {0, 0, hostPs, 0}), {0, 0, messagesPs, 0})
                          : Longer(wire, {0, 0, hostPs + messagesPs, 0});
    }

    static std::int64_t EnginePs(const Flow& flow, const EngineSpeed& engine)
    {
        if (engine.widthBits == 0)
        {
            return 0;
        }
        constexpr std::uint64_t psPerSecond = 1'000'000'000'000;
        const auto cycles = static_cast<std::uint64_t>(flow.markedBytes) * 8 / engine.widthBits;
        return MulDivCeil(cycles, psPerSecond, engine.hertz);
    }

    static std::int64_t Scaled(std::int64_t ps, double scale)
    {
        return static_cast<std::int64_t>(static_cast<double>(ps) * scale);
    }

    double ScaleOf(Rank worker) const
    {
        const auto& overrides = m_scenario.cluster.overrides;
        const auto found = std::find_if(overrides.begin(),
                                        overrides.end(),
                                        [worker](const auto& o) { return o.index == worker; });
        return found == overrides.end() ? 1.0 : found->computeScale;
    }

    double FastestScale() const
    {
        double fastest = ScaleOf(0);
        for (Rank worker = 1; worker < m_job.workers; ++worker)
        {
            fastest = std::min(fastest, ScaleOf(worker));
        }
        return fastest;
    }

    /** From the start of the last backward pass until the first bucket may be exchanged. */
    TimeParts BeforeFirstExchange(double scale) const
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
        const auto hostPs = WorkPs(bytes, CopyBytesPerSecond(m_scenario)) + BeforePs(bucket);
        return {0, 0, hostPs, Scaled(backwardPs, scale)};
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
    const NetworkSpeed& m_network;
    std::unique_ptr<AggregationScheme> m_scheme; ///< of the switches, if they add
    TraceTimes m_times;
    TimeParts m_workersCoding; ///< in turn with their rounds
    bool m_oneByOne;           ///< exchanges follow each other
    bool m_equalLinks;
};

} // namespace

LowerBound
ComputeLowerBound(const Scenario& scenario,
                  const GradientTrace& trace,
                  const TrainingJob& job,
                  const NetworkSpeed& network)
{
    return Bound(scenario, trace, job, network).Compute();
}

} // namespace inca
