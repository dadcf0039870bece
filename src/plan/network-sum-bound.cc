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
}

/** What a packet's last bit takes from the worker's link to the root's output. */
LimitedTime
NetworkSumTimes::OneWay(std::uint64_t wireBytes) const
{
    return Beyond(wireBytes, m_network.levels) + OnLink(wireBytes, m_fastestLink);
}

/** @return whether it is as far from every worker to the root */
bool
NetworkSumTimes::IsEven() const
{
    return m_network.leastLevels == m_network.levels;
}

/** The same over so many levels, after the worker's link, or before it. */
LimitedTime
NetworkSumTimes::Beyond(std::uint64_t wireBytes, std::uint32_t levels) const
{
    const auto trunks = levels - 1;
    LimitedTime way{Limit::LATENCY, levels * static_cast<double>(m_network.linkLatencyPs)};
    if (trunks > 0)
    {
        way += OnLink(wireBytes, m_network.trunkBitsPerSecond) * trunks;
    }
    return way;
}

/** Up and down again. */
LimitedTime
NetworkSumTimes::Switches(std::uint32_t levels) const
{
    return {Limit::LATENCY, (2.0 * levels - 1) * static_cast<double>(m_network.switchLatencyPs)};
}

NetworkSumTimes::Frame
NetworkSumTimes::FullFrame(const SumChain& chain) const
{
    Frame frame;
    frame.host = MovingFrames(m_scenario.host, 1, chain.frameValues * VALUE_BYTES);
    frame.link = OnLink(chain.frameWireBytes, m_fastestLink);
    frame.trip = frame.host * 2 + OneWay(chain.frameWireBytes) * 2 + Switches(m_network.levels);
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
    const bool isShared = std::any_of(
        sums.begin(), sums.end(), [](const auto& sum) { return sum.first.halves != Halves::BOTH; });
    const auto chained = [&](double memory) {
        return isShared ? ChainedShares(sums, memory)
                        : Chained(m_scheme->LongestChain(sums, memory), Count(sums));
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
           OnLink(turn.linkUp, m_fastestLink) + Beyond(turn.trunkDown, m_network.levels) +
           Beyond(turn.trunkUp, m_network.levels) + Switches(m_network.levels);
}

/** Of sums at the same time, in whatever order. */
LimitedTime
NetworkSumTimes::ChainedShares(const NetworkSums& sums, double memory) const
{
    const auto chain = m_scheme->LongestChain(sums, memory);
    const auto empty = chain.emptyWireBytes;
    return CycleOf({empty, empty, empty, empty}, chain) * static_cast<double>(chain.frames);
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
    auto all = lastBegin + MovingOnHost(one) + Messages(one);
    all.Await((IsEven() ? lastBegin : firstBegin) + OnTrunks(one));
    all.Await(lastBegin + Adding(AddedWords(one)));
    for (const auto& adding : m_network.switches)
    {
        all.Await(firstBegin + Adding(adding.children * AddedWords(one)));
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
    const auto chain = m_scheme->LongestChain({{sum, 1}}, 1);
    const bool adds = sum.halves != Halves::ALL_GATHER;
    const auto shares = SharesOf(sum, begins);
    const auto empty = chain.emptyWireBytes;
    const auto levels = m_network.leastLevels;
    const auto down =
        Switches(levels) + Beyond(empty, levels) + MovingFrames(m_scenario.host, 1, 0);
    const auto firstThere = shares.first + Beyond(empty, levels) + down;
    const auto lastThere = shares.last + Beyond(adds ? chain.frameWireBytes : empty, levels) + down;
    const auto chained = firstThere + SharedChain(sum);
    const auto all = SharedOnAll(sum, begins);
    std::vector<LimitedTime> ends;
    for (Rank worker = 0; worker < begins.size(); ++worker)
    {
        const auto& traffic = shares.traffic[worker];
        const auto rate = m_network.linkBitsPerSecond[worker];
        auto end = Longer(all, chained + OnLink(traffic.lastBytes, rate));
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
