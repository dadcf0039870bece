/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_RING_PIECES_H
#define INCA_EXCHANGE_RING_PIECES_H

#include "exchange/composed-plan.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * The two halves of a ring all-reduce among N >= 2 members (INCEPTIONN, Algorithm 1): N blocks
 * (BlockOf), N - 1 steps each; every step sends one block to the next member and receives one from
 * the one before. Messages are PayloadKind::GRADIENT, but for an
 * all-gather of weights.
 *
 * A host that cannot send and receive at once sends first at even and receives first at odd
 * positions: neighbours alternate, and where an odd N puts two even ones side by side, the odd ones
 * still take what is sent, so nobody waits in a circle.
 * @{
 */

/** What a reduce-scatter's sums are. */
enum class RingSums
{
    FINAL,        ///< the exchange's results (Step::ownsResult)
    INTERMEDIATE, ///< they go on
    UPDATED,      ///< results of which their owners make weights (Step::update)
};

/**
 * In step s = 1 .. N-1 member i sends block (i - s + 1) mod N and adds block (i - s) mod N to its
 * own. Afterwards member i owns block (i + 1) mod N, added round the ring from member i + 1, the
 * block's first sender: ((g[i+1] + g[i+2]) + ...) + g[i].
 */
std::unique_ptr<Piece> MakeRingReduceScatter(Rank members, std::uint64_t elements, RingSums sums);

/**
 * In step s = 1 .. N-1 member i sends block (i + firstBlock - s + 1) mod N and stores block
 * (i + firstBlock - s) mod N. Member i must hold block (i + firstBlock) mod N before: 1 after a
 * reduce-scatter.
 */
std::unique_ptr<Piece> MakeRingAllGather(Rank members,
                                         std::uint64_t elements,
                                         Rank firstBlock,
                                         PayloadKind kind = PayloadKind::GRADIENT);

/** @} */

} // namespace inca

#endif // INCA_EXCHANGE_RING_PIECES_H
