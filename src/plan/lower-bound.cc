/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/lower-bound.h"

#include "base/wire-format.h"
#include "exchange/aggregation-scheme.h"
#include "exchange/exchange-catalog.h"
#include "exchange/rank-load.h"
#include "exchange/shards.h"
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

using Times = std::vector<double>; ///< by chunk, or by bucket (ps)

constexpr Rank g_mostRanks = 128;              ///< that are looked at, where all differ
constexpr std::uint64_t g_mostSteps = 100'000; ///< of all ranks, of which each message is looked at

/** Of @p amount at a rate; none at a rate of 0, which is as fast as need be. (ps) */
double
PsOf(double amount, std::uint64_t perSecond)
{
    constexpr double psOfSecond = 1e12;
    return perSecond == 0 ? 0 : amount * psOfSecond / static_cast<double>(perSecond);
}

double
SumOf(const Times& times)
{
    return std::accumulate(times.begin(), times.end(), 0.0);
}

/**
 * What sums of switches inside nodes, or of the others, take at least: the longest of hosts, links and adders for @p sums in
 * any order. (ps)
 */
double
SumPs(const Resolved& resolved, const ReductionCounts& sums, bool inNodes)
{
    const auto& scenario = resolved.scenario;
    const auto network = SummingNetworkOf(scenario, resolved.network, inNodes);
    const auto& scheme = *resolved.sums[inNodes].scheme;
    std::uint64_t added = 0; // words of each worker
    std::uint64_t moved = 0; // that a worker sends, or, of what is gathered, gets
    double count = 0;
    for (const auto& [sum, times] : sums)
    {
        const bool gathers = sum.phase == SumPhase::ALL_GATHER;
        const auto words = sum.words / sum.oneIn;
        added += gathers ? 0 : times * words;
        moved += times * (gathers ? WordsGot(sum, 0, resolved.sums[inNodes].together) : words);
        count += static_cast<double>(times);
    }
    const auto [frames, wireBytes, gotBytes] = scheme.TrafficOf(sums);
    const auto valueBytes = scheme.Numbers().adder.sum->bytes;
    const double hosts = inNodes ? 0 : 1; // have no part in it there
    const auto movingPs =
        hosts *
        (PsOf(static_cast<double>(valueBytes * moved), scenario.host.byteBytesPerSecond) +
         static_cast<double>(scenario.host.frameCostPs * static_cast<std::int64_t>(frames)));
    // Of several sums hosts begin one while others are under way.
    const auto messagesPs = hosts * static_cast<double>(scenario.host.messageCostPs) * count;
    const auto onTrunks =
        resolved.network.levels > 1 && !inNodes ? resolved.network.trunkBitsPerSecond : 0;
    const auto networkPs = std::max(
        {PsOf(8.0 * static_cast<double>(std::max(wireBytes, gotBytes)), network.bitsPerSecond),
         PsOf(8.0 * static_cast<double>(wireBytes), onTrunks),
         PsOf(static_cast<double>(network.mostChildren * added), scheme.AddedValuesPerSecond())});
    return count == 1 ? std::max(networkPs, movingPs) + messagesPs
                      : std::max(networkPs, movingPs + messagesPs);
}

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
using BusyTimes = std::array<double, Resource::COUNT>;

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
          m_payload(m_resolved.framePayloadBytes)
    {
    }

    /** All sums that switches make, in any order; none where no switch adds. */
    double SumsOfBatch() const
    {
        if (m_resolved.Scheme() == nullptr)
        {
            return 0;
        }
        const auto sums = ReductionsOf(m_job);
        const auto of = [&](bool inNodes) {
            return m_resolved.sums[inNodes].scheme
                       ? SumPs(m_resolved, SumsOf(sums, inNodes), inNodes)
                       : 0;
        };
        return std::max(of(false), of(true));
    }

    /** By resource, how long it works for each chunk's exchange, without a pause. */
    std::array<Times, Resource::COUNT> BusyOf(Rank rank, const std::vector<JobChunk>& chunks) const
    {
        Loads loads;
        std::array<Times, Resource::COUNT> busy;
        for (const auto& chunk : chunks)
        {
            const auto ofChunk = BusyOf(chunk, rank, loads);
            for (std::size_t i = 0; i < busy.size(); ++i)
            {
                busy[i].push_back(ofChunk[i]);
            }
        }
        return busy;
    }

    /** How long the trunks of the busiest switch work for all these exchanges, if they share the load evenly. */
    double TrunksFor(const std::vector<JobChunk>& chunks) const
    {
        std::map<std::pair<const StepPlan*, GradientBits>, double> known;
        double all = 0;
        for (const auto& chunk : chunks)
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
    using MessageKind = std::pair<PayloadKind, bool>; ///< and whether they cross groups
    using Loads = std::map<const StepPlan*, RankLoad>;
    using Stages = std::array<double, Resource::CODEC>; ///< of what moves bytes

    GradientBits BitsOf(const JobChunk& chunk) const
    {
        const auto of = [&](bool crossesGroups) {
            constexpr auto gradient = PayloadKind::GRADIENT;
            return m_job.coding.PlaceOf(gradient, crossesGroups) != CodingPlace::NONE
                       ? m_job.coding.BitsOf(chunk.range, crossesGroups)
                       : 8.0 * static_cast<double>(m_job.BytesPerElement(gradient, crossesGroups));
        };
        return {of(false), of(true)};
    }

    /** As hosts move them. */
    std::uint64_t HostBytes(const MessageKind& kind, double bits, std::uint64_t elements) const
    {
        const bool isCoded = m_job.coding.PlaceOf(kind.first, kind.second) == CodingPlace::HOST;
        return isCoded ? static_cast<std::uint64_t>(static_cast<double>(elements) * bits / 8)
                       : elements * m_job.BytesPerElement(kind.first, kind.second);
    }

    double OnHost(std::uint64_t elements, std::uint64_t bytesPerSecond) const
    {
        return PsOf(static_cast<double>(elements * m_job.bytesPerElement), bytesPerSecond);
    }

    std::uint64_t SumBytesPerSecond(bool onWorker) const
    {
        return m_scenario.host.sumBytesPerSecond * (onWorker ? m_job.addingGpus : 1) /
               m_job.sumSharers;
    }

    /** @param elements of all @p messages */
    Stages Moving(const MessageKind& kind,
                  double bits,
                  std::uint64_t messages,
                  std::uint64_t elements,
                  std::uint64_t bitsPerSecond) const
    {
        const auto bytes = HostBytes(kind, bits, elements);
        const auto plain = static_cast<double>(bytes);
        const auto count = std::max(messages, (bytes + m_payload - 1) / m_payload);
        const auto frames = static_cast<double>(count);
        const bool isCoded = m_job.coding.PlaceOf(kind.first, kind.second) == CodingPlace::ENGINE;
        // A frame's stream ends with a whole byte.
        const auto coded = isCoded ? static_cast<double>(elements) * bits / 8 - frames : plain;
        const auto headers = FrameWireBytes(m_resolved.headerBytes + m_payload) - m_payload;
        const auto wire = std::max(coded + static_cast<double>(count * headers),
                                   static_cast<double>(count * FrameWireBytes(0)));
        const auto link = PsOf(wire * 8, bitsPerSecond);
        const auto host = PsOf(plain, m_scenario.host.byteBytesPerSecond) +
                          static_cast<double>(m_scenario.host.frameCostPs) * frames;
        const auto inEngine = isCoded ? plain * 8 : 0;
        return {host,
                PsOf(inEngine, m_network.compressionBitsPerSecond),
                link,
                link,
                PsOf(inEngine, m_network.decompressionBitsPerSecond),
                host};
    }

    /** Adds what messages of one kind take, at a link's @p rate. */
    void AddMoving(const MessageKind& kind,
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
        busy[Resource::SENDING_HOST] += static_cast<double>(m_scenario.host.messageCostPs) *
                                        static_cast<double>(of.sentMessages);
    }

    /** Adds what a round's messages take, at a link's @p rate. */
    void AddLoad(const RankLoad& load,
                 const GradientBits& bits,
                 std::uint64_t rate,
                 bool isWorker,
                 BusyTimes& busy) const
    {
        AddMoving({PayloadKind::GRADIENT, false}, bits[0], load.gradient, rate, busy);
        AddMoving({PayloadKind::GRADIENT, true}, bits[1], load.crossesGroups, rate, busy);
        AddMoving({PayloadKind::WEIGHT, false}, 0, load.weight, rate, busy);
        BusyTimes inside{}; // which costs hosts nothing
        AddMoving({PayloadKind::GRADIENT, false}, bits[0], load.inside[0], rate, inside);
        AddMoving({PayloadKind::WEIGHT, false}, 0, load.inside[1], rate, inside);
        busy[Resource::UPLINK] += inside[Resource::UPLINK];
        busy[Resource::DOWNLINK] += inside[Resource::DOWNLINK];
        busy[Resource::ADDER] += OnHost(load.addedElements, SumBytesPerSecond(isWorker));
        const auto& [within, between] = m_job.coding.groups;
        if (within.place == CodingPlace::HOST && between.place == CodingPlace::HOST)
        {
            const auto& codec = m_scenario.codec;
            const CodingRates usual{codec.encodeBytesPerSecond, codec.decodeBytesPerSecond};
            const auto a = within.rates.value_or(usual); // whose part is how large is not known
            const auto b = between.rates.value_or(usual);
            busy[Resource::CODEC] += OnHost(load.codedElements, std::max(a.encode, b.encode)) +
                                     OnHost(load.decodedElements, std::max(a.decode, b.decode));
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
            const auto& load =
                isKnown ? loads[plan] : loads[plan] = LoadOf(*plan, rank, m_job.nodeSize);
            AddLoad(load, BitsOf(chunk), m_network.linkBitsPerSecond[rank], isWorker, busy);
        }
        for (std::size_t i = 0; isWorker && i < chunk.CodedRounds(); ++i)
        {
            busy[Resource::CODEC] += static_cast<double>(chunk.coding->EncodePs(i));
        }
        busy[Resource::CODEC] +=
            isWorker && chunk.coding ? static_cast<double>(chunk.coding->DecodePs()) : 0;
        // A half-duplex host receives, then sends, within one exchange; another one may send meanwhile.
        if (m_scenario.host.isHalfDuplex && m_job.concurrent == 1)
        {
            busy[Resource::DOWNLINK] += busy[Resource::UPLINK];
            busy[Resource::RECEIVING_HOST] += busy[Resource::SENDING_HOST];
        }
        return busy;
    }

    /** None if there are no trunks, or too many messages to look at each. */
    double TrunksOf(const StepPlan& plan, const GradientBits& bits) const
    {
        const bool areNodes = m_resolved.topology.nodeSize > 1; // by their NICs, else by trunks
        const auto rate = areNodes ? *std::max_element(m_network.nicBitsPerSecond.begin(),
                                                       m_network.nicBitsPerSecond.end())
                                   : m_network.trunkBitsPerSecond;
        const auto switchOf = [this](Rank rank) {
            return m_resolved.topology.hostSwitch[m_resolved.hosts[rank]];
        };
        const auto steps = plan.StepCount(0);
        const auto ofEach = steps > 0 ? std::max<std::uint64_t>(1, plan.At(0, 0).sends.size()) : 0;
        if (rate == 0 || plan.Elements() == 0 || ofEach * steps * plan.RankCount() > g_mostSteps)
        {
            return {};
        }
        std::vector<double> out(m_resolved.topology.switches.size());
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
                        const auto onTrunk = Moving({send.kind, send.crossesGroups},
                                                    bits[send.crossesGroups],
                                                    1,
                                                    send.range.count,
                                                    rate)[Resource::UPLINK];
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
        double busiest = 0;
        for (Rank rank = 0; rank < plan.RankCount(); ++rank)
        {
            const auto hub = switchOf(rank);
            busiest = std::max(busiest, std::max(out[hub], in[hub]) / trunks[hub]);
        }
        return busiest;
    }

    const Resolved& m_resolved;
    const Scenario& m_scenario;
    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    ShiftSymmetry m_symmetry;
    std::uint64_t m_payload; ///< of a full frame
};

class Bound
{
  public:
    explicit Bound(const PlannedJob& planned)
        : m_scenario(planned.resolved->scenario),
          m_trace(*planned.resolved->trace),
          m_job(*planned.job),
          m_isKnown(!planned.resolved->training->isExtension &&
                    !planned.resolved->transport->isExtension &&
                    (m_job.cyclePs == 0 || !planned.resolved->cycleBegins.empty())),
          m_inOrder(m_job.chunks.size() == 1 ||
                    (m_job.concurrent == 1 && !m_job.gathersApart && !m_job.priority)),
          m_scale(planned.resolved->fastestScale),
          m_cost(planned)
    {
        ChainBackwardPass();
        ChainNextIteration();
    }

    LowerBound Compute()
    {
        ConsiderWorkOfGpus();
        ConsiderWorkers();
        ConsiderOtherRanks();
        ConsiderSwitches();
        return {Rounded(m_longest), IsProven()};
    }

  private:
    /**
     * What a training, or a transport, of somebody else's leaves out is not known. Random compute times may all be short.
     * Over TCP, messages share segments, and the last ones drain from send buffers beside the next pass. Buckets of cycles that
     * were not looked for may begin earlier. Who does not wait for sums of all may do in the warm-up what belongs to a
     * later iteration.
     */
    bool IsProven() const
    {
        const bool runsAhead =
            CollectiveOf(m_scenario) != Meaning::SUM && m_scenario.simulation.warmup > 0;
        return m_isKnown && !HasJitter(m_scenario) && !IsOverTcp(m_scenario) && !runsAhead;
    }

    /** Sums of doubles are off by less than one in 10^13; whole picoseconds stay whole. */
    static std::int64_t Rounded(double ps)
    {
        constexpr double most = 9e18;
        return static_cast<std::int64_t>(std::floor(std::min(ps * (1 - 1e-13) + 1e-3, most)));
    }

    // -- what a worker computes

    /** As a run rounds it. */
    static double Compute(std::int64_t ps, double scale)
    {
        return static_cast<double>(std::llround(static_cast<double>(ps) * scale));
    }

    /** @param time of a layer */
    double PassOf(std::int64_t LayerRecord::*time, double scale) const
    {
        double pass = 0;
        for (const auto& layer : m_trace.layers)
        {
            pass += Compute(layer.*time, scale);
        }
        return pass;
    }

    /** What a worker's GPUs update in an iteration: all weights, its shard, or none. */
    double OwnUpdate(double scale) const
    {
        if (m_job.updatesOnHost || (m_job.weightsReturn && !m_job.UpdatesShards()))
        {
            return {};
        }
        const double shards = m_job.weightsReturn ? 1.0 * m_job.workers * m_job.updatingGpus : 1;
        return PassOf(&LayerRecord::updatePs, scale) * (1 / shards);
    }

    /** Forward and backward passes of @p batches micro-batches. */
    double PassesOf(double batches, double scale) const
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
        double gradients = 0;
        double reduced = 0;
        double sparse = 0;
        double copied = 0;
        auto layer = m_trace.layers.size();
        for (const auto& bucket : m_job.buckets)
        {
            while (layer > bucket.firstLayer)
            {
                gradients += Compute(m_trace.layers[--layer].backwardPs, m_scale);
            }
            reduced = std::max(reduced, m_job.overlap ? gradients : backward);
            Times ofChunks;
            for (const auto chunk : bucket.chunks)
            {
                const auto& one = m_job.chunks[chunk];
                reduced += static_cast<double>(one.reducePs + one.startPs);
                ofChunks.push_back(reduced);
            }
            sparse = std::max(sparse, reduced);
            sparse += static_cast<double>(bucket.sparsifyPs);
            for (std::size_t i = 0; i < bucket.chunks.size(); ++i)
            {
                copied = std::max(copied, bucket.sparsifyPs > 0 ? sparse : ofChunks[i]);
                copied += CopyOf(bucket.chunks[i]);
                m_ready[bucket.chunks[i]] = copied;
            }
        }
    }

    /** To or from the NIC. */
    double CopyOf(std::uint32_t chunk) const
    {
        const auto& copied = m_job.chunks[chunk];
        const auto bytes = static_cast<double>(copied.range.count * m_job.CopiedType(copied).bytes);
        return PsOf(bytes, CopyBytesPerSecond(m_scenario));
    }

    /** The work of a worker's own GPUs when an iteration's last exchange has ended. */
    double UpdateAfterExchanges() const
    {
        if (m_job.updatesAtEnd || m_job.UpdatesShards())
        {
            return m_job.updatesAtEnd ? OwnUpdate(m_scale) : 0;
        }
        double updates = 0;
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
        m_updating += m_inOrder ? static_cast<double>(last.gatherPs) : 0;
        const auto first = m_job.AwaitsAllUpdates() ? 0 : m_inOrder ? last.firstLayer : layers - 1;
        m_beforeAgain = moreBatches;
        for (auto layer = first; layer < layers; ++layer)
        {
            m_beforeAgain += Compute(m_trace.layers[layer].forwardPs, m_scale);
        }
    }

    // -- terms of the bound

    /** @param first what the first iteration takes @param other what every other one at least adds */
    void Consider(double first, double other)
    {
        const double iterations = m_job.iterations;
        const bool isWarm = m_scenario.simulation.warmup > 0;
        m_longest = std::max(
            m_longest, isWarm ? other : (first + other * (iterations - 1)) * (1 / iterations));
    }

    /** Each iteration takes so long. */
    void Consider(double time)
    {
        Consider(time, time);
    }

    /**
     * From the start of a backward pass something is busy until @p end. A shard is updated while the message before leaves, or
     * others' weights come.
     */
    void ConsiderBusy(double end)
    {
        const auto updating = m_job.UpdatesShards() ? 0.0 : m_updating;
        const auto passesGoOn = m_job.updatesOnHost;
        Consider(m_before + end + updating, m_beforeAgain + end + (passesGoOn ? 0 : updating));
    }

    /** Of work for chunks, one after the other, each once it is ready. */
    double EndOf(const Times& times) const
    {
        double end = 0;
        for (const auto& bucket : m_job.buckets)
        {
            for (const auto chunk : bucket.chunks)
            {
                end = std::max(end, m_ready[chunk]) + times[chunk];
            }
        }
        return end;
    }

    /**
     * A resource works for each chunk so long, without a pause, and not before gradients are ready.
     * @param early the same in a micro-batch before the last one
     */
    void ConsiderAfterGradients(const Times& times, const Times& early)
    {
        if (m_job.GathersWeights())
        {
            Consider(InIteration(SumOf(times), SumOf(early)));
            return;
        }
        ConsiderBusy(EndOf(times));
    }

    /** Of work in the last micro-batch, and in each one before it that exchanges. */
    double InIteration(double last, double early) const
    {
        return last + (m_job.exchangedBatches - 1) * early;
    }

    /** What goes on while workers compute again, but not before the first gradients are ready. */
    void ConsiderBesideCompute(double inIteration)
    {
        const auto begin = m_job.GathersWeights() ? 0 : m_before + m_ready.front();
        Consider(begin + inIteration, inIteration);
    }

    /** What each part of a worker does even if its exchanges cost nothing. */
    void ConsiderWorkOfGpus()
    {
        double betweenGpus = 0;
        double copies = 0;
        for (std::uint32_t chunk = 0; chunk < m_job.chunks.size(); ++chunk)
        {
            copies += CopyOf(chunk);
            const auto& one = m_job.chunks[chunk];
            betweenGpus += static_cast<double>(one.reducePs + one.startPs + one.gatherPs);
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

    /** What a worker sends, codes and adds follows its own gradients; where all are equal, what it receives, too; else that follows the first ones. */
    void ConsiderWorkers()
    {
        const auto workers = m_cost.Workers();
        for (const auto worker : workers)
        {
            const auto busy = m_cost.BusyOf(worker, m_job.chunks);
            const auto early =
                m_job.earlyChunks.empty() ? busy : m_cost.BusyOf(worker, m_job.earlyChunks);
            for (std::size_t i = 0; i < busy.size(); ++i)
            {
                const bool isReceiving = i >= Resource::DOWNLINK && i < Resource::CODEC;
                if (!isReceiving || workers.size() == 1)
                {
                    ConsiderAfterGradients(busy[i], early[i]);
                }
                else
                {
                    ConsiderBesideCompute(InIteration(SumOf(busy[i]), SumOf(early[i])));
                }
            }
        }
    }

    void ConsiderOtherRanks()
    {
        const auto ranks = std::min(m_job.RankCount(), m_job.workers + g_mostRanks);
        for (auto rank = m_job.workers; rank < ranks; ++rank)
        {
            for (const auto& times : m_cost.BusyOf(rank, m_job.chunks))
            {
                ConsiderBesideCompute(InIteration(SumOf(times), SumOf(times)));
            }
        }
    }

    /** Trunks, and sums that switches make. */
    void ConsiderSwitches()
    {
        const auto trunks = m_cost.TrunksFor(m_job.chunks);
        const auto early = m_job.earlyChunks.empty() ? trunks : m_cost.TrunksFor(m_job.earlyChunks);
        ConsiderBesideCompute(InIteration(trunks, early));
        if (!m_job.GathersWeights())
        {
            const auto sums = m_cost.SumsOfBatch();
            ConsiderBusy(m_ready.front() + sums);
        }
    }

    const Scenario& m_scenario;
    const GradientTrace& m_trace;
    const TrainingJob& m_job;
    bool m_isKnown; ///< its program and transport are INCA's own, its buckets are known
    bool m_inOrder; ///< exchanges follow each other, as chunks do
    double m_scale; ///< of the fastest worker, whose times these are
    ExchangeCost m_cost;
    double m_before = 0; ///< the last backward pass: forward, and micro-batches without exchanges
    Times m_ready; ///< from the start of the last backward pass until a chunk may be exchanged
    double m_updating = 0;    ///< from the end of all exchanges to the end of the last update
    double m_beforeAgain = 0; ///< from there to the next iteration's last backward pass
    double m_longest = 0;
};

} // namespace

LowerBound
ComputeLowerBound(const PlannedJob& planned)
{
    return Bound(planned).Compute();
}

} // namespace inca
