/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SHARDS_H
#define INCA_EXCHANGE_SHARDS_H

#include "inca/exchange/element-range.h"
#include "inca/exchange/network-reduction.h"
#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** By worker: the elements that it owns, ascending. */
using Shards = std::vector<std::vector<ElementRange>>;

/** @return elements of all of them */
std::uint64_t TotalCount(const Shards& shards);

/**
 * Which sums each worker has at the end of @p plan and updates (Step::update); where all have all sums, block w (BlockOf)
 * counts as worker w's.
 * @param plan whose elements the number of workers divides
 * @throws InvariantError if a worker does not have its share of them
 */
Shards ShardsOf(const StepPlan& plan);

/**
 * Cuts a range, of which each worker owns a block (BlockOf), into packets, each within a block. Blocks are interleaved,
 * so that all workers work concurrently: the first packet of every block, the second of every block, ... Worker
 * p mod W owns packet p. All but a block's last packet are full.
 */
class BlockPackets
{
  public:
    /** @param workers at least 1; with one, the whole range is its block @param perPacket elements, at least 1 */
    BlockPackets(std::uint64_t elements, Rank workers, std::uint64_t perPacket);

    std::uint64_t Count() const; ///< of all blocks

    Rank OwnerOf(std::uint64_t packet) const
    {
        return static_cast<Rank>(packet % m_workers);
    }

    ElementRange RangeOf(std::uint64_t packet) const; ///< of the whole range; @p packet < Count()

    Rank Workers() const
    {
        return m_workers;
    }

  private:
    std::uint64_t m_least;  ///< elements of a block
    std::uint64_t m_larger; ///< so many blocks, the first ones, have one more
    Rank m_workers;
    std::uint64_t m_perPacket;
};

/**
 * Says whether a worker sends words of a block to the switches that add, and whether it gets words of the block's sums.
 * @param isOwner whether the block is the worker's own
 * @{
 */
constexpr bool
SendsWords(SumPhase phase, bool isOwner)
{
    return phase != SumPhase::ALL_GATHER || isOwner;
}

constexpr bool
GetsWords(SumPhase phase, bool isOwner)
{
    return phase == SumPhase::ALL_REDUCE || isOwner == (phase == SumPhase::REDUCE_SCATTER);
}

/** @} */

/** Words of 4 bytes that worker @p worker gets of a reduction; the last one of a block may be padded. */
std::uint64_t WordsGot(const ReductionSize& sum, Rank worker, Rank workers);

} // namespace inca

#endif // INCA_EXCHANGE_SHARDS_H
