/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/staged-plan.h"

#include "base/errors.h"
#include "base/text.h"
#include "exchange/shards.h"

#include <algorithm>
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

std::uint64_t
Padded(const ExchangeEntry& entry, const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto blocks = entry.blocks ? entry.blocks(spec) : 1;
    return (elements + blocks - 1) / blocks * blocks;
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
                       Meaning meaning,
                       std::vector<PlanStage> stages,
                       std::shared_ptr<const Communicators> among,
                       std::vector<ElementRange> updated)
    : StepPlan(ranks, 0, elements, meaning),
      m_stages(std::move(stages)),
      m_among(std::move(among)),
      m_updated(std::move(updated))
{
    for (const auto& stage : m_stages)
    {
        const auto& all = stage.communicators->All();
        const bool fits = std::all_of(all.begin(), all.end(), [&stage](const auto& members) {
            return members.size() == stage.plan->RankCount();
        });
        if (!fits || NetworkAdds(*stage.plan))
        {
            throw InvariantError("a stage of an exchange needs a plan of the workers of each of "
                                 "its communicators, in which these add");
        }
    }
}

const Communicators*
StagedPlan::SummedAmong() const
{
    return m_stages.size() == 1 ? m_among.get() : nullptr;
}

std::uint32_t
StagedPlan::StepCount(Rank rank) const
{
    std::uint32_t steps = m_updated.empty() ? 0 : 1;
    for (const auto& stage : m_stages)
    {
        steps += stage.plan->StepCount(stage.communicators->Of(rank).value().member);
    }
    return steps;
}

Step
StagedPlan::At(Rank rank, std::uint32_t step) const
{
    for (const auto& stage : m_stages)
    {
        const auto place = stage.communicators->Of(rank).value();
        const auto steps = stage.plan->StepCount(place.member);
        if (step >= steps)
        {
            step -= steps;
            continue;
        }
        const auto& members = stage.communicators->All()[place.communicator];
        auto one = WithPeers(stage.plan->At(place.member, step),
                             [&members](Rank member) { return members[member]; });
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
    PlanStage inShards{shards, entries.shards.make(OfShards(spec), elements), {}};
    if (spec.phase == SumPhase::ALL_GATHER || !spec.addsReplicas)
    {
        const auto meaning = MeaningOf(spec.phase);
        return std::make_shared<StagedPlan>(spec.workers,
                                            elements,
                                            meaning,
                                            std::vector{inShards},
                                            shards,
                                            std::vector<ElementRange>{});
    }
    const auto ofMembers =
        ShardsOf(*inShards.plan); // of one range each, as ComplaintsInGroups sees to
    PlanStage overReplicas{SplitRanks(spec.workers, [size](Rank rank) { return rank % size; }),
                           entries.replicas.make(OfReplicas(spec), elements / size),
                           {},
                           true,
                           true};
    std::vector<ElementRange> updated;
    for (Rank rank = 0; rank < spec.workers; ++rank)
    {
        updated.push_back(ofMembers[rank % size].front());
        overReplicas.begins.push_back(updated.back().begin);
    }
    inShards.isLast = false;
    return std::make_shared<StagedPlan>(spec.workers,
                                        elements,
                                        Meaning::REDUCE_SCATTER,
                                        std::vector{std::move(inShards), std::move(overReplicas)},
                                        shards,
                                        std::move(updated));
}

std::uint64_t
PaddedInGroups(const GroupEntries& entries, const ExchangeSpec& spec, std::uint64_t elements)
{
    const auto size = spec.shardGroup;
    const auto shard = Padded(entries.replicas, OfReplicas(spec), (elements + size - 1) / size);
    // Blocks of a group are its shards, so what it is padded to is a multiple of them.
    return Padded(entries.shards, OfShards(spec), size * shard);
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
