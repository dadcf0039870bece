/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_COLLECTIVES_H
#define INCA_EXCHANGE_COLLECTIVES_H

#include "inca/exchange/exchange-spec.h"
#include "inca/exchange/shift-symmetry.h"
#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/**
 * The blocks of an all-to-all, equal ones or not. Equal ones are received where those were that are sent; else a worker has room for
 * what it receives behind the most that any worker sends, in the order of the senders, and its own block stays where it is.
 */
class AllToAllBlocks
{
  public:
    /** @param elements of the tensor; of equal blocks a multiple of the workers */
    AllToAllBlocks(const ExchangeSpec& spec, std::uint64_t elements);

    /** Of the tensor. */
    std::uint64_t Elements() const
    {
        return m_elements;
    }

    /** Elements behind these that each worker has room for. */
    std::uint64_t Room() const
    {
        return m_room;
    }

    /** Then some may be empty, of which no message is sent. */
    bool AreUnequal() const
    {
        return !m_sent.empty();
    }

    ElementRange Sent(Rank from, Rank to) const; ///< where @p from has it
    ElementRange Got(Rank from, Rank to) const;  ///< where @p to has it

  private:
    /** By one end, then by the other and behind the last. */
    using Begins = std::vector<std::vector<std::uint64_t>>;

    std::uint64_t m_block; ///< elements of equal ones
    std::uint64_t m_elements;
    std::uint64_t m_room{0};
    Begins m_sent; ///< by sender and receiver; empty: blocks are equal
    Begins m_got;  ///< by receiver and sender
};

/** Whether each worker sends to all others what is for them alone, if switches have no part in it. */
bool IsAllToAll(Meaning collective);

/** How workers do so: direct, pairwise, hierarchical. */
std::vector<std::string> AllToAllNames();

/** Workers in a group of an all-to-all where none is given: the most up to 8 that divide them (NCCL). */
Rank UsualPairwiseGroup(Rank workers);

/**
 * In which order a rank sends to the others in NCCL's all-to-all, as distances: group distances 0, then d = (d + i) mod 2^k
 * for i = 1, 2, .., but those beyond the groups, and in each of these all distances in the group. (NCCL 2.30,
 * src/init.cc: ncclP2pSchedule)
 * @param group divides @p workers
 * @return (groups, workers in the group), the first of which is the rank itself
 */
std::vector<std::pair<Rank, Rank>> PairwiseRounds(Rank workers, Rank group);

/**
 * Exchanges by no algorithm that sums: all-to-all, broadcast, send, dispatch and combine (ExchangeSpec::collective). Worker 0 is the root.
 *
 * In an all-to-all block j of worker i becomes block i of worker j. direct: each worker sends to the next one, to the one after
 * that, and so on. pairwise: in the order of PairwiseRounds. hierarchical: to the worker with the same place in each
 * other group all that is for that group, and then within groups. Blocks may be unequal (ExchangeSpec::shares), but not in
 * hierarchies.
 *
 * A dispatch and a combine (ExchangeSpec::expertsPerToken) go in the orders of direct and pairwise: each worker sends to each
 * other one its part of a block (PartOf), or what it has for one of the other's block, who adds it.
 * @param elements of a multiple of BlocksOfCollective
 */
std::unique_ptr<StepPlan> MakeCollectivePlan(const ExchangeSpec& spec, std::uint64_t elements);

std::vector<std::string> CollectiveComplaints(
    const ExchangeSpec& spec);                              ///< as ExchangeEntry::complaints
std::uint64_t BlocksOfCollective(const ExchangeSpec& spec); ///< as ExchangeEntry::blocks
ShiftSymmetry CollectiveSymmetry(const ExchangeSpec& spec); ///< as ExchangeEntry::symmetry

} // namespace inca

#endif // INCA_EXCHANGE_COLLECTIVES_H
