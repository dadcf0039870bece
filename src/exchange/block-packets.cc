/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/block-packets.h"

#include <algorithm>

namespace inca
{

namespace
{

std::uint64_t
DividedUp(std::uint64_t count, std::uint64_t by)
{
    return (count + by - 1) / by;
}

/** Of all blocks, each cut into pieces of at most @p size. */
std::uint64_t
PiecesOf(std::uint64_t elements, Rank workers, std::uint64_t size)
{
    const auto least = elements / workers;
    const auto larger = elements % workers;
    return larger * DividedUp(least + 1, size) + (workers - larger) * DividedUp(least, size);
}

} // namespace

BlockPackets::BlockPackets(std::uint64_t elements, Rank workers, std::uint64_t perPacket)
    : m_elements(elements),
      m_workers(workers),
      m_perPacket(perPacket)
{
}

/** Where the larger blocks have a packet more, theirs are the last: they are the first blocks. */
std::uint64_t
BlockPackets::Count() const
{
    return PiecesOf(m_elements, m_workers, m_perPacket);
}

ElementRange
BlockPackets::RangeOf(std::uint64_t packet) const
{
    const auto block = BlockOf(m_elements, m_workers, OwnerOf(packet));
    const auto offset = packet / m_workers * m_perPacket;
    return {block.begin + offset, std::min(m_perPacket, block.count - offset)};
}

std::uint64_t
WordsGot(const ReductionSize& sum, Rank worker, Rank workers)
{
    const auto own = DividedUp(BlockOf(sum.words, workers, worker).count, sum.perWord);
    switch (sum.phase)
    {
    case SumPhase::REDUCE_SCATTER:
        return own;
    case SumPhase::ALL_GATHER:
        return PiecesOf(sum.words, workers, sum.perWord) - own;
    case SumPhase::ALL_REDUCE:
        break;
    }
    return sum.words;
}

} // namespace inca
