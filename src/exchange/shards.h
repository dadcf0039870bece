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
 * p mod W owns packet p. All but a block's last packet are full. Parts of blocks that are for some workers (PartOf) take
 * turns: the first packet of every block's first part, the first one of every block's second part, ...
 */
class BlockPackets
{
  public:
    /**
     * @param workers at least 1; with one, the whole range is its block
     * @param perPacket elements, at least 1
     * @param oneIn parts of each block; more than 1 are all of equal size
     */
    BlockPackets(std::uint64_t elements, Rank workers, std::uint64_t perPacket, Rank oneIn = 1);

    std::uint64_t Count() const; ///< of all blocks

    Rank OwnerOf(std::uint64_t packet) const
    {
        return static_cast<Rank>(packet % m_workers);
    }

    ElementRange RangeOf(std::uint64_t packet) const; ///< of the whole range; @p packet < Count()

    /** Whether the part of a block that it is of is for @p worker, or from it. */
    bool IsFor(std::uint64_t packet, Rank worker) const
    {
        return (worker + m_workers - OwnerOf(packet)) % m_oneIn == PartOf(packet);
    }

    /** After so many they are of the same parts again. */
    std::uint64_t Pattern() const
    {
        return std::uint64_t{m_workers} * m_oneIn;
    }

  private:
    std::uint64_t PartOf(std::uint64_t packet) const
    {
        return packet / m_workers % m_oneIn;
    }

    std::uint64_t m_least;  ///< elements of a part
    std::uint64_t m_larger; ///< so many parts, the first ones, have one more
    Rank m_workers;
    Rank m_oneIn;
    std::uint64_t m_perPacket;
};

/**
 * Says whether a worker sends words of a block to the switches that add, and whether it gets words of the block's sums.
 * @param isOwner whether the block is the worker's own
 * @param isFor whether they are of a part that is for the worker (BlockPackets::IsFor)
 * @{
 */
constexpr bool
SendsWords(SumPhase phase, bool isOwner, bool isFor)
{
    return phase == SumPhase::ALL_GATHER ? isOwner : isFor;
}

constexpr bool
GetsWords(SumPhase phase, bool isOwner, bool isFor)
{
    return phase == SumPhase::ALL_REDUCE ||
           (phase == SumPhase::REDUCE_SCATTER ? isOwner : !isOwner && isFor);
}

/** @} */

/** Words of 4 bytes that worker @p worker gets of a reduction; the last one of a block may be padded. */
std::uint64_t WordsGot(const ReductionSize& sum, Rank worker, Rank workers);

} // namespace inca

#endif // INCA_EXCHANGE_SHARDS_H
