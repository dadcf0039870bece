/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_STAGED_PLAN_H
#define INCA_EXCHANGE_STAGED_PLAN_H

#include "inca/exchange/communicators.h"
#include "inca/exchange/composed-plan.h"
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
    std::shared_ptr<const StepPlan> plan; ///< of all ranks
    std::vector<std::uint64_t> begins{};  ///< by rank: where its first element is; empty: at 0
    bool isLast{true};   ///< its sums are those of the exchange; else they are added further
    bool crosses{false}; ///< its messages are between groups (Transfer::crossesGroups)
};

/**
 * Exchanges of all ranks that follow each other, such as those in communicators of one kind, then in those of another. Where
 * there are parts, each of its own elements, a part comes to a stage once the part before has left it.
 */
class StagedPlan : public ChannelPlan
{
  public:
    /**
     * @param stages of one part after the other, as many of each
     * @param among the communicators in which ranks hold what is meant; null: all are one
     */
    StagedPlan(Rank ranks,
               std::uint64_t elements,
               Meaning meaning,
               const std::vector<PlanStage>& stages,
               std::uint32_t parts = 1,
               std::shared_ptr<const Communicators> among = nullptr);

    const Communicators* GetCommunicators() const override
    {
        return m_among.get();
    }

    const Communicators* SummedAmong() const override
    {
        return nullptr;
    }

    std::uint32_t StageOf(std::uint32_t channel) const override
    {
        return m_stageOf[channel];
    }

    std::vector<std::uint32_t> AwaitedBy(std::uint32_t stage) const override
    {
        return m_awaited[stage];
    }

  private:
    std::shared_ptr<const Communicators> m_among;
    std::vector<std::uint32_t> m_stageOf;              ///< by channel
    std::vector<std::vector<std::uint32_t>> m_awaited; ///< by stage
};

/** The rows of the algorithms by which groups, replicas, and the workers of a node, exchange. */
struct GroupEntries
{
    const ExchangeEntry& shards;
    const ExchangeEntry& replicas;
    const ExchangeEntry& nodes;
};

/** The exchange of one group that shards, as if its workers were no GPUs of nodes; or of those that hold the same shard. @{ */
ExchangeSpec OfShards(const ExchangeSpec& spec);
ExchangeSpec OfReplicas(const ExchangeSpec& spec);
/** @} */

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

/**
 * Several nodes of several workers each (ExchangeSpec::nodeSize): those of a node add up, so that each has a part of the sums.
 * Those at the same place in their nodes (a rail) exchange that part by the spec's algorithm, or shards of it.
 * Then those of a node hand their parts round. Of a phase, what belongs to it.
 * @{
 */
std::shared_ptr<const StepPlan> MakePlanInNodes(const GroupEntries& entries,
                                                const ExchangeSpec& spec,
                                                std::uint64_t elements);
std::uint64_t BlocksInNodes(const GroupEntries& entries, const ExchangeSpec& spec);
std::vector<std::string> ComplaintsInNodes(const GroupEntries& entries, const ExchangeSpec& spec);
ShiftSymmetry SymmetryInNodes(const GroupEntries& entries,
                              const ExchangeSpec& spec,
                              bool alternates);
/** @} */

} // namespace inca

#endif // INCA_EXCHANGE_STAGED_PLAN_H
