/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/library.h"

#include "exchange/staged-plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace inca
{

namespace
{

constexpr std::uint64_t g_kib = 1U << 10U;
constexpr std::uint64_t g_mib = 1U << 20U;
constexpr auto g_any = std::numeric_limits<std::uint64_t>::max();

std::uint64_t
CeilOf(std::uint64_t value, std::uint64_t unit)
{
    return (value + unit - 1) / unit;
}

// -- Open MPI

/** The last row whose ranks are not more than there are; in it, the first size above the tensor's. */
struct OpenMpiRow
{
    Rank ranks;
    std::vector<std::pair<std::uint64_t, const char*>> below;
};

const std::vector<OpenMpiRow>&
OpenMpiTable()
{
    static const char* const doubling = "recursive-doubling";
    static const char* const ring = "ring";
    static const char* const halving = "halving-doubling"; // Rabenseifner's
    static const char* const tree = "tree";                // a reduction, then a broadcast
    static const std::vector<OpenMpiRow> table{
        {2,
         {{8, ring},
          {4 * g_kib, doubling},
          {8 * g_kib, ring},
          {16 * g_kib, doubling},
          {256 * g_kib, ring},
          {g_any, halving}}},
        {4, {{16, ring}, {8 * g_kib, doubling}, {g_any, halving}}},
        {8, {{8 * g_kib, doubling}, {g_any, halving}}},
        {16, {{64, ring}, {4 * g_kib, doubling}, {g_any, halving}}},
        {32, {{128, ring}, {4 * g_kib, doubling}, {g_any, halving}}},
        {64, {{256 * g_kib, doubling}, {g_any, halving}}},
        {128, {{128 * g_kib, tree}, {256 * g_kib, doubling}, {g_any, halving}}},
        {256, {{4 * g_kib, tree}, {g_any, halving}}},
        {512, {{2 * g_kib, tree}, {16 * g_kib, doubling}, {g_any, halving}}},
        {2048, {{2 * g_kib, tree}, {4 * g_kib, ring}, {16 * g_kib, doubling}, {g_any, halving}}},
        {4096, {{2 * g_kib, tree}, {16 * g_kib, ring}, {32 * g_kib, doubling}, {g_any, halving}}}};
    return table;
}

LibraryPick
PickOfOpenMpi(ExchangeSpec spec, std::uint64_t elements, std::uint64_t bytes)
{
    const auto& table = OpenMpiTable();
    const auto row = std::find_if(table.rbegin(), table.rend() - 1, [&spec](const auto& r) {
        return r.ranks <= spec.Nodes();
    });
    const auto& below = row->below;
    const auto found = std::find_if(
        below.begin(), below.end() - 1, [bytes](const auto& size) { return bytes < size.first; });
    spec.algorithm = found->second;
    spec.ringChannels = 1;
    spec.ringChunkElements = 0;
    spec.treeChunkElements = std::max<std::uint64_t>(1, elements);
    LibraryPick pick{std::move(spec)};
    pick.costs.eagerBytes = 64 * g_kib;
    if (pick.spec.algorithm != "tree" && (pick.spec.algorithm != "ring" || pick.spec.Nodes() == 2))
    {
        constexpr double share = 1448.0 / 1538; // of a link that is payload of TCP
        pick.costs.peerBytesPerSecond = static_cast<std::uint64_t>(
            std::llround(static_cast<double>(pick.spec.linkBytesPerSecond) * share));
    }
    return pick;
}

// -- gloo

LibraryPick
PickOfGloo(ExchangeSpec spec, std::uint64_t elements, std::uint64_t bytes)
{
    const std::uint64_t ranks = spec.Nodes();
    const auto segments =
        CeilOf(std::max(CeilOf(bytes, g_mib), 2 * ranks), ranks) * ranks; // as many for each rank
    spec.algorithm = "ring";
    spec.ringChannels = 2;
    spec.ringChunkElements = std::max<std::uint64_t>(1, CeilOf(elements, segments));
    return {std::move(spec)};
}

// -- NCCL

/** One of its protocols. Latencies in microseconds, as tuning.cc has them; tree first, then ring. */
struct NcclProtocol
{
    const char* name;
    std::array<double, 2> baseUs;
    std::array<double, 2> nvlinkUs;
    std::array<double, 2> netUs;
    std::uint64_t chunkBytes;                 ///< of data that go to the next GPU at a time
    std::uint64_t channelBytes;               ///< of a call before another channel is used
    bool channelsByRanks;                     ///< so many bytes for each rank
    double sentPerByte;                       ///< of data
    std::array<double, 2> share;              ///< of the links' rate
    const std::array<double, 23>* correction; ///< of a tree's rate, for 64 bytes, 128, ...
};

constexpr std::array<double, 23> g_correctsLl{1,  1,  1,  1,  .9, .8, .7, .7, .7, .7, .6, .5,
                                              .4, .4, .5, .6, .7, .8, .9, 1,  1,  1,  1};
constexpr std::array<double, 23> g_correctsLl128{1,  1,  1,  1,  1,  .9, .8, .8, .8, .7, .6, .6,
                                                 .6, .6, .6, .6, .8, .9, .9, .9, .9, 1,  1};
constexpr std::array<double, 23> g_correctsSimple{.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
                                                  .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9};

constexpr NcclProtocol g_ncclProtocols[] = {
    {"LL",
     {6.8, 6.6},
     {.6, .6},
     {5, 2.7},
     32 * g_kib,
     4 * g_kib,
     true,
     2,
     {.92 / 3.8, .5},
     &g_correctsLl},
    {"LL128",
     {14, 14},
     {1.25, 1.9},
     {8.5, 4},
     576'000,
     5 * g_kib,
     false,
     16.0 / 15,
     {.92 * 15 / 16, .92},
     &g_correctsLl128},
    {"Simple",
     {8.4, 8.4},
     {4, 3.4},
     {14, 14},
     2 * g_mib,
     32 * g_kib,
     false,
     1,
     {.92, 1},
     &g_correctsSimple},
};
constexpr std::uint32_t g_ncclChannels = 2; ///< of each NIC; MAXCHANNELS, 64, are the most
constexpr double g_plateau = 1.4; ///< a ring's latency where all channels are full (Simple)
constexpr std::uint64_t g_plateauBytes = 64; ///< per channel and rank

/** One algorithm with one protocol: what its hops take, and all of it. */
struct NcclCandidate
{
    const NcclProtocol* protocol;
    bool isRing;
    double hopUs;    ///< each message between nodes, with what goes on inside them
    double hopsUs;   ///< all of them, one after the other
    double expectUs; ///< of the whole
};

/** How often a ring passes on all blocks. */
double
PassesOf(const ExchangeSpec& spec)
{
    return spec.phase == SumPhase::ALL_REDUCE ? 2 : 1;
}

/** Of one node alone, that of its GPUs' own links. */
std::uint64_t
LinkRate(const ExchangeSpec& spec)
{
    const bool isOneNode = spec.Nodes() == 1 && spec.gpuBytesPerSecond > 0;
    return isOneNode ? spec.gpuBytesPerSecond : spec.linkBytesPerSecond;
}

NcclCandidate
Expect(const ExchangeSpec& spec, const NcclProtocol& protocol, bool isRing, double bytes)
{
    const std::size_t column = isRing ? 1 : 0;
    const double rounds = PassesOf(spec);
    const double nodes = spec.Nodes();
    const double ranks = spec.workers * spec.gpus;
    const auto ofNode = ranks / nodes;
    const auto between = isRing ? rounds * (nodes - 1) : 2 * std::floor(std::log2(nodes));
    const auto inside = isRing ? rounds * (ranks - 1) - between : 2 * (ofNode - 1);
    const auto netUs = protocol.netUs[isRing && ofNode == 1 ? 0 : column];
    const auto insideUs = inside * protocol.nvlinkUs[column];
    const auto hopUs = nodes > 1 ? netUs + insideUs / between : insideUs / inside;
    const auto hopsUs = (nodes > 1 ? between : inside) * hopUs;
    auto latencyUs = protocol.baseUs[column] + hopsUs;
    auto rate = static_cast<double>(LinkRate(spec)) * protocol.share[column];
    if (isRing)
    {
        const auto isFull = bytes >= g_plateauBytes * g_ncclChannels * spec.nics * ranks;
        latencyUs *= isFull && protocol.sentPerByte == 1 ? g_plateau : 1;
        rate *= ranks / (rounds * (ranks - 1));
    }
    else
    {
        const auto place = static_cast<std::size_t>(std::log2(std::max(1.0, bytes / 64)));
        const auto& all = *protocol.correction;
        rate *= 0.5 * (place < all.size() ? all[place] : 1);
    }
    constexpr double usPerSecond = 1e6;
    return {&protocol, isRing, hopUs, hopsUs, latencyUs + bytes / rate * usPerSecond};
}

/** @param mostChannels of a ring */
LibraryPick
PickOneOfNccl(ExchangeSpec spec,
              std::uint64_t elements,
              std::uint64_t bytes,
              std::uint32_t mostChannels = 64)
{
    NcclCandidate best{nullptr, true, 0, 0, std::numeric_limits<double>::infinity()};
    for (const auto& protocol : g_ncclProtocols)
    {
        for (const bool isRing : {true, false})
        {
            if (!isRing && spec.sharded)
            {
                continue;
            }
            const auto candidate = Expect(spec, protocol, isRing, static_cast<double>(bytes));
            best = candidate.expectUs < best.expectUs ? candidate : best;
        }
    }
    const auto& protocol = *best.protocol;
    const auto chunk = std::max<std::uint64_t>(
        1, protocol.chunkBytes * elements / std::max<std::uint64_t>(1, bytes));
    const auto perRank = protocol.channelsByRanks ? spec.workers * spec.gpus : 1;
    const auto filled = bytes / (protocol.channelBytes * perRank);
    spec.algorithm = best.isRing ? "ring" : "tree";
    const auto channels = std::min(mostChannels, g_ncclChannels * spec.nics);
    spec.ringChannels =
        spec.sharded ? channels
                     : static_cast<std::uint32_t>(std::clamp<std::uint64_t>(filled, 1, channels));
    spec.ringChunkElements = spec.sharded ? 0 : chunk;
    spec.treeChunkElements = std::max<std::uint64_t>(1, chunk / spec.nodeSize); // of a rail
    constexpr double psPerUs = 1e6;
    ProtocolCosts costs;
    const bool areTwo = spec.sharded && spec.phase == SumPhase::ALL_REDUCE; // calls
    costs.startPs = std::llround((areTwo ? 2 : 1) * protocol.baseUs[best.isRing ? 1 : 0] * psPerUs);
    // Of a ring through all GPUs each message has its share of what hops take, inside nodes and between them.
    const bool isFlat = best.isRing && spec.nodeSize > 1;
    const auto shareUs = best.hopsUs / (PassesOf(spec) * (spec.workers - 1));
    costs.messagePs = std::llround((isFlat ? shareUs : best.hopUs) * psPerUs);
    if (protocol.sentPerByte > 1) // flags take their time on the link, too, which channels share
    {
        const auto share = static_cast<double>(LinkRate(spec)) / spec.ringChannels;
        costs.bytesPerSecond =
            static_cast<std::uint64_t>(std::llround(share / (protocol.sentPerByte - 1)));
    }
    spec.flatRing = true;
    spec.partElements = 0; // messages' costs include what goes on inside nodes
    return {std::move(spec), protocol.name, costs};
}

/** Groups, of consecutive GPUs of a node or of whole workers, share out and gather; then replicas add shards up. */
LibraryPick
PickOfNccl(ExchangeSpec spec, std::uint64_t elements, std::uint64_t bytes)
{
    const auto size = spec.shardGroup;
    if (size == 0)
    {
        return PickOneOfNccl(std::move(spec), elements, bytes);
    }
    auto ofShards = OfShards(spec);
    ofShards.nodeSize = std::min(size, spec.nodeSize);
    auto ofReplicas = OfReplicas(spec);
    ofReplicas.nodeSize = std::max(1U, spec.nodeSize / size);
    if (spec.nodeSize > 1) // each has the NIC that is nearest to its GPU
    {
        ofReplicas.nics = std::min(spec.nics, ofReplicas.nodeSize);
        ofReplicas.linkBytesPerSecond = spec.linkBytesPerSecond / spec.nics * ofReplicas.nics;
    }
    const auto shards = PickOneOfNccl(std::move(ofShards), elements, bytes, 1);
    spec.ringChannels = 1;
    spec.ringChunkElements = 0;
    spec.partElements = 0;
    LibraryPick pick{std::move(spec), shards.protocol, shards.costs};
    if (pick.spec.phase != SumPhase::ALL_GATHER && pick.spec.addsReplicas)
    {
        const auto replicas =
            PickOneOfNccl(std::move(ofReplicas), elements / size, bytes / size, 1);
        pick.spec.replicaAlgorithm = replicas.spec.algorithm;
        pick.spec.treeChunkElements = replicas.spec.treeChunkElements;
        pick.protocol += "; " + replicas.spec.algorithm + " (" + replicas.protocol + ") of shards";
        pick.costsBetween = replicas.costs;
    }
    return pick;
}

struct Library
{
    const char* name;
    LibraryPick (*pick)(ExchangeSpec, std::uint64_t elements, std::uint64_t bytes);
};

constexpr Library g_libraries[] = {
    {"openmpi", PickOfOpenMpi}, {"gloo", PickOfGloo}, {"nccl", PickOfNccl}};

} // namespace

std::vector<std::string>
LibraryNames()
{
    std::vector<std::string> names{"none"};
    for (const auto& library : g_libraries)
    {
        names.emplace_back(library.name);
    }
    return names;
}

bool
PicksShards(const std::string& library)
{
    return library == "nccl";
}

LibraryPick
PickExchange(const ExchangeSpec& spec, std::uint64_t elements, std::optional<std::uint64_t> bytes)
{
    for (const auto& library : g_libraries)
    {
        if (spec.library == library.name && elements > 0)
        {
            return library.pick(spec, elements, bytes.value_or(elements * spec.bytesPerElement));
        }
    }
    return {spec};
}

} // namespace inca
