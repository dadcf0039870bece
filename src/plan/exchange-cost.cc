/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/exchange-cost.h"

#include "base/wire-format.h"
#include "plan/job-exchanges.h"
#include "scenario/specs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace inca
{

namespace
{

constexpr double g_psPerSecond = 1e12;
constexpr std::size_t g_moving = 6;            ///< resources that move bytes
constexpr Rank g_mostRanks = 128;              ///< that are looked at where all differ
constexpr std::uint64_t g_mostSteps = 100'000; ///< of all ranks, of which each message is looked at

double&
At(BusyTimes& busy, Resource resource)
{
    return busy[static_cast<std::size_t>(resource)];
}

/** Full frames take whole cycles; what is left of @p plainBytes is counted by its bits. */
double
EnginePs(double fullFrames, double payload, double plainBytes, const EngineSpeed& engine)
{
    if (engine.widthBits == 0)
    {
        return 0;
    }
    const auto width = static_cast<double>(engine.widthBits);
    const auto cycles = fullFrames * std::ceil(payload * 8 / width) +
                        (plainBytes - fullFrames * payload) * 8 / width;
    return cycles * g_psPerSecond / static_cast<double>(engine.hertz);
}

double
LinkPs(double bytes, std::uint64_t bitsPerSecond)
{
    return bytes * 8 * g_psPerSecond / static_cast<double>(bitsPerSecond);
}

BoundTime
OnHost(std::int64_t ps)
{
    return {Limit::HOST, static_cast<double>(ps)};
}

/** The first round is encoded before anything leaves; those that overlap are encoded meanwhile. */
double
CodedPs(const JobChunk& chunk)
{
    auto ps = chunk.coding->EncodePs(0) + chunk.coding->DecodePs();
    for (std::size_t round = 1; round < chunk.CodedRounds() && !chunk.coding->Overlaps(); ++round)
    {
        ps += chunk.coding->EncodePs(round);
    }
    return static_cast<double>(ps);
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
    const auto [less, more] = std::minmax(busy[static_cast<std::size_t>(Resource::COMPRESSION)],
                                          busy[static_cast<std::size_t>(Resource::DECOMPRESSION)]);
    const bool isEngine = resource == Resource::COMPRESSION || resource == Resource::DECOMPRESSION;
    const auto limit = limits[static_cast<std::size_t>(resource)];
    return {isEngine && more < RAISE * less ? Limit::ENGINES : limit, ps};
}

ExchangeCost::ExchangeCost(const Scenario& scenario,
                           const TrainingJob& job,
                           const NetworkSpeed& network)
    : m_scenario(scenario),
      m_job(job),
      m_network(network),
      m_spec(SpecOf(scenario, job)),
      m_entry(FindExchange(scenario.exchange.algorithm)),
      m_symmetry(m_entry.symmetry ? m_entry.symmetry(m_spec, false) : ShiftSymmetry{}),
      m_payload(FramePayloadBytes(scenario)),
      m_fastest(*std::max_element(network.linkBitsPerSecond.begin(),
                                  network.linkBitsPerSecond.begin() + job.workers))
{
    if (ReducesInNetwork(m_entry))
    {
        m_sums.emplace(scenario, network);
    }
}

/** Mean size of an element as gradients travel. */
double
ExchangeCost::BitsOf(const JobChunk& chunk) const
{
    const bool isCoded = m_job.engines || m_job.hostCodec;
    return isCoded ? m_job.meanBits(chunk.range) : 8.0 * static_cast<double>(m_job.bytesPerElement);
}

/** As hosts move them. */
std::uint64_t
ExchangeCost::PlainBytes(PayloadKind kind, double bits, std::uint64_t elements) const
{
    const bool isCoded = kind == PayloadKind::GRADIENT && m_job.hostCodec;
    return isCoded ? static_cast<std::uint64_t>(static_cast<double>(elements) * bits / 8)
                   : elements * m_job.BytesPerElement(kind);
}

/** At a rate of 0, none. */
double
ExchangeCost::HostPs(std::uint64_t elements, std::uint64_t bytesPerSecond) const
{
    const auto bytes = static_cast<double>(elements * m_job.bytesPerElement);
    return bytesPerSecond == 0 ? 0 : bytes * g_psPerSecond / static_cast<double>(bytesPerSecond);
}

/** @param elements of all @p messages, each of which may end with a frame that is not full */
BusyTimes
ExchangeCost::Moving(PayloadKind kind,
                     double bits,
                     std::uint64_t messages,
                     std::uint64_t elements,
                     std::uint64_t bitsPerSecond) const
{
    const auto bytes = PlainBytes(kind, bits, elements);
    const auto rounding = messages == 1 ? m_payload - 1 : 0;
    const auto frames = static_cast<double>(std::max(messages, (bytes + rounding) / m_payload));
    const bool isCoded = m_job.IsForEngines(kind);
    const auto plain = static_cast<double>(bytes);
    const auto payload = static_cast<double>(m_payload);
    const auto partial = messages == 1 ? 0 : static_cast<double>(messages);
    const auto fullFrames = std::max(0.0, std::floor(plain / payload) - partial);
    // A frame's stream ends with a whole byte.
    const auto coded = isCoded ? static_cast<double>(elements) * bits / 8 - frames : plain;
    const auto headers =
        static_cast<double>(FrameWireBytes(INCA_HEADER_BYTES + m_payload) - m_payload);
    const auto wire =
        std::max(coded + frames * headers, frames * static_cast<double>(FrameWireBytes(0)));
    const auto& host = m_scenario.host;
    const auto byteRate = static_cast<double>(host.byteBytesPerSecond);
    const auto hostPs = frames * static_cast<double>(host.frameCostPs) +
                        (byteRate == 0 ? 0 : plain * g_psPerSecond / byteRate);
    const auto& engines = m_network.engines;
    return {hostPs,
            isCoded ? EnginePs(fullFrames, payload, plain, engines.compression) : 0,
            LinkPs(wire, bitsPerSecond),
            LinkPs(wire, bitsPerSecond),
            isCoded ? EnginePs(fullFrames, payload, plain, engines.decompression) : 0,
            hostPs};
}

/**
 * The slowest resource without a pause, and in each round the latency and a message's last frame through all others.
 * Where one rank has the messages of all others, only its own half of the resources has that many.
 */
BoundTime
ExchangeCost::Moving(const Rounds& rounds, double bits) const
{
    const auto other = rounds.atOther ? m_network.linkBitsPerSecond.back() : m_fastest;
    const auto [slower, faster] = std::minmax(m_fastest, other);
    const auto bytes = std::max<std::uint64_t>(1, PlainBytes(rounds.kind, bits, rounds.elements));
    const auto before = (bytes - 1) / m_payload; // frames before a message's last one
    const auto inLast = rounds.elements * (bytes - before * m_payload) / bytes;
    const auto one = Moving(rounds.kind, bits, 1, rounds.elements, slower);
    const auto shared = Moving(rounds.kind, bits, 1, rounds.elements, other);
    const auto last = Moving(rounds.kind, bits, 1, inLast, faster);
    const bool areReceived = rounds.atOther && rounds.added > 0;
    const auto count = static_cast<double>(rounds.count);
    BusyTimes busy{};
    for (std::size_t i = 0; i < g_moving; ++i)
    {
        const bool isShared = rounds.count == 0 || (i < g_moving / 2) != areReceived;
        const auto ofAll = isShared ? static_cast<double>(rounds.messages) * shared[i] : 0;
        busy[i] = std::max(count * one[i], ofAll);
    }
    auto slowest =
        static_cast<std::size_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
    auto time = BoundOf(busy, static_cast<Resource>(slowest));
    BoundTime others;
    for (std::size_t i = 0; i < g_moving; ++i)
    {
        others += i == slowest ? BoundTime{} : BoundOf(last, static_cast<Resource>(i));
    }
    const auto latencyPs = static_cast<double>(m_network.latencyPs);
    others += BoundTime{Limit::LATENCY, latencyPs};
    others += OnHost(m_scenario.host.messageCostPs);

    // A window's first frame leaves when the one a window before it is acknowledged.
    const std::uint64_t window = m_scenario.transport.window;
    const auto ackBytes = static_cast<double>(FrameWireBytes(INCA_HEADER_BYTES));
    const auto full = Moving(rounds.kind, bits, 1, rounds.elements * m_payload / bytes, faster);
    const auto tripPs =
        std::accumulate(full.begin(), full.end(), 0.0) + 2 * (latencyPs + LinkPs(ackBytes, faster));
    const auto uplinkPs = full[static_cast<std::size_t>(Resource::UPLINK)];
    const auto heldPs = static_cast<double>(before / window) * tripPs +
                        static_cast<double>(before % window) * uplinkPs;
    if (before >= window && heldPs * count > time.Ps())
    {
        time = {Limit::WINDOW, heldPs * count};
    }
    return time + others * count;
}

BoundTime
ExchangeCost::TimeOf(const Rounds& rounds, const JobChunk& chunk) const
{
    if (rounds.elements == 0 || rounds.messages == 0)
    {
        return {};
    }
    const auto& codec = m_scenario.codec;
    auto time = Moving(rounds, BitsOf(chunk));
    if (m_job.hostCodec && rounds.kind == PayloadKind::GRADIENT)
    {
        const auto codedPs = HostPs(rounds.elements, codec.encodeBytesPerSecond) +
                             HostPs(rounds.elements, codec.decodeBytesPerSecond);
        time += {Limit::HOST, static_cast<double>(rounds.count) * codedPs};
    }
    const bool onArrival = m_job.sumOnArrival && rounds.atOther;
    const auto added = onArrival ? std::min(rounds.added, rounds.elements) : rounds.added;
    time += {Limit::HOST, HostPs(added, m_scenario.host.sumBytesPerSecond)};
    if (rounds.updates)
    {
        const auto updatePs = m_job.AggregatorUpdatePs(chunk, {0, chunk.ValueCount()});
        time += {Limit::COMPUTE, static_cast<double>(updatePs)};
    }
    return time;
}

BoundTime
ExchangeCost::TimeOf(const std::vector<Rounds>& path, const JobChunk& chunk) const
{
    BoundTime time;
    for (const auto& rounds : path)
    {
        time += TimeOf(rounds, chunk);
    }
    return time;
}

ExchangeTime
ExchangeCost::PathOf(const JobChunk& chunk, const JobRound& round) const
{
    if (m_sums)
    {
        const auto sums = ReductionsOf(m_job, round);
        const auto time = sums.empty() ? BoundTime{} : m_sums->Of(sums);
        return {time, time};
    }
    if (!m_entry.path || round.plan->Elements() == 0)
    {
        return {};
    }
    auto spec = m_spec;
    const bool isHalf = spec.sharded && (m_job.GathersWeights() || chunk.coding);
    const bool gathers = chunk.purpose != ExchangePurpose::GRADIENTS || round.weights;
    spec.phase = !isHalf   ? SumPhase::ALL_REDUCE
                 : gathers ? SumPhase::ALL_GATHER
                           : SumPhase::REDUCE_SCATTER;
    const auto path = m_entry.path(spec, round.plan->Elements());
    return {TimeOf(path.toFirst, chunk), TimeOf(path.toLast, chunk)};
}

ExchangeTime
ExchangeCost::PathOf(const JobChunk& chunk) const
{
    if (!chunk.coding)
    {
        return PathOf(chunk, chunk.rounds.front());
    }
    ExchangeTime all;
    BoundTime encoded;
    for (std::size_t i = 0; i < chunk.rounds.size(); ++i)
    {
        const bool isCoded = i < chunk.CodedRounds();
        const auto time = PathOf(chunk, chunk.rounds[i]);
        const auto encoding = isCoded ? OnHost(chunk.coding->EncodePs(i)) : BoundTime{};
        if (isCoded && chunk.coding->Overlaps())
        {
            encoded += encoding;
            all.first.Await(encoded + time.first);
            all.last.Await(encoded + time.last);
        }
        else
        {
            all.last = all.first + encoding + time.last;
            all.first += encoding + time.first;
        }
        if (i + 1 == chunk.CodedRounds())
        {
            all.first += OnHost(chunk.coding->DecodePs());
            all.last += OnHost(chunk.coding->DecodePs());
        }
    }
    return all;
}

BoundTime
ExchangeCost::SumsOfIteration() const
{
    return m_sums ? m_sums->Of(ReductionsOf(m_job)) : BoundTime{};
}

BusyTimes
ExchangeCost::BusyOf(const JobChunk& chunk, Rank rank)
{
    const auto bits = BitsOf(chunk);
    const auto rate = m_network.linkBitsPerSecond[rank];
    const auto& host = m_scenario.host;
    const auto& codec = m_scenario.codec;
    BusyTimes busy{};
    for (const auto& round : chunk.rounds)
    {
        if (round.plan->Elements() == 0)
        {
            continue; // takes no step
        }
        const std::pair key{round.plan.get(), rank};
        auto found = m_loads.find(key);
        found =
            found != m_loads.end() ? found : m_loads.emplace(key, LoadOf(*round.plan, rank)).first;
        const auto& load = found->second;
        for (const auto kind : {PayloadKind::GRADIENT, PayloadKind::WEIGHT})
        {
            const auto& of = kind == PayloadKind::GRADIENT ? load.gradient : load.weight;
            const auto sent = Moving(kind, bits, of.sentMessages, of.sentElements, rate);
            const auto received =
                Moving(kind, bits, of.receivedMessages, of.receivedElements, rate);
            for (std::size_t i = 0; i < g_moving; ++i)
            {
                busy[i] += i < g_moving / 2 ? sent[i] : received[i];
            }
            At(busy, Resource::SENDING_HOST) +=
                static_cast<double>(host.messageCostPs) * static_cast<double>(of.sentMessages);
        }
        At(busy, Resource::ADDER) += HostPs(load.addedElements, host.sumBytesPerSecond);
        if (m_job.hostCodec)
        {
            At(busy, Resource::CODEC) +=
                HostPs(load.codedElements, codec.encodeBytesPerSecond) +
                HostPs(load.gradient.receivedElements, codec.decodeBytesPerSecond);
        }
    }
    const bool isWorker = m_job.IsWorker(rank);
    At(busy, Resource::CODEC) += chunk.coding && isWorker ? CodedPs(chunk) : 0;
    if (m_job.weightsReturn && !isWorker)
    {
        At(busy, Resource::UPDATE) +=
            static_cast<double>(m_job.AggregatorUpdatePs(chunk, {0, chunk.ValueCount()}));
    }
    // A half-duplex host receives, then sends, within one exchange; another one may send meanwhile.
    if (host.IsHalfDuplex() && m_job.concurrent == 1)
    {
        At(busy, Resource::DOWNLINK) += At(busy, Resource::UPLINK);
        At(busy, Resource::RECEIVING_HOST) += At(busy, Resource::SENDING_HOST);
    }
    return busy;
}

double
ExchangeCost::TrunkPs(const JobChunk& chunk)
{
    double ps = 0;
    for (const auto& round : chunk.rounds)
    {
        const auto& plan = *round.plan;
        const auto steps = plan.Elements() == 0
                               ? std::uint64_t{0}
                               : std::uint64_t{plan.StepCount(0)} * plan.RankCount();
        if (m_network.trunkBitsPerSecond > 0 && steps > 0 && steps <= g_mostSteps)
        {
            const auto bits = BitsOf(chunk);
            const auto [place, isNew] = m_trunkPs.try_emplace({&plan, bits}, 0);
            place->second = isNew ? TrunkPs(plan, bits) : place->second;
            ps += place->second;
        }
    }
    return ps;
}

double
ExchangeCost::TrunkPs(const StepPlan& plan, double bits) const
{
    constexpr auto uplink = static_cast<std::size_t>(Resource::UPLINK);
    std::vector<double> out(m_network.trunksOfSwitch.size());
    auto in = out;
    for (Rank rank = 0; rank < plan.RankCount(); ++rank)
    {
        for (std::uint32_t step = 0; step < plan.StepCount(rank); ++step)
        {
            for (const auto& send : plan.At(rank, step).sends)
            {
                const auto from = m_network.switchOfHost[rank];
                const auto to = m_network.switchOfHost[send.peer];
                const auto rate = m_network.trunkBitsPerSecond;
                const auto ps =
                    from == to ? 0 : Moving(send.kind, bits, 1, send.range.count, rate)[uplink];
                out[from] += ps;
                in[to] += ps;
            }
        }
    }
    double most = 0;
    for (const auto hub : m_network.switchOfHost)
    {
        most = std::max(most, std::max(out[hub], in[hub]) / m_network.trunksOfSwitch[hub]);
    }
    return most;
}

bool
ExchangeCost::HasEqualWorkers() const
{
    return m_symmetry.period > 0 && m_scenario.cluster.overrides.empty();
}

bool
ExchangeCost::SeesAllWorkers() const
{
    return HasEqualWorkers() || m_job.workers <= g_mostRanks;
}

std::vector<Rank>
ExchangeCost::Workers() const
{
    const auto ofPeriod = std::max<Rank>(1, m_symmetry.period / m_symmetry.rows);
    const auto kinds = HasEqualWorkers() ? ofPeriod : std::min(m_job.workers, g_mostRanks);
    std::vector<Rank> workers(std::min(kinds, m_job.workers));
    std::iota(workers.begin(), workers.end(), 0U);
    for (const auto& worker : m_scenario.cluster.overrides)
    {
        workers.push_back(worker.index);
    }
    return workers;
}

} // namespace inca
