/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/lower-bound.h"

#include "base/wire-format.h"
#include "exchange/aggregation-scheme.h"
#include "exchange/exchange-catalog.h"
#include "exchange/rank-load.h"
#include "exchange/shards.h"
#include "plan/bound-time.h"
#include "plan/compute-times.h"
#include "plan/job-exchanges.h"
#include "scenario/specs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace inca
{

namespace
{

using Times = std::vector<BoundTime>; ///< by chunk, or by bucket

constexpr Rank g_mostRanks = 128;              ///< that are looked at, where all differ
constexpr std::uint64_t g_mostSteps = 100'000; ///< of all ranks, of which each message is looked at

/** Where both engines are about as fast, a faster one alone changes nothing. */
std::array<Limit, 2>
EngineLimits(const NetworkSpeed& network)
{
    const auto [slower, faster] =
        std::minmax(network.compressionBitsPerSecond, network.decompressionBitsPerSecond);
    const bool areEqual = static_cast<double>(faster) < RAISE * static_cast<double>(slower);
    return areEqual ? std::array{Limit::ENGINES, Limit::ENGINES}
                    : std::array{Limit::COMPRESSION, Limit::DECOMPRESSION};
}

BoundTime
SumOf(const Times& times)
{
    return std::accumulate(times.begin(), times.end(), BoundTime{});
}

BoundTime
OnLink(double wireBytes, std::uint64_t bitsPerSecond)
{
    return {Limit::LINK, wireBytes * 8, bitsPerSecond};
}

/** What sums of switches take at least. */
class SumCost
{
  public:
    /** @param resolved with a scheme; outlives it */
    explicit SumCost(const Resolved& resolved)
        : m_scenario(resolved.scenario),
          m_network(resolved.network),
          m_scheme(*resolved.scheme)
    {
        const auto rates = m_network.linkBitsPerSecond.begin();
        const auto [slowest, fastest] =
            std::minmax_element(rates, rates + m_scenario.cluster.workers);
        m_slowestLink = *slowest;
        m_fastestLink = *fastest;
    }

    /** The longest of hosts, links, adders and slots for @p sums in any order, from the first worker's begin. */
    BoundTime Of(const ReductionCounts& sums) const
    {
        std::uint64_t added = 0; // words of each worker
        std::uint64_t moved = 0; // that a worker sends, or, of what is gathered, gets
        double count = 0;
        for (const auto& [sum, times] : sums)
        {
            const bool gathers = sum.phase == SumPhase::ALL_GATHER;
            added += gathers ? 0 : times * sum.words;
            moved += times * (gathers ? WordsGot(sum, 0, m_scenario.cluster.workers) : sum.words);
            count += static_cast<double>(times);
        }
        const auto [frames, wireBytes, gotBytes] = m_scheme.TrafficOf(sums);
        const auto smallest = static_cast<double>(m_scheme.LongestChain(sums).emptyWireBytes);
        const auto onLink = static_cast<double>(std::max(wireBytes, gotBytes)) - smallest;
        auto longest = Slots(sums);
        longest.Await(OnLink(onLink, m_slowestLink) +
                      Trip(smallest, smallest, 0, m_network.fewestLevels));
        if (m_network.levels > 1)
        {
            longest.Await(OnTrunk(static_cast<double>(wireBytes)));
        }
        longest.Await({Limit::ADDER,
                       static_cast<double>(m_network.mostChildren * added),
                       m_scheme.AddedValuesPerSecond()});
        // Of several sums hosts begin one while others are under way.
        const auto valueBytes = m_scheme.Numbers().adder.sum->bytes;
        const auto moving =
            OnHosts(static_cast<double>(frames), static_cast<double>(valueBytes * moved));
        const auto messages = BoundTime{Limit::HOST, m_scenario.host.messageCostPs} * count;
        return count == 1 ? longest.Await(moving) + messages : longest.Await(moving + messages);
    }

  private:
    BoundTime OnHosts(double frames, double bytes) const
    {
        return BoundTime{Limit::HOST, bytes, m_scenario.host.byteBytesPerSecond} +
               BoundTime{Limit::HOST, m_scenario.host.frameCostPs} * frames;
    }

    BoundTime OnTrunk(double wireBytes) const
    {
        return {Limit::TRUNK, wireBytes * 8, m_network.trunkBitsPerSecond};
    }

    /**
     * A packet from the farthest worker's host to the root, and its sum down to a host.
     * @param payloadBytes of both
     */
    BoundTime Trip(double wireBytes,
                   double sumWireBytes,
                   double payloadBytes,
                   std::uint32_t levelsDown) const
    {
        const auto links = m_network.levels + levelsDown; // of which two are hosts'
        return OnHosts(2, payloadBytes) + OnLink(wireBytes + sumWireBytes, m_fastestLink) +
               OnTrunk(sumWireBytes) * (links - 2) +
               BoundTime{Limit::LATENCY,
                         links * m_scenario.cluster.latencyPs +
                             (links - 1) * m_scenario.inSwitch.latencyPs};
    }

    /** A slot's packets wait for each other: its last one for the trips of all others. */
    BoundTime Slots(const ReductionCounts& sums) const
    {
        const auto chain = m_scheme.LongestChain(sums);
        const auto empty = static_cast<double>(chain.emptyWireBytes);
        const auto wire = static_cast<double>(chain.frameWireBytes);
        const auto sum = static_cast<double>(chain.sumWireBytes);
        const auto payload = static_cast<double>(chain.payloadBytes);
        const auto trips = static_cast<double>(chain.frames) - 1;
        const auto waitingPs = trips * Trip(wire, sum, payload, m_network.levels).Ps();
        const BoundTime waiting{Limit::SLOTS, waitingPs, PS_PER_SECOND};
        return waiting + Trip(wire, sum, payload, m_network.fewestLevels) +
               Trip(empty, empty, 0, m_network.levels) * static_cast<double>(chain.emptyFrames);
    }

    const Scenario& m_scenario;
    const NetworkSpeed& m_network;
    const AggregationScheme& m_scheme;
    std::uint64_t m_slowestLink; ///< of a worker (bits per second)
    std::uint64_t m_fastestLink;
};

/** Parts of a host, its NIC and its link, all of which work at the same time. */
struct Resource
{
    enum Index : std::size_t
    {
        SENDING_HOST, ///< the first six move bytes, in this order
        COMPRESSION,
        UPLINK,
        DOWNLINK,
        DECOMPRESSION,
        RECEIVING_HOST,
        CODEC, ///< of the host
        ADDER, ///< of the host
        COUNT,
    };
};

/** Mean size of an element as gradients travel: [false], or [true], between groups (Transfer::crossesGroups). */
using GradientBits = std::array<double, 2>;

/** By resource: how long it works. */
using BusyTimes = std::array<BoundTime, Resource::COUNT>;

/** What the exchanges of a job take at least, in closed form. */
class ExchangeCost
{
  public:
    /** @param planned outlives this */
    explicit ExchangeCost(const PlannedJob& planned)
        : m_resolved(*planned.resolved),
          m_scenario(m_resolved.scenario),
          m_job(*planned.job),
          m_network(m_resolved.network),
          m_symmetry(SymmetryOf(m_job, false)),
          m_payload(m_resolved.framePayloadBytes),
          m_fastest(*std::max_element(m_network.linkBitsPerSecond.begin(),
                                      m_network.linkBitsPerSecond.begin() + m_job.workers)),
          m_engines(EngineLimits(m_network))
    {
        if (m_resolved.scheme)
        {
            m_sums.emplace(m_resolved);
        }
    }

    /**
     * The critical path of one chunk's exchange; for switches that add, what their sums take.
     * @param toLast until all workers have the result; else until the first one has
     */
    BoundTime PathOf(const JobChunk& chunk, bool toLast) const
    {
        BoundTime end;
        BoundTime encoded;
        for (std::size_t i = 0; i < chunk.rounds.size(); ++i)
        {
            const bool isCoded = i < chunk.CodedRounds();
            const bool overlaps = isCoded && chunk.coding->Overlaps();
            encoded = overlaps ? encoded : end;
            encoded += {Limit::HOST, isCoded ? chunk.coding->EncodePs(i) : 0};
            const bool isLast = i + 1 == chunk.rounds.size();
            end.Await(encoded + PathOf(chunk, chunk.rounds[i], toLast && isLast));
            if (i + 1 == chunk.CodedRounds())
            {
                end += {Limit::HOST, chunk.coding->DecodePs()};
            }
        }
        return end;
    }

    /** All sums that switches make, in any order; none where no switch adds. */
    BoundTime SumsOfBatch() const
    {
        return m_sums ? m_sums->Of(ReductionsOf(m_job)) : BoundTime{};
    }

    /** By resource, how long it works for each chunk's exchange, without a pause. */
    std::array<Times, Resource::COUNT> BusyOf(Rank rank) const
    {
        Loads loads;
        std::array<Times, Resource::COUNT> busy;
        for (const auto& chunk : m_job.chunks)
        {
            const auto ofChunk = BusyOf(chunk, rank, loads);
            for (std::size_t i = 0; i < busy.size(); ++i)
            {
                busy[i].push_back(ofChunk[i]);
            }
        }
        return busy;
    }

    /** How long the trunks of the busiest switch work for all exchanges, if they share the load evenly. */
    BoundTime TrunksOfBatch() const
    {
        std::map<std::pair<const StepPlan*, GradientBits>, BoundTime> known;
        BoundTime all;
        for (const auto& chunk : m_job.chunks)
        {
            for (const auto& round : chunk.rounds)
            {
                const auto bits = BitsOf(chunk);
                const auto [place, isNew] = known.try_emplace({round.plan.get(), bits});
                place->second = isNew ? TrunksOf(*round.plan, bits) : place->second;
                all += place->second;
            }
        }
        return all;
    }

    /** At least one worker of each kind; of many workers that all differ, some. */
    std::vector<Rank> Workers() const
    {
        const bool areEqual = m_symmetry.period > 0 && m_scenario.cluster.overrides.empty();
        const auto kinds = areEqual ? m_symmetry.period / m_symmetry.rows : g_mostRanks;
        std::vector<Rank> workers(std::clamp<Rank>(kinds, 1, m_job.workers));
        std::iota(workers.begin(), workers.end(), 0U);
        for (const auto& worker : m_scenario.cluster.overrides)
        {
            workers.push_back(worker.index);
        }
        return workers;
    }

  private:
    using Loads = std::map<const StepPlan*, RankLoad>;
    using Stages = std::array<BoundTime, Resource::CODEC>; ///< of what moves bytes

    GradientBits BitsOf(const JobChunk& chunk) const
    {
        const auto plain = 8.0 * static_cast<double>(m_job.bytesPerElement);
        const bool isCoded = m_job.coding.place != CodingPlace::NONE;
        return {isCoded ? m_job.coding.BitsOf(chunk.range, false) : plain,
                isCoded ? m_job.coding.BitsOf(chunk.range, true) : plain};
    }

    /** As hosts move them. */
    std::uint64_t HostBytes(PayloadKind kind, double bits, std::uint64_t elements) const
    {
        const bool isCoded = m_job.coding.PlaceOf(kind) == CodingPlace::HOST;
        return isCoded ? static_cast<std::uint64_t>(static_cast<double>(elements) * bits / 8)
                       : elements * m_job.BytesPerElement(kind);
    }

    BoundTime OnHost(std::uint64_t elements, std::uint64_t bytesPerSecond) const
    {
        return {Limit::HOST, static_cast<double>(elements * m_job.bytesPerElement), bytesPerSecond};
    }

    std::uint64_t SumBytesPerSecond(bool onWorker) const
    {
        return m_scenario.host.sumBytesPerSecond * (onWorker ? m_job.addingGpus : 1);
    }

    /** @param elements of all @p messages */
    Stages Moving(PayloadKind kind,
                  double bits,
                  std::uint64_t messages,
                  std::uint64_t elements,
                  std::uint64_t bitsPerSecond) const
    {
        const auto bytes = HostBytes(kind, bits, elements);
        const auto plain = static_cast<double>(bytes);
        const auto count = std::max(messages, (bytes + m_payload - 1) / m_payload);
        const auto frames = static_cast<double>(count);
        const bool isCoded = m_job.coding.PlaceOf(kind) == CodingPlace::ENGINE;
        // A frame's stream ends with a whole byte.
        const auto coded = isCoded ? static_cast<double>(elements) * bits / 8 - frames : plain;
        const auto headers = FrameWireBytes(m_resolved.headerBytes + m_payload) - m_payload;
        const auto wire = std::max(coded + static_cast<double>(count * headers),
                                   static_cast<double>(count * FrameWireBytes(0)));
        const BoundTime link{Limit::LINK, wire * 8, bitsPerSecond};
        const auto host = BoundTime{Limit::HOST, plain, m_scenario.host.byteBytesPerSecond} +
                          BoundTime{Limit::HOST, m_scenario.host.frameCostPs} * frames;
        const auto inEngine = isCoded ? plain * 8 : 0;
        return {host,
                {m_engines[0], inEngine, m_network.compressionBitsPerSecond},
                link,
                link,
                {m_engines[1], inEngine, m_network.decompressionBitsPerSecond},
                host};
    }

    /**
     * The slowest stage without a pause, and in each round the latency and a message's last frame through all others.
     * Where one rank has the messages of all others, only its own half of the stages has that many.
     */
    BoundTime Moving(const Rounds& rounds, double bits) const
    {
        const auto other = rounds.atOther ? m_network.linkBitsPerSecond.back() : m_fastest;
        const auto [slower, faster] = std::minmax(m_fastest, other);
        const auto bytes =
            std::max<std::uint64_t>(1, HostBytes(rounds.kind, bits, rounds.elements));
        const auto before = (bytes - 1) / m_payload; // frames before a message's last one
        const bool isSpread = m_resolved.IsOverTcp() && m_scenario.transport.sockets > 1;
        const auto inLast = isSpread ? 0 : rounds.elements * (bytes - before * m_payload) / bytes;
        const auto one = Moving(rounds.kind, bits, 1, rounds.elements, slower);
        const auto shared = Moving(rounds.kind, bits, 1, rounds.elements, other);
        auto last = Moving(rounds.kind, bits, 1, inLast, faster);
        const bool areReceived = rounds.atOther && rounds.added > 0;
        const auto count = static_cast<double>(rounds.count);
        BoundTime slowest;
        std::size_t slowestStage = 0;
        for (std::size_t i = 0; i < one.size(); ++i)
        {
            const bool isShared = rounds.count == 0 || (i < one.size() / 2) != areReceived;
            const auto messages = isShared ? static_cast<double>(rounds.messages) : 0;
            const auto busy = (one[i] * count).Await(shared[i] * messages);
            slowestStage = busy.Ps() > slowest.Ps() ? i : slowestStage;
            slowest.Await(busy);
        }
        last[slowestStage] = {};
        const BoundTime latency{Limit::LATENCY, m_network.latencyPs};
        const auto others = std::accumulate(last.begin(), last.end(), BoundTime{}) + latency +
                            BoundTime{Limit::HOST, m_scenario.host.messageCostPs};

        // A window's first frame leaves when the one a window before it is acknowledged.
        const std::uint64_t window = m_resolved.window;
        const auto full = Moving(rounds.kind, bits, 1, rounds.elements * m_payload / bytes, faster);
        const BoundTime ack{
            Limit::LINK, static_cast<double>(FrameWireBytes(m_resolved.headerBytes)) * 8, faster};
        const auto trip = std::accumulate(full.begin(), full.end(), (latency + ack) * 2);
        const auto trips = count * static_cast<double>(before / window);
        slowest.Await({Limit::WINDOW, trip.Ps() * trips, PS_PER_SECOND});
        return slowest + others * count;
    }

    BoundTime TimeOf(const Rounds& rounds, const JobChunk& chunk) const
    {
        if (rounds.elements == 0 || rounds.messages == 0)
        {
            return {};
        }
        const auto& codec = m_scenario.codec;
        auto time = Moving(rounds, BitsOf(chunk)[rounds.crossesGroups]);
        if (m_job.coding.PlaceOf(rounds.kind) == CodingPlace::HOST)
        {
            time += (OnHost(rounds.elements, codec.encodeBytesPerSecond) +
                     OnHost(rounds.elements, codec.decodeBytesPerSecond)) *
                    static_cast<double>(rounds.count);
        }
        const bool onArrival = m_job.sumOnArrival && rounds.atOther;
        const auto added = onArrival ? std::min(rounds.added, rounds.elements) : rounds.added;
        time += OnHost(added, SumBytesPerSecond(!rounds.atOther));
        if (rounds.updates)
        {
            time += {Limit::COMPUTE, m_job.AggregatorUpdatePs(chunk, {0, chunk.ValueCount()})};
        }
        return time;
    }

    BoundTime PathOf(const JobChunk& chunk, const JobRound& round, bool toLast) const
    {
        if (m_sums)
        {
            const auto sums = ReductionsOf(m_job, round);
            return sums.empty() ? BoundTime{} : m_sums->Of(sums);
        }
        const auto& entry = ExchangeCatalog().Find(round.exchange->algorithm);
        if (!entry.path || round.plan->Elements() == 0)
        {
            return {};
        }
        const auto path = entry.path(*round.exchange, round.plan->Elements());
        BoundTime time;
        for (const auto& rounds : toLast ? path.toLast : path.toFirst)
        {
            time += TimeOf(rounds, chunk);
        }
        return time;
    }

    /** Adds what messages of one kind take, at a link's @p rate. */
    void AddMoving(PayloadKind kind,
                   double bits,
                   const PayloadLoad& of,
                   std::uint64_t rate,
                   BusyTimes& busy) const
    {
        const auto sent = Moving(kind, bits, of.sentMessages, of.sentElements, rate);
        const auto received = Moving(kind, bits, of.receivedMessages, of.receivedElements, rate);
        for (std::size_t i = 0; i < sent.size(); ++i)
        {
            busy[i] += i < Resource::DOWNLINK ? sent[i] : received[i];
        }
        busy[Resource::SENDING_HOST] += BoundTime{Limit::HOST, m_scenario.host.messageCostPs} *
                                        static_cast<double>(of.sentMessages);
    }

    /** Adds what a round's messages take, at a link's @p rate. */
    void AddLoad(const RankLoad& load,
                 const GradientBits& bits,
                 std::uint64_t rate,
                 bool isWorker,
                 BusyTimes& busy) const
    {
        const auto& codec = m_scenario.codec;
        AddMoving(PayloadKind::GRADIENT, bits[0], load.gradient, rate, busy);
        AddMoving(PayloadKind::GRADIENT, bits[1], load.crossesGroups, rate, busy);
        AddMoving(PayloadKind::WEIGHT, 0, load.weight, rate, busy);
        busy[Resource::ADDER] += OnHost(load.addedElements, SumBytesPerSecond(isWorker));
        if (m_job.coding.place == CodingPlace::HOST)
        {
            busy[Resource::CODEC] += OnHost(load.codedElements, codec.encodeBytesPerSecond) +
                                     OnHost(load.decodedElements, codec.decodeBytesPerSecond);
        }
    }

    /** @param loads of @p rank, by plan */
    BusyTimes BusyOf(const JobChunk& chunk, Rank rank, Loads& loads) const
    {
        BusyTimes busy{};
        const bool isWorker = m_job.IsWorker(rank);
        for (const auto& round : chunk.rounds)
        {
            const auto* const plan = round.plan.get();
            const bool isKnown =
                loads.count(plan) > 0 || plan->Elements() == 0; // then it takes no step
            const auto& load = isKnown ? loads[plan] : loads[plan] = LoadOf(*plan, rank);
            AddLoad(load, BitsOf(chunk), m_network.linkBitsPerSecond[rank], isWorker, busy);
        }
        for (std::size_t i = 0; isWorker && i < chunk.CodedRounds(); ++i)
        {
            busy[Resource::CODEC] += {Limit::HOST, chunk.coding->EncodePs(i)};
        }
        busy[Resource::CODEC] +=
            {Limit::HOST, isWorker && chunk.coding ? chunk.coding->DecodePs() : 0};
        // A half-duplex host receives, then sends, within one exchange; another one may send meanwhile.
        if (m_scenario.host.isHalfDuplex && m_job.concurrent == 1)
        {
            busy[Resource::DOWNLINK] += busy[Resource::UPLINK];
            busy[Resource::RECEIVING_HOST] += busy[Resource::SENDING_HOST];
        }
        return busy;
    }

    /** None if there are no trunks, or too many messages to look at each. */
    BoundTime TrunksOf(const StepPlan& plan, const GradientBits& bits) const
    {
        const auto rate = m_network.trunkBitsPerSecond;
        const auto switchOf = [this](Rank rank) {
            return m_resolved.topology.hostSwitch[m_resolved.hosts[rank]];
        };
        const auto steps = plan.StepCount(0);
        const auto ofEach = steps > 0 ? std::max<std::uint64_t>(1, plan.At(0, 0).sends.size()) : 0;
        if (rate == 0 || plan.Elements() == 0 || ofEach * steps * plan.RankCount() > g_mostSteps)
        {
            return {};
        }
        std::vector<BoundTime> out(m_resolved.topology.switches.size());
        auto in = out;
        for (Rank rank = 0; rank < plan.RankCount(); ++rank)
        {
            for (std::uint32_t step = 0; step < plan.StepCount(rank); ++step)
            {
                for (const auto& send : plan.At(rank, step).sends)
                {
                    const auto from = switchOf(rank);
                    const auto to = switchOf(send.peer);
                    if (from != to)
                    {
                        const auto moving =
                            Moving(send.kind, bits[send.crossesGroups], 1, send.range.count, rate);
                        const BoundTime onTrunk{
                            Limit::TRUNK, moving[Resource::UPLINK].Ps(), PS_PER_SECOND};
                        out[from] += onTrunk;
                        in[to] += onTrunk;
                    }
                }
            }
        }
        std::vector<double> trunks(out.size());
        for (const auto& trunk : m_resolved.topology.trunks)
        {
            ++trunks[trunk.lower];
            ++trunks[trunk.upper];
        }
        BoundTime busiest;
        for (Rank rank = 0; rank < plan.RankCount(); ++rank)
        {
            const auto hub = switchOf(rank);
            busiest.Await(out[hub].Await(in[hub]) * (1 / trunks[hub]));
        }
        return busiest;
    }

    const Resolved& m_resolved;
    const Scenario& m_scenario;
    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    ShiftSymmetry m_symmetry;
    std::optional<SumCost> m_sums;  ///< empty where no switch adds
    std::uint64_t m_payload;        ///< of a full frame
    std::uint64_t m_fastest;        ///< link of a worker (bits per second)
    std::array<Limit, 2> m_engines; ///< what a slow compression, or decompression, engine is
};

class Bound
{
  public:
    explicit Bound(const PlannedJob& planned)
        : m_scenario(planned.resolved->scenario),
          m_trace(*planned.resolved->trace),
          m_job(*planned.job),
          m_isKnown(!planned.resolved->training->isExtension &&
                    !planned.resolved->transport->isExtension),
          m_inOrder(m_job.chunks.size() == 1 || (m_job.concurrent == 1 && !m_job.priority)),
          m_scale(planned.resolved->fastestScale),
          m_local(m_scenario.cluster.gpus > 1 ? Limit::NVLINK : Limit::HOST),
          m_cost(planned)
    {
        ChainBackwardPass();
        ChainNextIteration();
    }

    LowerBound Compute()
    {
        ConsiderWorkOfGpus();
        ConsiderPaths();
        ConsiderWorkers();
        ConsiderOtherRanks();
        ConsiderSwitches();
        return {Rounded(m_longest.Ps()),
                IsProven(),
                LimitName(m_longest.LargestPart()),
                LimitName(m_communication.LargestPart())};
    }

  private:
    /**
     * What a training, or a transport, of somebody else's leaves out is not known. Random compute times may all be short.
     * Over TCP, messages share segments, and the last ones drain from send buffers beside the next pass.
     */
    bool IsProven() const
    {
        return m_isKnown && !HasJitter(m_scenario) && !IsOverTcp(m_scenario);
    }

    /** Sums of doubles are off by less than one in 10^13; whole picoseconds stay whole. */
    static std::int64_t Rounded(double ps)
    {
        constexpr double most = 9e18;
        return static_cast<std::int64_t>(std::floor(std::min(ps * (1 - 1e-13) + 1e-3, most)));
    }

    // -- what a worker computes

    /** As a run rounds it. */
    static BoundTime Compute(std::int64_t ps, double scale)
    {
        return {Limit::COMPUTE, std::llround(static_cast<double>(ps) * scale)};
    }

    /** @param time of a layer */
    BoundTime PassOf(std::int64_t LayerRecord::*time, double scale) const
    {
        BoundTime pass;
        for (const auto& layer : m_trace.layers)
        {
            pass += Compute(layer.*time, scale);
        }
        return pass;
    }

    /** What a worker's GPUs update in an iteration: all weights, its shard, or none. */
    BoundTime OwnUpdate(double scale) const
    {
        if (m_job.updatesOnHost || (m_job.weightsReturn && !m_job.UpdatesShards()))
        {
            return {};
        }
        const double shards = m_job.weightsReturn ? 1.0 * m_job.workers * m_job.updatingGpus : 1;
        return PassOf(&LayerRecord::updatePs, scale) * (1 / shards);
    }

    /** Forward and backward passes of @p batches micro-batches. */
    BoundTime PassesOf(double batches, double scale) const
    {
        return (PassOf(&LayerRecord::forwardPs, scale) + PassOf(&LayerRecord::backwardPs, scale)) *
               batches;
    }

    /**
     * Gradients are added up over a worker's GPUs, sparsified and copied, each stage one chunk after the other; sparsifying
     * takes a whole bucket.
     */
    void ChainBackwardPass()
    {
        const auto backward = PassOf(&LayerRecord::backwardPs, m_scale);
        m_ready.resize(m_job.chunks.size());
        BoundTime gradients;
        BoundTime reduced;
        BoundTime sparse;
        BoundTime copied;
        auto layer = m_trace.layers.size();
        for (const auto& bucket : m_job.buckets)
        {
            while (layer > bucket.firstLayer)
            {
                gradients += Compute(m_trace.layers[--layer].backwardPs, m_scale);
            }
            reduced.Await(m_job.overlap ? gradients : backward);
            Times ofChunks;
            for (const auto chunk : bucket.chunks)
            {
                reduced += {m_local, m_job.chunks[chunk].reducePs};
                ofChunks.push_back(reduced);
            }
            sparse.Await(reduced);
            sparse += {Limit::HOST, bucket.sparsifyPs};
            for (std::size_t i = 0; i < bucket.chunks.size(); ++i)
            {
                copied.Await(bucket.sparsifyPs > 0 ? sparse : ofChunks[i]);
                copied += CopyOf(bucket.chunks[i]);
                m_ready[bucket.chunks[i]] = copied;
            }
        }
    }

    /** To or from the NIC. */
    BoundTime CopyOf(std::uint32_t chunk) const
    {
        const auto bytes =
            static_cast<double>(m_job.chunks[chunk].range.count * m_job.gradientType.bytes);
        return {Limit::HOST, bytes, CopyBytesPerSecond(m_scenario)};
    }

    /** The work of a worker's own GPUs when an iteration's last exchange has ended. */
    BoundTime UpdateAfterExchanges() const
    {
        if (m_job.updatesAtEnd || m_job.UpdatesShards())
        {
            return m_job.updatesAtEnd ? OwnUpdate(m_scale) : BoundTime{};
        }
        BoundTime updates;
        const auto& last = m_job.chunks.back();
        for (auto layer = last.firstLayer; m_inOrder && layer <= last.lastLayer; ++layer)
        {
            updates += Compute(m_job.weightsReturn ? 0 : m_trace.layers[layer].updatePs, m_scale);
        }
        return updates;
    }

    /** Weights are updated, then used: at least those of the last exchange, or of the layer that is used last. */
    void ChainNextIteration()
    {
        const auto moreBatches = PassesOf(m_job.accumulation - 1.0, m_scale);
        m_before = moreBatches + PassOf(&LayerRecord::forwardPs, m_scale);
        const auto& last = m_job.chunks.back();
        const auto layers = m_trace.layers.size();
        m_updating = UpdateAfterExchanges();
        m_updating += {Limit::NVLINK, m_inOrder ? last.gatherPs : 0};
        const auto first = m_job.AwaitsAllUpdates() ? 0 : m_inOrder ? last.firstLayer : layers - 1;
        m_beforeAgain = moreBatches;
        for (auto layer = first; layer < layers; ++layer)
        {
            m_beforeAgain += Compute(m_trace.layers[layer].forwardPs, m_scale);
        }
    }

    // -- terms of the bound

    /** @param first what the first iteration takes @param other what every other one at least adds */
    void Consider(const BoundTime& first, const BoundTime& other)
    {
        const double iterations = m_job.iterations;
        const bool isWarm = m_scenario.simulation.warmup > 0;
        m_longest.Await(isWarm ? other : (first + other * (iterations - 1)) * (1 / iterations));
    }

    /** Each iteration takes so long. */
    void Consider(const BoundTime& time)
    {
        Consider(time, time);
    }

    /**
     * From the start of a backward pass until the first worker has all results, and until all have.
     * @param updating what follows
     */
    void ConsiderExchanges(const BoundTime& toFirst,
                           const BoundTime& toLast,
                           const BoundTime& updating)
    {
        const auto passesGoOn = m_job.updatesOnHost;
        Consider(m_before + toLast + updating,
                 m_beforeAgain + toFirst + (passesGoOn ? BoundTime{} : updating));
    }

    /** The same of what is busy until @p end. A shard is updated while the message before leaves, or others' weights come. */
    void ConsiderBusy(const BoundTime& end)
    {
        ConsiderExchanges(end, end, m_job.UpdatesShards() ? BoundTime{} : m_updating);
    }

    void Communicates(const BoundTime& time)
    {
        m_communication.Await(time.LargestPart() == Limit::COMPUTE ? BoundTime{} : time);
    }

    /**
     * Of work for chunks, each once it is ready.
     * @param inOrder one after the other, else all at the same time
     */
    BoundTime EndOf(const Times& times, bool inOrder) const
    {
        BoundTime end;
        for (const auto& bucket : m_job.buckets)
        {
            for (const auto chunk : bucket.chunks)
            {
                auto begin = m_ready[chunk];
                begin.Await(inOrder ? end : BoundTime{});
                end.Await(begin + times[chunk]);
            }
        }
        return end;
    }

    /** A resource works for each chunk so long, without a pause, and not before gradients are ready. */
    void ConsiderAfterGradients(const Times& times)
    {
        const auto all = SumOf(times);
        Communicates(all);
        if (m_job.GathersWeights())
        {
            Consider(all * m_job.exchangedBatches);
            return;
        }
        ConsiderBusy(EndOf(times, true));
    }

    /** What goes on while workers compute again, but not before the first gradients are ready. */
    void ConsiderBesideCompute(const BoundTime& all)
    {
        Communicates(all);
        const auto begin = m_job.GathersWeights() ? BoundTime{} : m_before + m_ready.front();
        const auto inIteration = all * m_job.exchangedBatches;
        Consider(begin + inIteration, inIteration);
    }

    /** What each part of a worker does even if its exchanges cost nothing. */
    void ConsiderWorkOfGpus()
    {
        BoundTime betweenGpus;
        BoundTime copies;
        for (std::uint32_t chunk = 0; chunk < m_job.chunks.size(); ++chunk)
        {
            copies += CopyOf(chunk);
            betweenGpus += {m_local, m_job.chunks[chunk].reducePs + m_job.chunks[chunk].gatherPs};
        }
        Consider(betweenGpus);
        Consider(copies);
        auto slowest = m_scale;
        for (const auto& worker : m_scenario.cluster.overrides)
        {
            slowest = std::max(slowest, worker.computeScale);
        }
        Consider(PassesOf(m_job.accumulation, slowest) + OwnUpdate(slowest));
    }

    void ConsiderPaths()
    {
        Times times; // until the first worker has its result: the next exchange may begin
        for (const auto& chunk : m_job.chunks)
        {
            times.push_back(m_cost.PathOf(chunk, false));
            m_communication.Await(times.back());
        }
        if (!m_job.GathersWeights())
        {
            const auto toFirst = EndOf(times, m_inOrder);
            times.back() = m_cost.PathOf(m_job.chunks.back(), true);
            ConsiderExchanges(toFirst, EndOf(times, m_inOrder), m_updating);
        }
        else if (m_inOrder)
        {
            const auto all = SumOf(times) * m_job.exchangedBatches;
            auto passes = PassesOf(m_job.accumulation, m_scale);
            passes += m_job.updatesAtEnd ? OwnUpdate(m_scale) : BoundTime{};
            const auto beside = times.front() * m_job.exchangedBatches + times.back();
            Consider(passes + (m_job.overlap ? beside : all));
            Consider(all);
        }
        m_communication.Await(m_inOrder ? SumOf(times) : BoundTime{});
    }

    /** What a worker sends, codes and adds follows its own gradients; where all are equal, what it receives, too. */
    void ConsiderWorkers()
    {
        const auto workers = m_cost.Workers();
        for (const auto worker : workers)
        {
            const auto busy = m_cost.BusyOf(worker);
            for (std::size_t i = 0; i < busy.size(); ++i)
            {
                const bool isReceiving = i >= Resource::DOWNLINK && i < Resource::CODEC;
                if (!isReceiving || workers.size() == 1)
                {
                    ConsiderAfterGradients(busy[i]);
                }
            }
        }
    }

    void ConsiderOtherRanks()
    {
        const auto ranks = std::min(m_job.RankCount(), m_job.workers + g_mostRanks);
        for (auto rank = m_job.workers; rank < ranks; ++rank)
        {
            for (const auto& times : m_cost.BusyOf(rank))
            {
                ConsiderBesideCompute(SumOf(times));
            }
        }
    }

    /** Trunks, and sums that switches make. */
    void ConsiderSwitches()
    {
        ConsiderBesideCompute(m_cost.TrunksOfBatch());
        if (!m_job.GathersWeights())
        {
            const auto sums = m_cost.SumsOfBatch();
            Communicates(sums);
            ConsiderBusy(m_ready.front() + sums);
        }
    }

    const Scenario& m_scenario;
    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    bool m_isKnown; ///< its program and its transport are INCA's own
    bool m_inOrder; ///< exchanges follow each other, as chunks do
    double m_scale; ///< of the fastest worker, whose times these are
    Limit m_local;  ///< of what precedes an exchange: sums over GPUs, or its protocol's start alone
    ExchangeCost m_cost;
    BoundTime m_before; ///< the last backward pass: forward, and micro-batches without exchanges
    Times m_ready;      ///< from the start of the last backward pass until a chunk may be exchanged
    BoundTime m_updating;    ///< from the end of all exchanges to the end of the last update
    BoundTime m_beforeAgain; ///< from there to the next iteration's last backward pass
    BoundTime m_longest;
    BoundTime m_communication; ///< the same of the exchanges alone
};

} // namespace

LowerBound
ComputeLowerBound(const PlannedJob& planned)
{
    return Bound(planned).Compute();
}

} // namespace inca
