/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/staged-plan.h"

#include "base/text.h"
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
    spec.groupSize = std::min(spec.groupSize, workers);
    spec.shardGroup = 0;
    return spec;
}

/** The exchange of one group that shards. */
ExchangeSpec
OfShards(const ExchangeSpec& spec)
{
    return Among(spec, spec.shardGroup);
}

/** The exchange of those that hold the same shard. */
ExchangeSpec
OfReplicas(const ExchangeSpec& spec)
{
    auto made = Among(spec, spec.workers / spec.shardGroup);
    made.algorithm = spec.replicaAlgorithm;
    made.sharded = false;
    made.phase = SumPhase::ALL_REDUCE;
    return made;
}

void
Move(std::vector<Transfer>& transfers, std::uint64_t begin, bool crosses)
{
    for (auto& transfer : transfers)
    {
        transfer.range.begin += begin;
        transfer.crossesGroups = transfer.crossesGroups || crosses;
    }
}

} // namespace

StagedPlan::StagedPlan(Rank ranks,
                       std::uint64_t elements,
                       std::vector<PlanStage> stages,
                       std::shared_ptr<const Communicators> among,
                       std::vector<ElementRange> updated)
    : StepPlan(ranks, 0, elements, Meaning::REDUCE_SCATTER),
      m_stages(std::move(stages)),
      m_among(std::move(among)),
      m_updated(std::move(updated))
{
}

std::uint32_t
StagedPlan::StepCount(Rank rank) const
{
    std::uint32_t steps = 1; // the update
    for (const auto& stage : m_stages)
    {
        steps += stage.plan->StepCount(rank);
    }
    return steps;
}

Step
StagedPlan::At(Rank rank, std::uint32_t step) const
{
    for (const auto& stage : m_stages)
    {
        const auto steps = stage.plan->StepCount(rank);
        if (step >= steps)
        {
            step -= steps;
            continue;
        }
        auto one = stage.plan->At(rank, step);
        const auto begin = stage.begins.empty() ? 0 : stage.begins[rank];
        Move(one.sends, begin, stage.crosses);
        Move(one.receives, begin, stage.crosses);
        one.update = one.update && stage.isLast;
        one.ownsResult = one.ownsResult && stage.isLast;
        return one;
    }
    Step last; // the sums stay where they are
    last.sends = {{rank, m_updated[rank], PayloadKind::WEIGHT}};
    last.receives = last.sends;
    last.update = true;
    return last;
}

std::shared_ptr<const StepPlan>
MakePlanInGroups(const GroupEntries& entries, const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto size = spec.shardGroup;
    const auto shards = SplitRanks(spec.workers, [size](Rank rank) { return rank / size; });
    const std::shared_ptr<const StepPlan> ofGroup = entries.shards.make(OfShards(spec), elements);
    auto inShards = PlanOver(spec.workers, shards, {ofGroup});
    if (spec.phase == SumPhase::ALL_GATHER || !spec.addsReplicas)
    {
        return inShards;
    }
    const auto replicas = SplitRanks(spec.workers, [size](Rank rank) { return rank % size; });
    auto overReplicas = PlanOver(
        spec.workers, replicas, {entries.replicas.make(OfReplicas(spec), elements / size)});
    const auto ofMembers = ShardsOf(*ofGroup); // of one range each, as ComplaintsInGroups sees to
    std::vector<ElementRange> updated;
    std::vector<std::uint64_t> begins;
    for (Rank rank = 0; rank < spec.workers; ++rank)
    {
        updated.push_back(ofMembers[rank % size].front());
        begins.push_back(updated.back().begin);
    }
    std::vector<PlanStage> stages{{std::move(inShards), {}, false, false},
                                  {std::move(overReplicas), std::move(begins), true, true}};
    return std::make_shared<StagedPlan>(
        spec.workers, elements, std::move(stages), shards, std::move(updated));
}

std::uint64_t
BlocksInGroups(const GroupEntries& entries, const ExchangeSpec& spec)
{
    const auto blocksOf = [](const ExchangeEntry& entry, const ExchangeSpec& one) {
        return entry.blocks ? entry.blocks(one) : 1;
    };
    return std::lcm(blocksOf(entries.shards, OfShards(spec)),
                    spec.shardGroup * blocksOf(entries.replicas, OfReplicas(spec)));
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
    const auto complainOf = [&complaints](const ExchangeEntry& entry, const ExchangeSpec& one) {
        for (const auto& complaint : entry.complaints(one))
        {
            complaints.push_back(Text("training.shard_group: no ",
                                      one.algorithm,
                                      " of ",
                                      one.workers,
                                      " workers: ",
                                      complaint.substr(complaint.find(": ") + 2)));
        }
    };
    complainOf(entries.shards, OfShards(spec));
    complainOf(entries.replicas, OfReplicas(spec));
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

} // namespace inca
