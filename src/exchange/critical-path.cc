/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/critical-path.h"

#include "exchange/double-tree.h"

#include <algorithm>

namespace inca
{

namespace
{

using Path = std::vector<Rounds>;

/** Of a ring of @p members, a block of @p elements goes from each to the next. */
Rounds
Ring(std::uint64_t members,
     std::uint64_t elements,
     bool adds,
     PayloadKind kind = PayloadKind::GRADIENT)
{
    const auto count = members - 1;
    return {count, count, elements, adds ? count * elements : 0, false, false, kind};
}

void
Append(Path& path, const Path& more)
{
    path.insert(path.end(), more.begin(), more.end());
}

/** @p senders give all @p elements to an aggregator or server. */
Rounds
Gather(std::uint64_t senders, std::uint64_t elements, bool updates)
{
    return {1, senders, elements, (senders - 1) * elements, true, updates, PayloadKind::GRADIENT};
}

/** The least k for which 2^k is at least @p members. */
std::uint64_t
CeilLog2(std::uint64_t members)
{
    std::uint64_t log = 0;
    while ((std::uint64_t{1} << log) < members)
    {
        ++log;
    }
    return log;
}

/** Until the last of @p members has what the first of them sends. */
Path
BroadcastPath(const ExchangeSpec& spec, Rank members, std::uint64_t elements, bool atOther)
{
    const auto messages = [&](std::uint64_t count, std::uint64_t all, std::uint64_t ofEach) {
        return Rounds{count, all, ofEach, 0, atOther, false, PayloadKind::WEIGHT};
    };
    if (spec.broadcast == "flat")
    {
        return {messages(1, members - 1, elements)};
    }
    if (spec.broadcast == "binomial")
    {
        return {messages(1, CeilLog2(members), elements)};
    }
    const auto segment = std::min(spec.segmentElements, elements);
    const auto before = (elements - 1) / segment;
    auto last = messages(members - 1, members - 1, elements - before * segment);
    last.atOther = false;
    return {messages(0, before, segment), last};
}

/** Groups add up round their rings. */
Path
InGroups(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto block = elements / spec.groupSize;
    return {Ring(spec.groupSize, block, true), Ring(spec.groupSize, block, false)};
}

CriticalPath
ServerPath(std::uint64_t workers, std::uint64_t servers, std::uint64_t elements)
{
    const auto block = elements / servers;
    CriticalPath path;
    Rounds come{1, std::max(workers, servers), block, (workers - 1) * block, servers <= workers};
    Rounds go{1, servers <= workers ? servers : 1, block, 0, true};
    path.toFirst = {come, go};
    go.messages = workers;
    path.toLast = {come, go};
    return path;
}

} // namespace

/** The same block goes round twice: summed up on its way, then as a sum. */
CriticalPath
RingPath(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto channels = std::max<std::uint64_t>(1, spec.ringChannels);
    const auto block = elements / spec.workers / channels;
    const auto chunk =
        spec.ringChunkElements == 0 ? block : std::min(spec.ringChunkElements, block);
    const auto turns = chunk == 0 ? 0 : block / chunk;
    const auto inTurns = [turns](Rounds rounds) {
        rounds.count *= turns;
        rounds.messages *= turns;
        rounds.added *= turns;
        return rounds;
    };
    Path path;
    if (spec.phase != SumPhase::ALL_GATHER)
    {
        path.push_back(inTurns(Ring(spec.workers, chunk, true)));
    }
    if (spec.phase != SumPhase::REDUCE_SCATTER)
    {
        const auto kind = spec.sharded ? PayloadKind::WEIGHT : PayloadKind::GRADIENT;
        path.push_back(inTurns(Ring(spec.workers, chunk, false, kind)));
    }
    return {path, path};
}

/** Chunks go up one after the other, the last one from leaf to root, and down again. */
CriticalPath
DoubleTreePath(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto half = elements / 2;
    if (half == 0)
    {
        return {};
    }
    std::uint64_t depth = 0;
    for (Rank place = 1; place < spec.workers; ++place)
    {
        depth = std::max<std::uint64_t>(depth, TreePlaceOf(place, spec.workers).depth);
    }
    const auto chunk = std::min(spec.treeChunkElements, half);
    const auto before = (half - 1) / chunk;
    const auto last = half - before * chunk;
    const Path up{{0, before, chunk, 0}, {depth, depth, last, depth * last}};
    auto down = up;
    down.push_back({depth, depth, last, 0});
    return {up, down};
}

/** Beyond a power of two, workers hand all to a neighbour first, and get all from it at the end. */
CriticalPath
HalvingDoublingPath(const ExchangeSpec& spec, std::uint64_t elements)
{
    std::uint64_t members = 1;
    while (2 * members <= spec.workers)
    {
        members *= 2;
    }
    Path halving;
    Path doubling;
    for (auto part = members / 2; part > 0; part /= 2)
    {
        const auto some = elements / members * part;
        halving.push_back({1, 1, some, some});
        doubling.push_back({1,
                            1,
                            some,
                            0,
                            false,
                            false,
                            spec.sharded ? PayloadKind::WEIGHT : PayloadKind::GRADIENT});
    }
    Path path;
    if (spec.phase != SumPhase::ALL_GATHER)
    {
        path = halving;
    }
    if (spec.phase != SumPhase::REDUCE_SCATTER)
    {
        Append(path, doubling);
    }
    if (members == spec.workers)
    {
        return {path, path};
    }
    const auto sent = elements / members * (members - 1);
    return {path, {{1, 1, elements, elements}, {0, 1, 2 * sent, 0}, {1, 1, elements, 0}}};
}

CriticalPath
HierarchicalRingPath(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto groups = spec.workers / spec.groupSize;
    const auto others = std::uint64_t{spec.groupSize} - 1;
    const auto block = elements / spec.groupSize;
    auto path = InGroups(spec, elements);
    path.push_back(Ring(groups, elements / groups, true));
    path.push_back(Ring(groups, elements / groups, false));
    path.push_back({1, others, block, 0}); // a leader gives each of its group a block
    CriticalPath both{path, path};
    both.toFirst.push_back({1, others, block, 0}); // some were early
    both.toLast.push_back(Ring(spec.groupSize, block, false));
    return both;
}

CriticalPath
HierarchicalAggregatorPath(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto groups = spec.workers / spec.groupSize;
    auto path = InGroups(spec, elements);
    path.push_back(Gather(groups, elements, true));
    CriticalPath both{path, path};
    both.toFirst.push_back({1, 1, elements, 0, true, false, PayloadKind::WEIGHT});
    both.toFirst.push_back(
        {0, 1, elements, 0, false, false, PayloadKind::WEIGHT}); // a leader's, as it left
    Append(both.toLast, BroadcastPath(spec, groups + 1, elements, true));
    Append(both.toLast, BroadcastPath(spec, spec.groupSize, elements, false));
    return both;
}

CriticalPath
WorkerAggregatorPath(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto sum = Gather(spec.workers, elements, true);
    CriticalPath path{{sum, {1, 1, elements, 0, true, false, PayloadKind::WEIGHT}}, {sum}};
    Append(path.toLast, BroadcastPath(spec, spec.workers + 1, elements, true));
    return path;
}

CriticalPath
ParameterServerPath(const ExchangeSpec& spec, std::uint64_t elements)
{
    return ServerPath(spec.workers, 1, elements);
}

CriticalPath
ShardedServerPath(const ExchangeSpec& spec, std::uint64_t elements)
{
    return ServerPath(spec.workers, spec.servers.value_or(spec.workers), elements);
}

} // namespace inca
