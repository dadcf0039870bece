/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-sum-bound.h"

#include "base/wire-format.h"
#include "plan/resource-times.h"
#include "scenario/specs.h"

#include <algorithm>

namespace inca
{

namespace
{

std::uint64_t
Elements(const NetworkSums& sums)
{
    std::uint64_t elements = 0;
    for (const auto& [each, count] : sums)
    {
        elements += each * count;
    }
    return elements;
}

std::uint64_t
Count(const NetworkSums& sums)
{
    std::uint64_t all = 0;
    for (const auto& [each, count] : sums)
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
    m_level = OnTrunks(m_scheme->LongestChain({{1, 1}}, 1).frameWireBytes) +
              LimitedTime{Limit::LATENCY,
                          static_cast<double>(network.linkLatencyPs + network.switchLatencyPs)};
}

/** What a packet's last bit takes from the worker's link to the root's output. */
LimitedTime
NetworkSumTimes::OneWay(std::uint64_t wireBytes) const
{
    const auto trunks = m_network.levels - 1;
    LimitedTime way{Limit::LATENCY,
                    m_network.levels * static_cast<double>(m_network.linkLatencyPs)};
    if (trunks > 0)
    {
        way += OnLink(wireBytes, m_network.trunkBitsPerSecond) * trunks;
    }
    return way + OnLink(wireBytes, m_fastestLink);
}

NetworkSumTimes::Frame
NetworkSumTimes::FullFrame(const SumChain& chain) const
{
    const LimitedTime switches{Limit::LATENCY,
                               (2.0 * m_network.levels - 1) *
                                   static_cast<double>(m_network.switchLatencyPs)};
    Frame frame;
    frame.host = MovingFrames(m_scenario.host, 1, chain.frameValues * VALUE_BYTES);
    frame.link = OnLink(chain.frameWireBytes, m_fastestLink);
    frame.trip = frame.host * 2 + OneWay(chain.frameWireBytes) * 2 + switches;
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
    return LimitedTime::With(Limit::SLOTS,
                             Chained(m_scheme->LongestChain(sums, 1), fewer),
                             Chained(m_scheme->LongestChain(sums, RAISE), fewer));
}

LimitedTime
NetworkSumTimes::OnTrunks(std::uint64_t wireBytes) const
{
    return m_network.levels > 1 ? OnLink(wireBytes, m_network.trunkBitsPerSecond) : LimitedTime{};
}

LimitedTime
NetworkSumTimes::MovingOnHost(const NetworkSums& sums) const
{
    const auto frames = m_scheme->TrafficOf(sums).frames;
    return MovingFrames(m_scenario.host, frames, VALUE_BYTES * Elements(sums));
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

/** When workers ask for a sum, later by what their way is shorter than the longest. */
struct NetworkSumTimes::Begins
{
    LimitedTime first;
    LimitedTime last;
    LimitedTime lastFar; ///< of those on the longest way
    LimitedTime sent;    ///< all of every worker could have left it
};

NetworkSumTimes::Begins
NetworkSumTimes::BeginsOf(const std::vector<LimitedTime>& begins, std::uint64_t words) const
{
    const auto bytes = m_scheme->TrafficOf({{words, 1}}).wireBytes;
    Begins all;
    for (std::size_t worker = 0; worker < begins.size(); ++worker)
    {
        const auto begin = begins[worker] - Nearer(worker);
        all.first = worker == 0 ? begin : Shorter(all.first, begin);
        all.last.Await(begin);
        all.lastFar.Await(LevelsSaved(worker) == 0 ? begin : LimitedTime{});
        all.sent.Await(begin + OnLink(bytes, m_network.linkBitsPerSecond[worker]));
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
    fromLast.Await(OnTrunks(bytesBehind));
    auto fromFirst = Chained(sum, 1);
    auto lastAdded = ahead.words; // by the root
    for (const auto& adding : m_network.switches)
    {
        fromFirst.Await(Adding(adding.children * words));
        fromLast.Await(Adding(adding.children * (words - ahead.words) + lastAdded));
        lastAdded = 0;
    }
    return Longer(begins.first + fromFirst, begins.last + fromLast)
        .Await(begins.lastFar + OnTrunks(bytesBehind + ahead.wireBytes))
        .Await(begins.sent + rest - full.link);
}

std::vector<LimitedTime>
NetworkSumTimes::One(std::uint64_t words, const std::vector<LimitedTime>& begins) const
{
    const NetworkSums sum{{words, 1}};
    const auto chain = m_scheme->LongestChain(sum, 1);
    const auto first = chain.emptyFrames > 0 ? EmptyFrame(chain) : FullFrame(chain);
    const auto bytes = m_scheme->TrafficOf(sum).wireBytes;
    const auto all = BeginsOf(begins, words);
    const auto forAll = OneForAll(words, all);
    const LimitedTime message{Limit::HOST, static_cast<double>(m_scenario.host.messageCostPs)};
    std::vector<LimitedTime> ends;
    for (std::size_t worker = 0; worker < begins.size(); ++worker)
    {
        const auto rate = m_network.linkBitsPerSecond[worker];
        const auto got = OnLink(bytes, rate) + first.trip - first.host - first.link;
        auto end = Longer(forAll, all.last + got);
        end.Await(LevelsSaved(worker) == 0 ? all.last + OnTrunks(bytes) : LimitedTime{});
        ends.push_back(end + message - Nearer(worker));
    }
    return ends;
}

LimitedTime
NetworkSumTimes::Together(const NetworkSums& sums) const
{
    const auto bytes = m_scheme->TrafficOf(sums).wireBytes;
    const LimitedTime messages{Limit::HOST,
                               static_cast<double>(Count(sums)) *
                                   static_cast<double>(m_scenario.host.messageCostPs)};
    auto longest = Longer(Chained(sums, Count(sums)), MovingOnHost(sums) + messages);
    longest.Await(OnLink(bytes, m_slowestLink)).Await(OnTrunks(bytes));
    for (const auto& adding : m_network.switches)
    {
        longest.Await(Adding(adding.children * Elements(sums)));
    }
    return longest;
}

} // namespace inca
