/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/network-sum-bound.h"

#include "base/wire-format.h"
#include "exchange/block-packets.h"
#include "plan/resource-times.h"
#include "scenario/specs.h"

#include <algorithm>
#include <optional>

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

/** Packets with fewer values than others. */
std::uint64_t
ShortPackets(const NetworkSums& sums, Rank workers)
{
    std::uint64_t all = 0;
    for (const auto& [sum, count] : sums)
    {
        all += sum.halves == Halves::BOTH ? count : count * workers;
    }
    return all;
}

bool
AddsAll(const NetworkSums& sums)
{
    return std::none_of(sums.begin(), sums.end(), [](const auto& sum) {
        return sum.first.halves == Halves::ALL_GATHER;
    });
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
    return Beyond(wireBytes) + OnLink(wireBytes, m_fastestLink);
}

/** The same after the worker's link, or before it. */
LimitedTime
NetworkSumTimes::Beyond(std::uint64_t wireBytes) const
{
    const auto trunks = m_network.levels - 1;
    LimitedTime way{Limit::LATENCY,
                    m_network.levels * static_cast<double>(m_network.linkLatencyPs)};
    if (trunks > 0)
    {
        way += OnLink(wireBytes, m_network.trunkBitsPerSecond) * trunks;
    }
    return way;
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
 * Packets of all children come after the sum that they wait for, and are added one by one; another
 * switch on the way adds at least one. @p shorter packets may be smaller than the others.
 */
LimitedTime
NetworkSumTimes::Chained(const SumChain& chain, std::uint64_t shorter) const
{
    std::uint64_t children = 0;
    for (const auto& adding : m_network.switches)
    {
        children = std::max(children, adding.children);
    }
    const auto adding = Adding(chain.frameValues * (children + m_network.levels - 1));
    const auto full = static_cast<double>(chain.frames);
    return FullFrame(chain).trip * full +
           adding * std::max(0.0, full - static_cast<double>(shorter)) +
           EmptyFrame(chain).trip * static_cast<double>(chain.emptyFrames);
}

LimitedTime
NetworkSumTimes::Chained(const NetworkSums& sums) const
{
    const auto workers = m_scenario.cluster.workers;
    const auto chained = [&](const SumChain& chain) {
        return Chained(chain, AddsAll(sums) ? ShortPackets(sums, workers) : chain.frames);
    };
    return LimitedTime::With(Limit::SLOTS,
                             chained(m_scheme->LongestChain(sums, 1)),
                             chained(m_scheme->LongestChain(sums, RAISE)));
}

/** On the one that has least to carry; all carry the same if nothing is shared out. */
LimitedTime
NetworkSumTimes::OnTrunks(const NetworkSums& sums) const
{
    std::optional<LimitedTime> least;
    for (const auto& adding : m_network.switches)
    {
        if (adding.trunkBitsPerSecond > 0)
        {
            const auto traffic = m_scheme->TrunkTraffic(sums, adding.workers);
            const auto bytes = std::max(traffic.wireBytes, traffic.gotBytes);
            const auto time = OnLink(bytes, m_network.trunkBitsPerSecond);
            least = least ? Shorter(*least, time) : time;
        }
    }
    return least.value_or(LimitedTime{});
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
    longest.Await(OnTrunks(sum));
    for (const auto& adding : m_network.switches)
    {
        longest.Await(Adding(adding.children * words));
    }
    return longest + Messages(sum);
}

/** Of a sum whose words are shared out. */
struct NetworkSumTimes::Shares
{
    std::vector<SharedTraffic> traffic; ///< by worker
    LimitedTime first;                  ///< the first packets of all workers have left them
    LimitedTime last;                   ///< all have
};

NetworkSumTimes::Shares
NetworkSumTimes::SharesOf(const NetworkSumSize& sum, const std::vector<LimitedTime>& begins) const
{
    const auto hostOfFrame = MovingFrames(m_scenario.host, 1, 0);
    const auto messages = Messages({{sum, 1}});
    Shares shares;
    for (Rank worker = 0; worker < begins.size(); ++worker)
    {
        const auto traffic = m_scheme->TrafficOf(sum, worker);
        const auto rate = m_network.linkBitsPerSecond[worker];
        const auto begin = begins[worker] + messages + hostOfFrame;
        shares.first.Await(begin + OnLink(traffic.firstBytes, rate));
        shares.last.Await(begin + OnLink(traffic.all.wireBytes, rate));
        shares.traffic.push_back(traffic);
    }
    return shares;
}

/** What holds for the last of all workers, whatever it gets: some may end earlier by a frame. */
LimitedTime
NetworkSumTimes::SharedOnAll(const NetworkSumSize& sum,
                             const std::vector<LimitedTime>& begins) const
{
    const NetworkSums one{{sum, 1}};
    auto firstBegin = begins.front();
    auto lastBegin = begins.front();
    for (const auto& begin : begins)
    {
        firstBegin = Shorter(firstBegin, begin);
        lastBegin.Await(begin);
    }
    auto all = lastBegin + Longer(MovingOnHost(one) + Messages(one), OnTrunks(one));
    all.Await(lastBegin + Adding(AddedWords(one)));
    for (const auto& adding : m_network.switches)
    {
        all.Await(firstBegin + Adding(adding.children * AddedWords(one)));
    }
    return all;
}

/** Until who gets @p lastBytes of the last packet has them. */
LimitedTime
NetworkSumTimes::SharedChain(const NetworkSumSize& sum, std::uint64_t lastBytes) const
{
    const NetworkSums one{{sum, 1}};
    const auto chain = m_scheme->LongestChain(one, 1);
    const auto chained = Chained(one) + Messages(one);
    if (lastBytes == chain.frameWireBytes)
    {
        return chained;
    }
    const auto full = FullFrame(chain).host + OneWay(chain.frameWireBytes);
    return chained - full + MovingFrames(m_scenario.host, 1, 0) + OneWay(lastBytes);
}

std::vector<LimitedTime>
NetworkSumTimes::Shared(const NetworkSumSize& sum, const std::vector<LimitedTime>& begins) const
{
    const auto chain = m_scheme->LongestChain({{sum, 1}}, 1);
    const bool adds = sum.halves != Halves::ALL_GATHER;
    const auto shares = SharesOf(sum, begins);
    const auto empty = chain.emptyWireBytes;
    const auto down = Switches() + Beyond(empty) + MovingFrames(m_scenario.host, 1, 0);
    const auto firstThere = shares.first + Beyond(empty) + down;
    const auto lastThere = shares.last + Beyond(adds ? chain.frameWireBytes : empty) + down;
    LimitedTime lastBegin;
    for (const auto& begin : begins)
    {
        lastBegin.Await(begin);
    }
    const auto all = SharedOnAll(sum, begins);
    std::vector<LimitedTime> ends;
    for (Rank worker = 0; worker < begins.size(); ++worker)
    {
        const auto& traffic = shares.traffic[worker];
        const auto rate = m_network.linkBitsPerSecond[worker];
        auto end = Longer(all, lastBegin + SharedChain(sum, traffic.lastBytes));
        end.Await(firstThere + OnLink(traffic.all.gotBytes, rate));
        end.Await(lastThere + OnLink(traffic.lastBytes, rate));
        ends.push_back(end);
    }
    return ends;
}

LimitedTime
NetworkSumTimes::Together(const NetworkSums& sums) const
{
    const auto [frames, wireBytes, gotBytes] = m_scheme->TrafficOf(sums);
    auto longest = Longer(Chained(sums), MovingOnHost(sums) + Messages(sums));
    longest.Await(OnLink(std::max(wireBytes, gotBytes), m_slowestLink)).Await(OnTrunks(sums));
    for (const auto& adding : m_network.switches)
    {
        longest.Await(Adding(adding.children * AddedWords(sums)));
    }
    return longest;
}

} // namespace inca
