/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario/key-makers.h"
#include "scenario/specs.h"

#include <functional>
#include <string>
#include <utility>

namespace inca
{

namespace
{

constexpr ValueRange<std::uint64_t> g_groupSize{2, 65'536};
constexpr ValueRange<std::uint64_t> g_concurrent{1, 1'024};
constexpr ValueRange<std::uint64_t> g_channels{1, 64};
constexpr ValueRange<std::uint64_t> g_someBytes{4, 1ULL << 40U};
constexpr ValueRange<std::uint64_t> g_anyBytes{0, 1ULL << 40U};

std::string
WhyNoBroadcast(const Scenario& s)
{
    return HasAggregator(s) ? "" : s.exchange.algorithm + " broadcasts no weights";
}

std::string
WhyNoSegments(const Scenario& s)
{
    return HasAggregator(s) && s.exchange.broadcast != "chain"
               ? "exchange.broadcast is " + s.exchange.broadcast
               : WhyNoBroadcast(s);
}

std::string
WhyNoBuckets(const Scenario& s)
{
    const auto other = "training.send is " + s.training.send;
    const auto* tensor = HasCompute(s) ? "" : "a lone tensor is one bucket";
    return s.training.send == "bucket" || s.training.send == "fused" ? tensor : other;
}

std::string
WhyNoFirstBucket(const Scenario& s)
{
    return s.training.send == "fused" ? "training.send is fused" : WhyNoBuckets(s);
}

/** Chunks can only be ordered, or be in flight together, where there are several. */
std::string
WhyNoChunks(const Scenario& s)
{
    const bool oneBucket = s.training.send == "end" || !HasCompute(s);
    return oneBucket && s.exchange.chunkBytes == 0 ? "all gradients are one chunk" : "";
}

Key
GroupSizeKey()
{
    auto key = IntegerKey(
        {"exchange.group_size",
         "group_size",
         "workers in a group of a hierarchy; not given: up to 4, as fits the workers"},
        g_groupSize,
        [](auto& s) -> auto& { return s.exchange.groupSize; });
    key.columnText = [](const Scenario& s) { return std::to_string(GroupSize(s)); };
    return IdleWhen(
        [](const Scenario& s) {
            return HasGroups(s) ? std::string() : s.exchange.algorithm + " has no groups";
        },
        key);
}

/** The chunks of one bucket ascend, whatever the order. */
std::string
WhyNoOrder(const Scenario& s)
{
    const auto oneChunk = WhyNoChunks(s);
    const bool oneBucket = s.training.send == "end" || !HasCompute(s);
    return oneBucket && oneChunk.empty()
               ? "all gradients are one bucket, whose chunks go from the lowest layer up anyway"
               : oneChunk;
}

std::string
WhyNoOwnerCopy(const Scenario& s)
{
    return !s.training.values ? "only sizes travel (training.values is false)"
           : HasAggregator(s) ? s.exchange.algorithm + " sums on an aggregator"
           : HasServers(s)    ? s.exchange.algorithm + " sums on servers"
           : SumsInNetwork(s) ? s.exchange.algorithm + " sums in the network"
           : IsSharded(s)     ? "weights come back, as they are"
           : HasSketch(s)     ? "all workers decode the same sum with homomorphic"
           : HasLossyCodec(s) ? ""
                              : "codec.name is " + s.codec.name + ", which loses nothing";
}

/** For keys of one exchange alone. */
std::function<std::string(const Scenario&)>
WhyNot(std::string algorithm)
{
    return [algorithm = std::move(algorithm)](const Scenario& s) {
        return s.exchange.algorithm == algorithm ? std::string()
                                                 : "exchange.algorithm is " + s.exchange.algorithm;
    };
}

/** How collective libraries keep all links busy. */
std::vector<Key>
PipelineKeys()
{
    return {
        IdleWhen(WhyNot("ring"),
                 IntegerKey(
                     {"ring.channels",
                      "ring_channels",
                      "rings at the same time, each of its share of the values"},
                     g_channels,
                     [](auto& s) -> auto& { return s.ring.channels; })),
        IdleWhen(WhyNot("ring"),
                 QuantityKey(
                     {"ring.chunk_bytes",
                      "ring_chunk_bytes",
                      "a channel goes round in turns with blocks of this; 0: in one turn"},
                     g_byteCount,
                     g_anyBytes,
                     [](auto& s) -> auto& { return s.ring.chunkBytes; })),
        IdleWhen(WhyNot("tree"),
                 QuantityKey(
                     {"tree.chunk_bytes",
                      "tree_chunk_bytes",
                      "parts that follow each other up and down a tree"},
                     g_byteCount,
                     g_someBytes,
                     [](auto& s) -> auto& { return s.tree.chunkBytes; })),
    };
}

std::vector<Key>
AlgorithmKeys()
{
    return {
        NameKey(
            {"exchange.algorithm", "exchange", "how all workers end up with the same sum"},
            ExchangeNames(),
            [](auto& s) -> auto& { return s.exchange.algorithm; }),
        IdleWhen(WhyNoBroadcast,
                 NameKey(
                     {"exchange.broadcast", "broadcast", "how an aggregator's weights go down"},
                     {"flat", "binomial", "chain"},
                     [](auto& s) -> auto& { return s.exchange.broadcast; })),
        IdleWhen(WhyNoSegments,
                 QuantityKey(
                     {"exchange.segment_bytes", "segment_bytes", "of the chain broadcast"},
                     g_byteCount,
                     g_someBytes,
                     [](auto& s) -> auto& { return s.exchange.segmentBytes; })),
        GroupSizeKey(),
        IdleWhen(
            WhyNoSummingHost,
            NameKey(
                {"exchange.sum",
                 "aggregator_sum",
                 "an aggregator or server sums after all gradients came, or on arrival of each"},
                {"after", "arrival"},
                [](auto& s) -> auto& { return s.exchange.sum; })),
    };
}

std::vector<Key>
ChunkKeys()
{
    return {
        IdleWhen(WhyNoFirstBucket,
                 QuantityKey(
                     {"exchange.first_bucket_bytes",
                      "first_bucket_bytes",
                      "the first bucket ends with the tensor that makes it as large as this"},
                     g_byteCount,
                     g_someBytes,
                     [](auto& s) -> auto& { return s.exchange.firstBucketBytes; })),
        IdleWhen(WhyNoBuckets,
                 QuantityKey(
                     {"exchange.bucket_bytes",
                      "bucket_bytes",
                      "the same of every other bucket; fused: the most that layers share"},
                     g_byteCount,
                     g_someBytes,
                     [](auto& s) -> auto& { return s.exchange.bucketBytes; })),
        QuantityKey(
            {"exchange.chunk_bytes",
             "chunk_bytes",
             "a bucket is exchanged in such parts; 0: whole"},
            g_byteCount,
            g_anyBytes,
            [](auto& s) -> auto& { return s.exchange.chunkBytes; }),
        IdleWhen(
            WhyNoOrder,
            NameKey(
                {"exchange.order", "order", "chunks go as they are ready, or lower layers first"},
                {"ready", "priority"},
                [](auto& s) -> auto& { return s.exchange.order; })),
        IdleWhen(WhyNoChunks,
                 IntegerKey(
                     {"exchange.concurrent", "concurrent", "chunks in flight per worker"},
                     g_concurrent,
                     [](auto& s) -> auto& { return s.exchange.concurrent; })),
        NameKey(
            {"exchange.start",
             "exchange_start",
             "a chunk starts on a worker when its own gradients are ready, or when everybody's "
             "are"},
            {"own", "together"},
            [](auto& s) -> auto& { return s.exchange.start; }),
        IdleWhen(WhyNoOwnerCopy,
                 NameKey(
                     {"ring.owner_copy",
                      "owner_copy",
                      "who summed a block keeps the exact sum, or the coded one as all others"},
                     {"exact", "coded"},
                     [](auto& s) -> auto& { return s.ring.ownerCopy; })),
    };
}

} // namespace

std::string
WhyNoSummingHost(const Scenario& s)
{
    return HasAggregator(s) || HasServers(s)
               ? ""
               : s.exchange.algorithm + " has neither aggregator nor servers";
}

std::vector<Key>
ExchangeKeys()
{
    return JoinKeys({AlgorithmKeys(), ChunkKeys(), PipelineKeys()});
}

} // namespace inca
