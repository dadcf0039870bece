/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchange-catalog.h"

#include "base/catalog.h"
#include "base/errors.h"
#include "base/nearest.h"
#include "exchange/broadcast.h"
#include "exchange/double-tree.h"
#include "exchange/halving-doubling.h"
#include "exchange/hierarchical-aggregator.h"
#include "exchange/hierarchical-ring.h"
#include "exchange/parameter-server.h"
#include "exchange/ring.h"
#include "exchange/spec-complaints.h"
#include "exchange/switch-sum.h"
#include "exchange/worker-aggregator.h"

#include <algorithm>
#include <utility>

namespace inca
{

namespace
{

using Texts = std::vector<std::string>;

Rank
OneOther(const ExchangeSpec& /*spec*/)
{
    return 1;
}

Rank
Servers(const ExchangeSpec& spec)
{
    return spec.servers.value_or(spec.workers);
}

void
ComplainOfBroadcast(const ExchangeSpec& spec, Texts& texts)
{
    const auto names = BroadcastNames();
    if (std::find(names.begin(), names.end(), spec.broadcast) == names.end())
    {
        texts.push_back("exchange.broadcast: " + UnknownName(spec.broadcast, names));
    }
    else if (spec.broadcast == "chain" && spec.segmentElements == 0)
    {
        texts.push_back("exchange.segment_bytes: a segment must hold at least one value");
    }
}

/** "2, 4, 8": the group sizes that @p workers can be cut into. */
std::string
GroupSizes(Rank workers)
{
    std::string sizes;
    for (Rank size = 2; size <= workers / 2; ++size)
    {
        if (workers % size == 0)
        {
            sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
        }
    }
    return sizes;
}

void
ComplainOfGroups(const ExchangeSpec& spec, Texts& texts)
{
    const bool cut = spec.groupSize >= 2 && spec.workers % spec.groupSize == 0;
    if (!texts.empty() || (cut && spec.workers / spec.groupSize >= 2))
    {
        return;
    }
    const auto sizes = GroupSizes(spec.workers);
    texts.push_back("exchange.group_size: " + std::to_string(spec.workers) +
                    " workers and groups of " + std::to_string(spec.groupSize) +
                    " do not make two or more equal groups; " +
                    (sizes.empty() ? "no size does; another cluster.workers does, such as " +
                                         std::to_string(std::max<Rank>(4, spec.workers + 1))
                                   : "these sizes do: " + sizes));
}

Texts
WorkerAggregatorComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    ComplainOfBroadcast(spec, texts);
    return texts;
}

Texts
ServerComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.servers && (*spec.servers == 0 || *spec.servers > MOST_RANKS))
    {
        texts.push_back("cluster.servers: must be 1.." + std::to_string(MOST_RANKS) + ", got " +
                        std::to_string(*spec.servers));
    }
    return texts;
}

Texts
RingComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.ringChannels == 0)
    {
        texts.push_back("ring.channels: there must be at least one");
    }
    return texts;
}

/** Beyond a power of two workers sum nothing, so they would have no shard. */
Texts
HalvingDoublingComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.sharded && (spec.workers & (spec.workers - 1)) != 0)
    {
        texts.push_back("cluster.workers: must be a power of two with training.sharding and "
                        "halving-doubling, got " +
                        std::to_string(spec.workers));
    }
    return texts;
}

Texts
TreeComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.treeChunkElements == 0)
    {
        texts.push_back("tree.chunk_bytes: a chunk must hold at least one value");
    }
    return texts;
}

Texts
HierarchicalRingComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    ComplainOfGroups(spec, texts);
    return texts;
}

Texts
HierarchicalAggregatorComplaints(const ExchangeSpec& spec)
{
    auto texts = HierarchicalRingComplaints(spec);
    ComplainOfBroadcast(spec, texts);
    return texts;
}

/** Where hosts alternate, neighbours in a ring differ in what they do first. */
ShiftSymmetry
RingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    const auto parts = std::uint64_t{spec.workers} * (spec.sharded ? 1 : spec.ringChannels);
    if (!alternates)
    {
        return {1, parts, true};
    }
    return {spec.workers % 2 == 0 ? 2U : 0U, parts, true};
}

/** Of a power of two of workers, whoever has another number has its partners' numbers moved alike. */
ShiftSymmetry
HalvingDoublingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    const bool isPower = (spec.workers & (spec.workers - 1)) == 0;
    return {isPower && !alternates ? 1U : 0U, spec.workers, true, true};
}

/** A group's first member hears from its group and from the groups' first members. */
ShiftSymmetry
HierarchicalRingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    const auto groups = spec.workers / spec.groupSize;
    if (!alternates)
    {
        return {spec.groupSize, groups, false};
    }
    return {groups % 2 == 0 ? 2 * spec.groupSize : 0, groups, false};
}

/**
 * As many servers as workers: server s + 1 gets from, and returns to, worker i + 1 when server s does so of
 * worker i. A server that gets before it may return takes workers in the order of their numbers.
 */
ShiftSymmetry
ServerSymmetry(const ExchangeSpec& spec, bool alternates)
{
    if (alternates || spec.servers.value_or(spec.workers) != spec.workers)
    {
        return {};
    }
    return {2, spec.workers, true, false, 2};
}

/** Workers give all they have to their switches, and get all; those with a part of their own get it in turn. */
ShiftSymmetry
SwitchSumSymmetry(const ExchangeSpec& spec, bool /*alternates*/)
{
    return {spec.sharded ? 0U : 1U, 1, true};
}

ExchangeEntry
Symmetric(ExchangeEntry entry,
          std::function<ShiftSymmetry(const ExchangeSpec&, bool alternates)> symmetry)
{
    entry.symmetry = std::move(symmetry);
    return entry;
}

ExchangeEntry
Taking(CriticalPath (*path)(const ExchangeSpec&, std::uint64_t), ExchangeEntry entry)
{
    entry.path = path;
    return entry;
}

ExchangeEntry
PeersMeet(ExchangeEntry entry)
{
    entry.peersMeet = true;
    return entry;
}

/** The row of an exchange in groups, on servers, in shards, or in one switch. @{ */
ExchangeEntry
InGroups(ExchangeEntry entry)
{
    entry.inGroups = true;
    return entry;
}

ExchangeEntry
OnServers(ExchangeEntry entry)
{
    entry.onServers = true;
    return entry;
}

ExchangeEntry
InShards(ExchangeEntry entry)
{
    entry.shards = true;
    return entry;
}

ExchangeEntry
InOneSwitch(ExchangeEntry entry)
{
    entry.inOneSwitch = true;
    return entry;
}

/** @} */

std::vector<ExchangeEntry>
OwnEntries()
{
    return {
        Taking(WorkerAggregatorPath,
               {"worker-aggregator",
                "workers send gradients to one aggregator, which returns the weights",
                OneOther,
                Returns::WEIGHTS,
                WorkerAggregatorComplaints,
                MakeWorkerAggregator}),
        Taking(RingPath,
               Symmetric(
                   InShards(
                       {"ring",
                        "workers add blocks of gradients round a ring, then pass the sums round it",
                        NoOthers,
                        Returns::SUMS,
                        RingComplaints,
                        MakeRing}),
                   RingSymmetry)),
        Taking(DoubleTreePath,
               PeersMeet(
                   {"tree",
                    "gradients are added up two trees of all workers, half of them each, and come "
                    "down again",
                    NoOthers,
                    Returns::SUMS,
                    TreeComplaints,
                    MakeDoubleTree})),
        Taking(HalvingDoublingPath,
               PeersMeet(Symmetric(
                   InShards(
                       {"halving-doubling",
                        "pairs of workers add half of what they have for each other, then pairs of "
                        "pairs, and back",
                        NoOthers,
                        Returns::SUMS,
                        HalvingDoublingComplaints,
                        MakeHalvingDoubling}),
                   HalvingDoublingSymmetry))),
        Taking(HierarchicalAggregatorPath,
               InGroups({"hierarchical-aggregator",
                         "a ring in each group, an aggregator above the groups' first members",
                         OneOther,
                         Returns::WEIGHTS,
                         HierarchicalAggregatorComplaints,
                         MakeHierarchicalAggregator})),
        Taking(HierarchicalRingPath,
               Symmetric(InGroups({"hierarchical-ring",
                                   "a ring in each group, and a ring of the groups' first members",
                                   NoOthers,
                                   Returns::SUMS,
                                   HierarchicalRingComplaints,
                                   MakeHierarchicalRing}),
                         HierarchicalRingSymmetry)),
        Taking(ParameterServerPath,
               {"parameter-server",
                "workers send gradients to one server, which returns the sums",
                OneOther,
                Returns::SUMS,
                WorkerComplaints,
                MakeParameterServer}),
        Taking(
            ShardedServerPath,
            PeersMeet(Symmetric(
                OnServers({"sharded-parameter-server",
                           "workers send a block to each of several servers, which return its sum",
                           Servers,
                           Returns::SUMS,
                           ServerComplaints,
                           MakeShardedParameterServer}),
                ServerSymmetry))),
        Symmetric(InShards(InOneSwitch(
                      {"switch-slots",
                       "the one switch of a star adds packet by packet, in a pool of slots",
                       NoOthers,
                       Returns::SUMS,
                       WorkerComplaints,
                       MakeSwitchSum,
                       "slots"})),
                  SwitchSumSymmetry),
        Symmetric(
            InShards(
                {"switch-tree",
                 "switches add in pools of slots, level by level up a tree, and pass the sums down",
                 NoOthers,
                 Returns::SUMS,
                 WorkerComplaints,
                 MakeSwitchSum,
                 "slots"}),
            SwitchSumSymmetry),
    };
}

/** Changes as long as nobody has looked: see base/catalog.h. */
Catalog<ExchangeEntry>&
Exchanges()
{
    static Catalog<ExchangeEntry> exchanges("exchange.algorithm", OwnEntries());
    return exchanges;
}

} // namespace

void
RegisterExchange(ExchangeEntry entry)
{
    Exchanges().Register(std::move(entry));
}

const std::vector<ExchangeEntry>&
ExchangeCatalog()
{
    return Exchanges().Rows();
}

std::vector<std::string>
ExchangeNames()
{
    return Exchanges().Names();
}

const ExchangeEntry&
FindExchange(const std::string& name)
{
    return Exchanges().Find(name);
}

bool
ReturnsWeights(const ExchangeSpec& spec)
{
    return spec.sharded || ReturnsWeights(FindExchange(spec.algorithm));
}

std::unique_ptr<StepPlan>
MakeStepPlan(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto& entry = FindExchange(spec.algorithm);
    auto complaints = entry.complaints(spec);
    if (!complaints.empty())
    {
        throw InputError(std::move(complaints));
    }
    return entry.make(spec, elements);
}

} // namespace inca
