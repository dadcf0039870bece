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
#include <numeric>
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

/** Into how many equal blocks an exchange cuts a bucket. @{ */
std::uint64_t
BlockPerWorker(const ExchangeSpec& spec)
{
    return spec.workers;
}

/** The largest power of two of workers halve and double. */
std::uint64_t
BlockPerHalvingWorker(const ExchangeSpec& spec)
{
    std::uint64_t members = 1;
    while (2 * members <= spec.workers)
    {
        members *= 2;
    }
    return members;
}

std::uint64_t
BlockPerMember(const ExchangeSpec& spec)
{
    return spec.groupSize;
}

/** For the ring in each group, and for that of the groups' first members. */
std::uint64_t
BlockPerMemberAndGroup(const ExchangeSpec& spec)
{
    return std::lcm(std::uint64_t{spec.groupSize}, std::uint64_t{spec.workers / spec.groupSize});
}

std::uint64_t
BlockPerServer(const ExchangeSpec& spec)
{
    return Servers(spec);
}

/** Switches cut nothing, unless each worker has a shard. */
std::uint64_t
BlockPerShard(const ExchangeSpec& spec)
{
    return spec.sharded ? spec.workers : 1;
}

/** @} */

/** Where hosts alternate, neighbours in a ring differ in what they do first. */
ShiftSymmetry
RingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    if (!alternates)
    {
        return {1, true};
    }
    return {spec.workers % 2 == 0 ? 2U : 0U, true};
}

/** Of a power of two of workers, whoever has another number has its partners' numbers moved alike. */
ShiftSymmetry
HalvingDoublingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    const bool isPower = (spec.workers & (spec.workers - 1)) == 0;
    return {isPower && !alternates ? 1U : 0U, true, true};
}

/** A group's first member hears from its group and from the groups' first members. */
ShiftSymmetry
HierarchicalRingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    const auto groups = spec.workers / spec.groupSize;
    if (!alternates)
    {
        return {spec.groupSize, false};
    }
    return {groups % 2 == 0 ? 2 * spec.groupSize : 0, false};
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
    return {2, true, false, 2};
}

/** Workers give all they have to their switches, and get all; those with a part of their own get it in turn. */
ShiftSymmetry
SwitchSumSymmetry(const ExchangeSpec& spec, bool /*alternates*/)
{
    return {spec.sharded ? 0U : 1U, true};
}

/** A row of the catalogue, and what else is to be said of it. */
class Row
{
  public:
    explicit Row(ExchangeEntry entry)
        : m_entry(std::move(entry))
    {
    }

    operator ExchangeEntry() const
    {
        return m_entry;
    }

    Row& InGroups()
    {
        m_entry.inGroups = true;
        return *this;
    }

    Row& OnServers()
    {
        m_entry.onServers = true;
        return *this;
    }

    Row& InShards()
    {
        m_entry.shards = true;
        return *this;
    }

    Row& InOneSwitch()
    {
        m_entry.inOneSwitch = true;
        return *this;
    }

    Row& InBlocks(decltype(ExchangeEntry::blocks) blocks)
    {
        m_entry.blocks = std::move(blocks);
        return *this;
    }

    Row& Symmetric(decltype(ExchangeEntry::symmetry) symmetry)
    {
        m_entry.symmetry = std::move(symmetry);
        return *this;
    }

    Row& Path(decltype(ExchangeEntry::path) path)
    {
        m_entry.path = std::move(path);
        return *this;
    }

  private:
    ExchangeEntry m_entry;
};

std::vector<ExchangeEntry>
OwnEntries()
{
    return {
        Row({"worker-aggregator",
             "workers send gradients to one aggregator, which returns the weights",
             OneOther,
             Returns::WEIGHTS,
             WorkerAggregatorComplaints,
             MakeWorkerAggregator})
            .Path(WorkerAggregatorPath),
        Row({"ring",
             "workers add blocks of gradients round a ring, then pass the sums round it",
             NoOthers,
             Returns::SUMS,
             RingComplaints,
             MakeRing})
            .InShards()
            .InBlocks(BlockPerWorker)
            .Symmetric(RingSymmetry)
            .Path(RingPath),
        Row({"tree",
             "gradients are added up two trees of all workers, half of them each, and come down "
             "again",
             NoOthers,
             Returns::SUMS,
             TreeComplaints,
             MakeDoubleTree})
            .Path(DoubleTreePath),
        Row({"halving-doubling",
             "pairs of workers add half of what they have for each other, then pairs of pairs, and "
             "back",
             NoOthers,
             Returns::SUMS,
             HalvingDoublingComplaints,
             MakeHalvingDoubling})
            .InShards()
            .InBlocks(BlockPerHalvingWorker)
            .Symmetric(HalvingDoublingSymmetry)
            .Path(HalvingDoublingPath),
        Row({"hierarchical-aggregator",
             "a ring in each group, an aggregator above the groups' first members",
             OneOther,
             Returns::WEIGHTS,
             HierarchicalAggregatorComplaints,
             MakeHierarchicalAggregator})
            .InGroups()
            .InBlocks(BlockPerMember)
            .Path(HierarchicalAggregatorPath),
        Row({"hierarchical-ring",
             "a ring in each group, and a ring of the groups' first members",
             NoOthers,
             Returns::SUMS,
             HierarchicalRingComplaints,
             MakeHierarchicalRing})
            .InGroups()
            .InBlocks(BlockPerMemberAndGroup)
            .Symmetric(HierarchicalRingSymmetry)
            .Path(HierarchicalRingPath),
        Row({"parameter-server",
             "workers send gradients to one server, which returns the sums",
             OneOther,
             Returns::SUMS,
             WorkerComplaints,
             MakeParameterServer})
            .Path(ParameterServerPath),
        Row({"sharded-parameter-server",
             "workers send a block to each of several servers, which return its sum",
             Servers,
             Returns::SUMS,
             ServerComplaints,
             MakeShardedParameterServer})
            .OnServers()
            .InBlocks(BlockPerServer)
            .Symmetric(ServerSymmetry)
            .Path(ShardedServerPath),
        Row({"switch-slots",
             "the one switch of a star adds packet by packet, in a pool of slots",
             NoOthers,
             Returns::SUMS,
             WorkerComplaints,
             MakeSwitchSum,
             "slots"})
            .InShards()
            .InOneSwitch()
            .InBlocks(BlockPerShard)
            .Symmetric(SwitchSumSymmetry),
        Row({"switch-tree",
             "switches add in pools of slots, level by level up a tree, and pass the sums down",
             NoOthers,
             Returns::SUMS,
             WorkerComplaints,
             MakeSwitchSum,
             "slots"})
            .InShards()
            .InBlocks(BlockPerShard)
            .Symmetric(SwitchSumSymmetry),
    };
}

/** Changes as long as nobody has looked: see base/catalog.h. */
Catalog<ExchangeEntry>&
Exchanges()
{
    static Catalog<ExchangeEntry> exchanges("exchange.algorithm", OwnEntries());
    return exchanges;
}

/** @throws InputError if the exchange is unknown or complains */
const ExchangeEntry&
FindValid(const ExchangeSpec& spec)
{
    const auto& entry = FindExchange(spec.algorithm);
    auto complaints = entry.complaints(spec);
    if (!complaints.empty())
    {
        throw InputError(std::move(complaints));
    }
    return entry;
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

std::uint64_t
PaddedElements(const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto& entry = FindValid(spec);
    const auto blocks = entry.blocks ? entry.blocks(spec) : 1;
    return (elements + blocks - 1) / blocks * blocks;
}

std::unique_ptr<StepPlan>
MakeStepPlan(const ExchangeSpec& spec, std::uint64_t elements)
{
    return FindValid(spec).make(spec, elements);
}

} // namespace inca
