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
 * Packets of all children come after the sum that they wait for, and are added one by one; another
 * switch on the way adds at least one. The last packet of each of @p sums may be smaller than the others.
 */
LimitedTime
NetworkSumTimes::Chained(const SumChain& chain, std::uint64_t sums) const
{
    std::uint64_t children = 0;
    for (const auto& adding : m_network.switches)
    {
        children = std::max(children, adding.children);
    }
    const auto adding = Adding(chain.frameValues * (children + m_network.levels - 1));
    const auto full = static_cast<double>(chain.frames);
    return FullFrame(chain).trip * full + adding * std::max(0.0, full - static_cast<double>(sums)) +
           EmptyFrame(chain).trip * static_cast<double>(chain.emptyFrames);
}

LimitedTime
NetworkSumTimes::Chained(const NetworkSums& sums) const
{
    return LimitedTime::With(Limit::SLOTS,
                             Chained(m_scheme->LongestChain(sums, 1), Count(sums)),
                             Chained(m_scheme->LongestChain(sums, RAISE), Count(sums)));
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

LimitedTime
NetworkSumTimes::One(std::uint64_t words) const
{
    const NetworkSums sum{{words, 1}};
    const auto chain = m_scheme->LongestChain(sum, 1);
    const auto full = FullFrame(chain);
    const auto bytes = m_scheme->TrafficOf(sum).wireBytes;
    // The rest of the last packet's trip follows what its host, or link, does to all before it.
    const auto rest = full.trip - full.host;
    auto longest = Longer(Chained(sum), MovingOnHost(sum) + rest);
    longest.Await(OnLink(bytes, m_slowestLink) + rest - full.link);
    longest.Await(OnTrunks(bytes));
    for (const auto& adding : m_network.switches)
    {
        longest.Await(Adding(adding.children * words));
    }
    return longest + LimitedTime{Limit::HOST, static_cast<double>(m_scenario.host.messageCostPs)};
}

LimitedTime
NetworkSumTimes::Together(const NetworkSums& sums) const
{
    const auto bytes = m_scheme->TrafficOf(sums).wireBytes;
    const LimitedTime messages{Limit::HOST,
                               static_cast<double>(Count(sums)) *
                                   static_cast<double>(m_scenario.host.messageCostPs)};
    auto longest = Longer(Chained(sums), MovingOnHost(sums) + messages);
    longest.Await(OnLink(bytes, m_slowestLink)).Await(OnTrunks(bytes));
    for (const auto& adding : m_network.switches)
    {
        longest.Await(Adding(adding.children * Elements(sums)));
    }
    return longest;
}

} // namespace inca
