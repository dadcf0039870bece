/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_BLOCK_PACKETS_H
#define INCA_EXCHANGE_BLOCK_PACKETS_H

#include "exchange/network-reduction.h"
#include "exchange/step-plan.h"

#include <cstdint>

namespace inca
{

/**
 * How a range, of which each worker has a block of its own (BlockOf), is cut into packets, each within a block. Blocks
 * take turns, so that all workers are at work at the same time: the first packet of every block, the second
 * of every block, ... Packet p is of worker p mod W. All but a block's last are full.
 */
class BlockPackets
{
  public:
    /** @param workers at least 1 @param perPacket elements, at least 1 */
    BlockPackets(std::uint64_t elements, Rank workers, std::uint64_t perPacket);

    std::uint64_t Count() const; ///< of all blocks

    Rank OwnerOf(std::uint64_t packet) const
    {
        return static_cast<Rank>(packet % m_workers);
    }

    ElementRange RangeOf(std::uint64_t packet) const; ///< of the whole range; @p packet < Count()

  private:
    std::uint64_t m_elements;
    Rank m_workers;
    std::uint64_t m_perPacket;
};

/** What worker @p worker gets of a sum: words of 4 bytes; the last one of a block may be filled up. */
std::uint64_t WordsGot(const ReductionSize& sum, Rank worker, Rank workers);

} // namespace inca

#endif // INCA_EXCHANGE_BLOCK_PACKETS_H
