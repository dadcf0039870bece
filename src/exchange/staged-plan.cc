/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/staged-plan.h"

#include "base/text.h"
#include "exchange/exchanges.h"
#include "exchange/shards.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace inca
{

namespace
{

/** The same exchange of some of its workers. */
ExchangeSpec
Among(ExchangeSpec spec, Rank workers)
{
    spec.workers = workers;
    spec.nodeSize = 1;
    spec.groupSize = std::min(spec.groupSize, workers);
    spec.shardGroup = 0;
    return spec;
}

/** The exchange of the workers at one place in their nodes. */
ExchangeSpec
OfRail(const ExchangeSpec& spec)
{
    auto made = Among(spec, spec.Nodes());
    made.shardGroup = spec.shardGroup / spec.nodeSize;
    return made;
}

/** A part of an all-reduce of one node's workers. @param sharded whether they make weights of its sums */
ExchangeSpec
OfNode(const ExchangeSpec& spec, SumPhase phase, bool sharded)
{
    ExchangeSpec made;
    made.algorithm = spec.nodeAlgorithm;
    made.workers = spec.nodeSize;
    made.phase = phase;
    made.sharded = sharded;
    return made;
}

/** One channel of a stage. */
class StageChannel : public StepPlan
{
  public:
    StageChannel(
        Rank ranks, std::uint64_t elements, Meaning meaning, PlanStage stage, std::uint32_t channel)
        : StepPlan(ranks, 0, elements, meaning),
          m_stage(std::move(stage)),
          m_channel(m_stage.plan->Channel(channel))
    {
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        return m_channel.StepCount(rank);
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        auto one = m_channel.At(rank, step);
        const auto begin = m_stage.begins.empty() ? 0 : m_stage.begins[rank];
        for (auto* transfers : {&one.sends, &one.receives})
        {
            for (auto& transfer : *transfers)
            {
                transfer.range.begin += begin;
                transfer.crossesGroups = transfer.crossesGroups || m_stage.crosses;
            }
        }
        if (one.reduction)
        {
            one.reduction->begin += begin;
        }
        one.update = one.update && m_stage.isLast;
        one.ownsResult = one.ownsResult && m_stage.isLast;
        return one;
    }

  private:
    PlanStage m_stage;
    const StepPlan& m_channel; ///< of the stage's plan
};

std::vector<std::unique_ptr<StepPlan>>
ChannelsOf(Rank ranks,
           std::uint64_t elements,
           Meaning meaning,
           const std::vector<PlanStage>& stages)
{
    std::vector<std::unique_ptr<StepPlan>> channels;
    for (const auto& stage : stages)
    {
        for (std::uint32_t channel = 0; channel < stage.plan->ChannelCount(); ++channel)
        {
            channels.push_back(
                std::make_unique<StageChannel>(ranks, elements, meaning, stage, channel));
        }
    }
    return channels;
}

/** Each rank makes weights of its sums, which stay where they are. */
class OwnUpdates : public StepPlan
{
  public:
    /** @param updated by rank: of which sums */
    OwnUpdates(std::uint64_t elements, std::vector<ElementRange> updated)
        : StepPlan(static_cast<Rank>(updated.size()), 0, elements, Meaning::REDUCE_SCATTER),
          m_updated(std::move(updated))
    {
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return 1;
    }

    Step At(Rank rank, std::uint32_t /*step*/) const override
    {
        Step step;
        step.sends = {{rank, m_updated[rank], PayloadKind::WEIGHT}};
        step.receives = step.sends;
        step.update = true;
        return step;
    }

  private:
    std::vector<ElementRange> m_updated;
};

/** By rank, in groups of consecutive ones: the one range of what it gets of a reduce-scatter of its group. */
std::vector<ElementRange>
OwnRanges(const StepPlan& ofGroup, Rank ranks)
{
    const auto ofMembers = ShardsOf(ofGroup);
    std::vector<ElementRange> own;
    for (Rank rank = 0; rank < ranks; ++rank)
    {
        own.push_back(ofMembers[rank % ofMembers.size()].front());
    }
    return own;
}

std::vector<std::uint64_t>
BeginsOf(const std::vector<ElementRange>& ranges)
{
    std::vector<std::uint64_t> begins;
    for (const auto& range : ranges)
    {
        begins.push_back(range.begin);
    }
    return begins;
}

/** Of groups of @p size consecutive ranks. */
std::shared_ptr<const Communicators>
Consecutive(Rank ranks, Rank size)
{
    return SplitRanks(ranks, [size](Rank rank) { return rank / size; });
}

/** Of ranks at the same place in groups of @p size consecutive ranks. */
std::shared_ptr<const Communicators>
Across(Rank ranks, Rank size)
{
    return SplitRanks(ranks, [size](Rank rank) { return rank % size; });
}

std::uint64_t
BlocksOf(const ExchangeEntry& entry, const ExchangeSpec& spec)
{
    return entry.blocks ? entry.blocks(spec) : 1;
}

/** What a part of an exchange in nodes goes through. */
class StagesInNodes
{
  public:
    /** Both outlive this. */
    StagesInNodes(const GroupEntries& entries, const ExchangeSpec& spec)
        : m_entries(entries),
          m_spec(spec),
          m_nodes(Consecutive(spec.workers, spec.nodeSize)),
          m_rails(Across(spec.workers, spec.nodeSize))
    {
    }

    void Add(ElementRange part, std::vector<PlanStage>& stages) const
    {
        const std::vector<std::uint64_t> begins(m_spec.workers, part.begin);
        if (m_spec.phase != SumPhase::ALL_GATHER)
        {
            stages.push_back({InNodes(SumPhase::REDUCE_SCATTER, part.count), begins, false});
        }
        stages.push_back(OnRails(part));
        if (m_spec.phase != SumPhase::REDUCE_SCATTER)
        {
            stages.push_back({InNodes(SumPhase::ALL_GATHER, part.count), begins});
        }
    }

  private:
    std::shared_ptr<const StepPlan> InNodes(SumPhase phase, std::uint64_t elements) const
    {
        return PlanOver(m_spec.workers,
                        m_nodes,
                        {m_entries.nodes.make(OfNode(m_spec, phase, m_spec.sharded), elements)},
                        true);
    }

    PlanStage OnRails(ElementRange part) const
    {
        const auto spec = OfRail(m_spec);
        const bool inGroups = spec.shardGroup > 0;
        const auto elements = part.count / m_spec.nodeSize;
        const std::shared_ptr<const StepPlan> plan =
            inGroups ? MakePlanInGroups(m_entries, spec, elements)
                     : m_entries.shards.make(spec, elements);
        const auto ofNode =
            m_entries.nodes.make(OfNode(m_spec, SumPhase::REDUCE_SCATTER, true), part.count);
        auto begins = BeginsOf(OwnRanges(*ofNode, m_spec.workers));
        for (auto& begin : begins)
        {
            begin += part.begin;
        }
        return {PlanOver(m_spec.workers, m_rails, {plan}), std::move(begins), true, !inGroups};
    }

    const GroupEntries& m_entries;
    const ExchangeSpec& m_spec;
    std::shared_ptr<const Communicators> m_nodes;
    std::shared_ptr<const Communicators> m_rails;
};

/** Into how many parts @p elements are cut, of whole @p blocks. What is shared out is one part, so that shards are, too. */
std::uint64_t
PartsOf(const ExchangeSpec& spec, std::uint64_t elements, std::uint64_t blocks)
{
    constexpr std::uint64_t most = 8;
    if (spec.partElements == 0 || spec.sharded)
    {
        return 1;
    }
    const auto parts = std::min(elements / spec.workers / spec.partElements, elements / blocks);
    return std::clamp<std::uint64_t>(parts, 1, most);
}

} // namespace

ExchangeSpec
OfShards(const ExchangeSpec& spec)
{
    auto made = Among(spec, spec.shardGroup);
    made.groupSize = spec.groupSize;
    made.groupsCross = false; // all of it stays in a group that shares out
    return made;
}

ExchangeSpec
OfReplicas(const ExchangeSpec& spec)
{
    auto made = Among(spec, spec.workers / spec.shardGroup);
    made.algorithm = spec.replicaAlgorithm;
    made.groupSize = spec.replicaGroupSize;
    made.sharded = false;
    made.phase = SumPhase::ALL_REDUCE;
    return made;
}

StagedPlan::StagedPlan(Rank ranks,
                       std::uint64_t elements,
                       Meaning meaning,
                       const std::vector<PlanStage>& stages,
                       std::uint32_t parts,
                       std::shared_ptr<const Communicators> among)
    : ChannelPlan(ChannelsOf(ranks, elements, meaning, stages)),
      m_among(std::move(among))
{
    const auto ofPart = stages.size() / parts;
    std::vector<std::uint32_t> lasts; // by stage that was given, the last one of its plan
    for (const auto& stage : stages)
    {
        const auto first = static_cast<std::uint32_t>(m_awaited.size());
        for (std::uint32_t channel = 0; channel < stage.plan->ChannelCount(); ++channel)
        {
            m_stageOf.push_back(first + stage.plan->StageOf(channel));
        }
        for (auto inside = first; inside <= m_stageOf.back(); ++inside)
        {
            auto awaited = stage.plan->AwaitedBy(inside - first);
            for (auto& one : awaited)
            {
                one += first;
            }
            m_awaited.push_back(std::move(awaited));
        }
        const auto number = lasts.size();
        if (number % ofPart > 0)
        {
            m_awaited[first].push_back(lasts[number - 1]);
        }
        if (number >= ofPart)
        {
            m_awaited[first].push_back(lasts[number - ofPart]);
        }
        lasts.push_back(m_stageOf.back());
    }
}

std::shared_ptr<const StepPlan>
MakePlanInGroups(const GroupEntries& entries, const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto size = spec.shardGroup;
    const auto shards = Consecutive(spec.workers, size);
    const std::shared_ptr<const StepPlan> ofGroup = entries.shards.make(OfShards(spec), elements);
    const bool areNodes = spec.nodeSize == size;
    auto inShards = PlanOver(spec.workers, shards, {ofGroup}, areNodes);
    if (spec.phase == SumPhase::ALL_GATHER || !spec.addsReplicas)
    {
        return inShards;
    }
    auto overReplicas = PlanOver(spec.workers,
                                 Across(spec.workers, size),
                                 {entries.replicas.make(OfReplicas(spec), elements / size)});
    auto updated =
        OwnRanges(*ofGroup, spec.workers); // of one range each, as ComplaintsInGroups sees to
    auto begins = BeginsOf(updated);
    const std::vector<PlanStage> stages{
        {std::move(inShards), {}, false, false},
        {std::move(overReplicas), std::move(begins), true, true},
        {std::make_shared<const OwnUpdates>(elements, std::move(updated))}};
    return std::make_shared<StagedPlan>(
        spec.workers, elements, Meaning::REDUCE_SCATTER, stages, 1, shards);
}

std::uint64_t
BlocksInGroups(const GroupEntries& entries, const ExchangeSpec& spec)
{
    const auto ofReplicas = OfReplicas(spec);
    auto blocks = BlocksOf(entries.replicas, ofReplicas);
    if (spec.library != "none") // gradients may be picked another exchange for than weights
    {
        blocks =
            std::lcm(BlocksOf(RingExchange(), ofReplicas), BlocksOf(TreeExchange(), ofReplicas));
    }
    return std::lcm(BlocksOf(entries.shards, OfShards(spec)), spec.shardGroup * blocks);
}

std::vector<std::string>
ComplaintsInGroups(const GroupEntries& entries, const ExchangeSpec& spec)
{
    if (spec.workers % spec.shardGroup != 0)
    {
        return {Text("training.shard_group: must divide the ",
                     spec.workers,
                     " workers, got ",
                     spec.shardGroup)};
    }
    if (spec.ringChannels > 1 || spec.ringChunkElements > 0)
    {
        return {"training.shard_group: groups need shards of one part each, so that ring.channels "
                "must be 1 and ring.chunk_bytes 0"};
    }
    std::vector<std::string> complaints;
    const auto complainOf =
        [&complaints](const ExchangeEntry& entry, const ExchangeSpec& one, const char* ownSize) {
            for (const auto& complaint : entry.complaints(one))
            {
                const auto colon = complaint.find(": ");
                const bool isOfSize = complaint.compare(0, colon, "exchange.group_size") == 0;
                complaints.push_back(Text(isOfSize ? ownSize : "training.shard_group",
                                          ": no ",
                                          one.algorithm,
                                          " of ",
                                          one.workers,
                                          " workers",
                                          complaint.substr(colon)));
            }
        };
    complainOf(entries.shards, OfShards(spec), "group.shard.group_size");
    complainOf(entries.replicas, OfReplicas(spec), "group.replica.group_size");
    return complaints;
}

ShiftSymmetry
SymmetryInGroups(const GroupEntries& entries, const ExchangeSpec& spec, bool alternates)
{
    const auto& ofShards = entries.shards;
    const auto& ofReplicas = entries.replicas;
    const bool meet = ofShards.allToAll || ofReplicas.allToAll; // frames to groups and to replicas
    if (meet || !ofReplicas.symmetry)
    {
        return {};
    }
    const auto inGroup =
        ofShards.symmetry ? ofShards.symmetry(OfShards(spec), alternates) : ShiftSymmetry{};
    auto symmetry = ofReplicas.symmetry(OfReplicas(spec), alternates);
    symmetry.oneSender = false; // ranks hear from their own group, and from others
    if (inGroup.period == 1 && symmetry.period == 1 && inGroup.bitwise == symmetry.bitwise)
    {
        symmetry.group = spec.shardGroup;
        return symmetry;
    }
    symmetry.period *= spec.shardGroup; // members of one group move to those of another
    const auto isPower = (spec.shardGroup & (spec.shardGroup - 1)) == 0;
    return symmetry.bitwise && !isPower ? ShiftSymmetry{} : symmetry;
}

std::shared_ptr<const StepPlan>
MakePlanInNodes(const GroupEntries& entries, const ExchangeSpec& spec, std::uint64_t elements)
{
    if (!spec.HasNodeStages())
    {
        return MakePlanInGroups(entries, spec, elements);
    }
    const auto inGroups = OfRail(spec).shardGroup > 0;
    const auto blocks = BlocksInNodes(entries, spec);
    const auto parts = PartsOf(spec, elements, blocks);
    const StagesInNodes make(entries, spec);
    std::vector<PlanStage> stages;
    for (std::uint64_t part = 0; part < parts; ++part)
    {
        const auto units = BlockOf(elements / blocks, parts, part);
        make.Add({blocks * units.begin, blocks * units.count}, stages);
    }
    return std::make_shared<StagedPlan>(spec.workers,
                                        elements,
                                        MeaningOf(spec.phase),
                                        stages,
                                        static_cast<std::uint32_t>(parts),
                                        inGroups ? Consecutive(spec.workers, spec.shardGroup)
                                                 : nullptr);
}

std::uint64_t
BlocksInNodes(const GroupEntries& entries, const ExchangeSpec& spec)
{
    if (!spec.HasNodeStages())
    {
        return BlocksInGroups(entries, spec);
    }
    const auto ofRail = OfRail(spec);
    return spec.nodeSize * (ofRail.shardGroup > 0 ? BlocksInGroups(entries, ofRail)
                                                  : BlocksOf(entries.shards, ofRail));
}

std::vector<std::string>
ComplaintsInNodes(const GroupEntries& entries, const ExchangeSpec& spec)
{
    if (!spec.HasNodeStages())
    {
        return ComplaintsInGroups(entries, spec);
    }
    const auto ofRail = OfRail(spec);
    return ofRail.shardGroup > 0 ? ComplaintsInGroups(entries, ofRail)
                                 : entries.shards.complaints(ofRail);
}

ShiftSymmetry
SymmetryInNodes(const GroupEntries& entries, const ExchangeSpec& spec, bool alternates)
{
    if (!spec.HasNodeStages())
    {
        return SymmetryInGroups(entries, spec, alternates);
    }
    const auto ofRail = OfRail(spec);
    auto symmetry = ofRail.shardGroup > 0     ? SymmetryInGroups(entries, ofRail, alternates)
                    : entries.shards.symmetry ? entries.shards.symmetry(ofRail, alternates)
                                              : ShiftSymmetry{};
    const bool isPower = (spec.nodeSize & (spec.nodeSize - 1)) == 0;
    if (entries.shards.allToAll || (symmetry.bitwise && !isPower))
    {
        return {};
    }
    const auto inNode = entries.nodes.symmetry(OfNode(spec, spec.phase, true), alternates);
    if (symmetry.period == 1 && symmetry.group == 0 && inNode.period == 1 && !symmetry.bitwise)
    {
        return {1, false, false, 1, spec.nodeSize};
    }
    symmetry.period = std::max(symmetry.period, symmetry.group) * spec.nodeSize;
    symmetry.group = 0;
    symmetry.oneSender = false; // workers hear from their own node, and from others
    return symmetry;
}

} // namespace inca
