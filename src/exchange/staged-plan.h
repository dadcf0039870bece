/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_STAGED_PLAN_H
#define INCA_EXCHANGE_STAGED_PLAN_H

#include "inca/exchange/communicators.h"
#include "inca/exchange/exchange-entry.h"
#include "inca/exchange/exchange-spec.h"
#include "inca/exchange/shift-symmetry.h"
#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** One of the exchanges that follow each other in a StagedPlan. */
struct PlanStage
{
    std::shared_ptr<const StepPlan> plan; ///< of all ranks, in communicators (PlanOver)
    std::vector<std::uint64_t> begins;    ///< by rank: where its first element is; empty: at 0
    bool isLast{true};   ///< its sums are those of the exchange; else they are added further
    bool crosses{false}; ///< its messages are between groups (Transfer::crossesGroups)
};

/** A reduce-scatter whose ranks exchange in communicators of one kind, then in those of another kind. */
class StagedPlan : public StepPlan
{
  public:
    /**
     * @param among the communicators in which ranks hold the sums of all ranks, a shard each
     * @param updated by rank: of which sums it makes weights at the end
     */
    StagedPlan(Rank ranks,
               std::uint64_t elements,
               std::vector<PlanStage> stages,
               std::shared_ptr<const Communicators> among,
               std::vector<ElementRange> updated);

    const Communicators* GetCommunicators() const override
    {
        return m_among.get();
    }

    const Communicators* SummedAmong() const override
    {
        return nullptr;
    }

    std::uint32_t StepCount(Rank rank) const override;
    Step At(Rank rank, std::uint32_t step) const override;

  private:
    std::vector<PlanStage> m_stages;
    std::shared_ptr<const Communicators> m_among;
    std::vector<ElementRange> m_updated;
};

/** The rows of the algorithms by which groups, and replicas, exchange. */
struct GroupEntries
{
    const ExchangeEntry& shards;
    const ExchangeEntry& replicas;
};

/**
 * Hybrid sharding (PyTorch's HSDP): workers r with the same r / shardGroup share the weights out among them, and those with the
 * same r % shardGroup hold the same shard. Gradients are summed into shards in the first, then each shard is all-reduced in
 * the second.
 * @param entries of the spec's algorithms @param spec with ExchangeSpec::shardGroup, about which nothing is complained;
 *        of phase REDUCE_SCATTER or ALL_GATHER
 * @param elements a multiple of BlocksInGroups
 */
std::shared_ptr<const StepPlan> MakePlanInGroups(const GroupEntries& entries,
                                                 const ExchangeSpec& spec,
                                                 std::uint64_t elements);

/** As ExchangeEntry::blocks: those of the all-reduces of all shards, which are equal. */
std::uint64_t BlocksInGroups(const GroupEntries& entries, const ExchangeSpec& spec);

/** "key: text" for each problem of a spec with groups. */
std::vector<std::string> ComplaintsInGroups(const GroupEntries& entries, const ExchangeSpec& spec);

/** Which ranks do the same in such exchanges. */
ShiftSymmetry SymmetryInGroups(const GroupEntries& entries,
                               const ExchangeSpec& spec,
                               bool alternates);

} // namespace inca

#endif // INCA_EXCHANGE_STAGED_PLAN_H
