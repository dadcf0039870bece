/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-sum-bound.h"

#include "base/wire-format.h"
#include "exchange/block-packets.h"
#include "plan/resource-times.h"
#include "scenario/specs.h"

#include <algorithm>

namespace inca
{

namespace
{

/** That switches add, of each worker. */
std::uint64_t
AddedWords(const NetworkSums& sums)
{
    std::uint64_t words = 0;
    for (const auto& [sum, count] : sums)
    {
        words += sum.halves == Halves::ALL_GATHER ? 0 : sum.words * count;
    }
    return words;
}

/** That a worker sends, or, of what is gathered, gets. */
std::uint64_t
MovedWords(const NetworkSums& sums, Rank workers)
{
    auto words = AddedWords(sums);
    for (const auto& [sum, count] : sums)
    {
        words += sum.halves == Halves::ALL_GATHER ? count * WordsGot(sum, 0, workers) : 0;
    }
    return words;
}

std::uint64_t
Count(const NetworkSums& sums)
{
    std::uint64_t all = 0;
    for (const auto& [sum, count] : sums)
    {
        all += count;
    }
    return all;
}

} // namespace

/** A packet from a worker to the root, and its sum back. */
struct NetworkSumTimes::Frame
{
    LimitedTime host; ///< of the worker, either way
    LimitedTime link; ///< of the worker
    LimitedTime trip; ///< there and back, hosts included, the adders not
};

NetworkSumTimes::NetworkSumTimes(const Scenario& scenario, const NetworkSpeed& network)
    : m_scenario(scenario),
      m_network(network),
      m_scheme(MakeScheme(scenario))
{
    const auto rates = network.linkBitsPerSecond.begin();
    const auto [slowest, fastest] = std::minmax_element(rates, rates + scenario.cluster.workers);
    m_slowestLink = *slowest;
    m_fastestLink = *fastest;
    m_level = OnTrunk(m_scheme->LongestChain({{1, 1}}, 1).frameWireBytes) +
              LimitedTime{Limit::LATENCY,
                          static_cast<double>(network.linkLatencyPs + network.switchLatencyPs)};
}

/** What a packet's last bit takes from the worker's link to the root's output. */
LimitedTime
NetworkSumTimes::OneWay(std::uint64_t wireBytes) const
{
    return OnLink(wireBytes, m_fastestLink) + BeyondLink(wireBytes);
}

/** The same without the link's rate, on the longest way. */
LimitedTime
NetworkSumTimes::BeyondLink(std::uint64_t wireBytes) const
{
    const LimitedTime latency{Limit::LATENCY,
                              m_network.levels * static_cast<double>(m_network.linkLatencyPs)};
    return latency + OnTrunk(wireBytes) * (m_network.levels - 1);
}

/** Up and down again. */
LimitedTime
NetworkSumTimes::Switches() const
{
    return {Limit::LATENCY,
            (2.0 * m_network.levels - 1) * static_cast<double>(m_network.switchLatencyPs)};
}

NetworkSumTimes::Frame
NetworkSumTimes::FullFrame(const SumChain& chain) const
{
    Frame frame;
    frame.host = MovingFrames(m_scenario.host, 1, chain.frameValues * VALUE_BYTES);
    frame.link = OnLink(chain.frameWireBytes, m_fastestLink);
    frame.trip = frame.host * 2 + OneWay(chain.frameWireBytes) * 2 + Switches();
    return frame;
}

NetworkSumTimes::Frame
NetworkSumTimes::EmptyFrame(const SumChain& chain) const
{
    SumChain empty = chain;
    empty.frameWireBytes = chain.emptyWireBytes;
    empty.frameValues = 0;
    return FullFrame(empty);
}

LimitedTime
NetworkSumTimes::Adding(std::uint64_t values) const
{
    constexpr double psPerSecond = 1e12;
    const auto rate = m_scheme->AddedValuesPerSecond();
    return rate == 0
               ? LimitedTime{}
               : LimitedTime{Limit::ADDER,
                             static_cast<double>(values) * psPerSecond / static_cast<double>(rate)};
}

/**
 * Packets of all children on the longest way come after the sum that they wait for, and are added one by one;
 * another switch on the way adds at least one. @p fewer packets may be smaller than the others, or begin the chain.
 */
LimitedTime
NetworkSumTimes::Chained(const SumChain& chain, std::uint64_t fewer) const
{
    const auto adding = Adding(chain.frameValues * (m_network.farChildren + m_network.levels - 1));
    const auto full = static_cast<double>(chain.frames);
    return FullFrame(chain).trip * full +
           adding * std::max(0.0, full - static_cast<double>(fewer)) +
           EmptyFrame(chain).trip * static_cast<double>(chain.emptyFrames);
}

LimitedTime
NetworkSumTimes::Chained(const NetworkSums& sums, std::uint64_t fewer) const
{
    const bool isShared = std::any_of(
        sums.begin(), sums.end(), [](const auto& sum) { return sum.first.halves != Halves::BOTH; });
    const auto chained = [&](double memory) {
        return isShared ? ChainedShares(sums, memory)
                        : Chained(m_scheme->LongestChain(sums, memory), fewer);
    };
    return LimitedTime::With(Limit::SLOTS, chained(1), chained(RAISE));
}

/** What has come down a worker's link and trunks of a slot's packet, and what it sends then of the next one. (bytes) */
struct NetworkSumTimes::Turn
{
    std::uint64_t linkDown{0};
    std::uint64_t linkUp{0};
    std::uint64_t trunkDown{0};
    std::uint64_t trunkUp{0};
};

/**
 * Of the worker that holds up the others for longest: of gradients a packet's owner; of weights the owner of the
 * slot's next packet. Where some workers are nearer to the root, of one who is not, and perhaps no owner.
 */
NetworkSumTimes::Turn
NetworkSumTimes::TurnOf(Halves halves, const SumChain& chain) const
{
    const auto full = chain.frameWireBytes;
    const auto empty = chain.emptyWireBytes;
    const bool adds = halves == Halves::REDUCE_SCATTER;
    if (!IsEven())
    {
        const auto up = adds ? full : empty;
        return {empty, up, empty, up};
    }
    if (adds)
    {
        return {full, full, full, full};
    }
    const bool isOthers = chain.apart % m_scenario.cluster.workers != 0;
    return {full, isOthers ? full : empty, empty, full};
}

LimitedTime
NetworkSumTimes::CycleOf(const Turn& turn, const SumChain& chain) const
{
    const auto onHost = [&](std::uint64_t bytes) {
        const bool isFull = bytes == chain.frameWireBytes;
        return MovingFrames(m_scenario.host, 1, isFull ? chain.frameValues * VALUE_BYTES : 0);
    };
    return onHost(turn.linkDown) + onHost(turn.linkUp) + OnLink(turn.linkDown, m_fastestLink) +
           OnLink(turn.linkUp, m_fastestLink) + BeyondLink(turn.trunkDown) +
           BeyondLink(turn.trunkUp) + Switches();
}

/** Of sums at the same time, in whatever order. */
LimitedTime
NetworkSumTimes::ChainedShares(const NetworkSums& sums, double memory) const
{
    const auto chain = m_scheme->LongestChain(sums, memory);
    const auto empty = chain.emptyWireBytes;
    return CycleOf({empty, empty, empty, empty}, chain) * static_cast<double>(chain.frames);
}

LimitedTime
NetworkSumTimes::OnTrunk(std::uint64_t wireBytes) const
{
    return m_network.levels > 1 ? OnLink(wireBytes, m_network.trunkBitsPerSecond) : LimitedTime{};
}

/** Of those that have least, or most, to carry; all carry the same if nothing is shared out. */
struct NetworkSumTimes::Trunks
{
    LimitedTime leastUp;
    LimitedTime mostUp;
    LimitedTime leastDown;
};

NetworkSumTimes::Trunks
NetworkSumTimes::TrunksOf(const NetworkSums& sums) const
{
    Trunks trunks;
    bool first = true;
    for (const auto& adding : m_network.switches)
    {
        if (adding.trunkBitsPerSecond > 0)
        {
            const auto traffic = m_scheme->TrunkTraffic(sums, adding.workers);
            const auto up = OnTrunk(traffic.wireBytes);
            const auto down = OnTrunk(traffic.gotBytes);
            trunks.leastUp = first ? up : Shorter(trunks.leastUp, up);
            trunks.leastDown = first ? down : Shorter(trunks.leastDown, down);
            trunks.mostUp.Await(up);
            first = false;
        }
    }
    return trunks;
}

LimitedTime
NetworkSumTimes::MovingOnHost(const NetworkSums& sums) const
{
    const auto frames = m_scheme->TrafficOf(sums).frames;
    const auto words = MovedWords(sums, m_scenario.cluster.workers);
    return MovingFrames(m_scenario.host, frames, VALUE_BYTES * words);
}

LimitedTime
NetworkSumTimes::Messages(const NetworkSums& sums) const
{
    return {Limit::HOST,
            static_cast<double>(Count(sums)) * static_cast<double>(m_scenario.host.messageCostPs)};
}

/** Switches that @p worker's packets need not pass to the root, and others' must. */
std::uint32_t
NetworkSumTimes::LevelsSaved(std::size_t worker) const
{
    return m_network.levels - m_network.levelsOfWorker[worker];
}

/** What that saves of a way, at most. */
LimitedTime
NetworkSumTimes::Nearer(std::size_t worker) const
{
    return m_level * LevelsSaved(worker);
}

/** @return whether it is as far from every worker to the root */
bool
NetworkSumTimes::IsEven() const
{
    const auto& levels = m_network.levelsOfWorker;
    return std::count(levels.begin(), levels.end(), m_network.levels) ==
           static_cast<std::ptrdiff_t>(levels.size());
}

/** When workers ask for a sum, later by what their way is shorter than the longest. */
struct NetworkSumTimes::Begins
{
    LimitedTime first;
    LimitedTime last;
    LimitedTime lastFar;   ///< of those on the longest way
    LimitedTime firstSent; ///< the first packet of every worker could have left it
    LimitedTime sent;      ///< all could
};

NetworkSumTimes::Begins
NetworkSumTimes::BeginsOf(const NetworkSumSize& sum, const std::vector<LimitedTime>& begins) const
{
    Begins all;
    for (Rank worker = 0; worker < begins.size(); ++worker)
    {
        const auto traffic = m_scheme->TrafficOf(sum, worker);
        const auto rate = m_network.linkBitsPerSecond[worker];
        const auto begin = begins[worker] - Nearer(worker);
        all.first = worker == 0 ? begin : Shorter(all.first, begin);
        all.last.Await(begin);
        all.lastFar.Await(LevelsSaved(worker) == 0 ? begin : LimitedTime{});
        all.firstSent.Await(begin + OnLink(traffic.firstBytes, rate));
        all.sent.Await(begin + OnLink(traffic.all.wireBytes, rate));
    }
    return all;
}

/**
 * What any worker waits for. Others may have sent, and switches added, a pool of packets before the last
 * worker begins; its own packets, and those behind them, come after that.
 */
LimitedTime
NetworkSumTimes::OneForAll(std::uint64_t words, const Begins& begins) const
{
    const NetworkSums sum{{words, 1}};
    const auto ahead = m_scheme->AheadOf(words);
    const auto bytesBehind = m_scheme->TrafficOf(sum).wireBytes - ahead.wireBytes;
    const auto full = FullFrame(m_scheme->LongestChain(sum, 1));
    // The rest of the last packet's trip follows what its host, or link, does to all before it.
    const auto rest = full.trip - full.host;
    auto fromLast = Longer(Chained(sum, ahead.words > 0 ? 2 : 1), MovingOnHost(sum) + rest);
    fromLast.Await(OnLink(bytesBehind, m_slowestLink) + rest - full.link);
    fromLast.Await(OnTrunk(bytesBehind));
    auto fromFirst = Chained(sum, 1);
    auto lastAdded = ahead.words; // by the root
    for (const auto& adding : m_network.switches)
    {
        fromFirst.Await(Adding(adding.children * words));
        fromLast.Await(Adding(adding.children * (words - ahead.words) + lastAdded));
        lastAdded = 0;
    }
    return Longer(begins.first + fromFirst, begins.last + fromLast)
        .Await(begins.lastFar + OnTrunk(bytesBehind + ahead.wireBytes))
        .Await(begins.sent + rest - full.link);
}

std::vector<LimitedTime>
NetworkSumTimes::One(std::uint64_t words, const std::vector<LimitedTime>& begins) const
{
    const NetworkSums sum{{words, 1}};
    const auto chain = m_scheme->LongestChain(sum, 1);
    const auto first = chain.emptyFrames > 0 ? EmptyFrame(chain) : FullFrame(chain);
    const auto bytes = m_scheme->TrafficOf(sum).wireBytes;
    const auto all = BeginsOf(words, begins);
    const auto forAll = OneForAll(words, all);
    std::vector<LimitedTime> ends;
    for (std::size_t worker = 0; worker < begins.size(); ++worker)
    {
        const auto rate = m_network.linkBitsPerSecond[worker];
        const auto got = OnLink(bytes, rate) + first.trip - first.host - first.link;
        auto end = Longer(forAll, all.last + got);
        end.Await(LevelsSaved(worker) == 0 ? all.last + OnTrunk(bytes) : LimitedTime{});
        ends.push_back(end + Messages(sum) - Nearer(worker));
    }
    return ends;
}

/** What holds for any worker, whatever it gets. */
LimitedTime
NetworkSumTimes::SharedForAll(const NetworkSumSize& sum, const Begins& begins) const
{
    const NetworkSums one{{sum, 1}};
    const auto trunks = TrunksOf(one);
    auto all = begins.last + Longer(MovingOnHost(one), Adding(AddedWords(one)));
    all.Await(begins.first + trunks.mostUp).Await(begins.lastFar + trunks.leastUp);
    for (const auto& adding : m_network.switches)
    {
        all.Await(begins.first + Adding(adding.children * AddedWords(one)));
    }
    return all;
}

/** From when the first packets have come down, to when the slot's last ones go up and come to the root's. */
LimitedTime
NetworkSumTimes::SharedChain(const NetworkSumSize& sum, const SumChain& chain) const
{
    const auto turn = TurnOf(sum.halves, chain);
    const auto empty = chain.emptyWireBytes;
    const auto turns = static_cast<double>(chain.frames) - 1;
    auto chained = CycleOf(turn, chain) * turns;
    if (chain.emptyFrames > 0)
    {
        chained += CycleOf({empty, turn.linkUp, empty, turn.trunkUp}, chain);
    }
    if (sum.halves == Halves::REDUCE_SCATTER)
    {
        const auto shorter =
            static_cast<double>(m_scenario.cluster.workers); // a packet of each block
        chained += Adding(chain.frameValues * m_network.levels) * std::max(0.0, turns - shorter);
    }
    return chained;
}

LimitedTime
NetworkSumTimes::SharedChain(const NetworkSumSize& sum) const
{
    const NetworkSums one{{sum, 1}};
    return LimitedTime::With(Limit::SLOTS,
                             SharedChain(sum, m_scheme->LongestChain(one, 1)),
                             SharedChain(sum, m_scheme->LongestChain(one, RAISE)));
}

std::vector<LimitedTime>
NetworkSumTimes::Shared(const NetworkSumSize& sum, const std::vector<LimitedTime>& begins) const
{
    const NetworkSums one{{sum, 1}};
    const auto chain = m_scheme->LongestChain(one, 1);
    const auto empty = chain.emptyWireBytes;
    const bool adds = sum.halves != Halves::ALL_GATHER;
    const auto all = BeginsOf(sum, begins);
    const auto forAll = SharedForAll(sum, all);
    const auto back = BeyondLink(empty) + Switches() + MovingFrames(m_scenario.host, 1, 0) * 2;
    const auto firstThere = all.firstSent + BeyondLink(empty) + back;
    const auto lastThere = all.sent + BeyondLink(adds ? chain.frameWireBytes : empty) + back;
    const auto ended = Longer(firstThere + SharedChain(sum), lastThere);
    const auto down = TrunksOf(one).leastDown;
    std::vector<LimitedTime> ends;
    for (Rank worker = 0; worker < begins.size(); ++worker)
    {
        const auto traffic = m_scheme->TrafficOf(sum, worker);
        const auto rate = m_network.linkBitsPerSecond[worker];
        auto end = Longer(forAll, ended + OnLink(traffic.lastBytes, rate));
        end.Await(firstThere + OnLink(traffic.all.gotBytes, rate));
        end.Await(LevelsSaved(worker) == 0 ? all.last + down : LimitedTime{});
        ends.push_back(end + Messages(one) - Nearer(worker));
    }
    return ends;
}

LimitedTime
NetworkSumTimes::Together(const NetworkSums& sums) const
{
    const auto [frames, wireBytes, gotBytes] = m_scheme->TrafficOf(sums);
    const auto trunks = TrunksOf(sums);
    auto longest = Longer(Chained(sums, Count(sums)), MovingOnHost(sums) + Messages(sums));
    longest.Await(OnLink(std::max(wireBytes, gotBytes), m_slowestLink));
    longest.Await(trunks.mostUp).Await(trunks.leastDown);
    for (const auto& adding : m_network.switches)
    {
        longest.Await(Adding(adding.children * AddedWords(sums)));
    }
    return longest;
}

} // namespace inca
