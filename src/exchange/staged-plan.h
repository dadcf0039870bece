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
    std::shared_ptr<const Communicators> communicators; ///< each of as many members
    std::shared_ptr<const StepPlan> plan; ///< of the members of each, all of them workers
    std::vector<std::uint64_t> begins; ///< by rank: where the plan's first element is; empty: at 0
    bool isLast{true};   ///< its sums are those of the exchange; else they are added further
    bool crosses{false}; ///< its messages are between groups (Transfer::crossesGroups)
};

/** A plan whose ranks exchange in communicators of one kind, then in those of another kind. */
class StagedPlan : public StepPlan
{
  public:
    /**
     * @param among the communicators in which ranks hold what the plan means
     * @param updated by rank: of which sums it makes weights at the end; empty: the stages say so
     * @throws InvariantError if a stage's communicators are of other sizes than its plan, or switches are to add in it
     */
    StagedPlan(Rank ranks,
               std::uint64_t elements,
               Meaning meaning,
               std::vector<PlanStage> stages,
               std::shared_ptr<const Communicators> among,
               std::vector<ElementRange> updated);

    const Communicators* GetCommunicators() const override
    {
        return m_among.get();
    }

    const Communicators* SummedAmong() const override;
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
 * @param elements of PaddedInGroups
 */
std::shared_ptr<const StepPlan> MakePlanInGroups(const GroupEntries& entries,
                                                 const ExchangeSpec& spec,
                                                 std::uint64_t elements);

/** @return @p elements, and as many more as make equal shards, each of equal blocks */
std::uint64_t PaddedInGroups(const GroupEntries& entries,
                             const ExchangeSpec& spec,
                             std::uint64_t elements);

/** "key: text" for each problem of a spec with groups. */
std::vector<std::string> ComplaintsInGroups(const GroupEntries& entries, const ExchangeSpec& spec);

/** Which ranks do the same in such exchanges. */
ShiftSymmetry SymmetryInGroups(const GroupEntries& entries,
                               const ExchangeSpec& spec,
                               bool alternates);

} // namespace inca

#endif // INCA_EXCHANGE_STAGED_PLAN_H
