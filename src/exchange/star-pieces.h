/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_STAR_PIECES_H
#define INCA_EXCHANGE_STAR_PIECES_H

#include "exchange/composed-plan.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * All other members send their @p elements gradients to position 0 in one message each. Position 0
 * buffers them, adds them in the order of positions, ((g[1] + g[2]) + g[3]) ..., and updates the
 * weights.
 */
std::unique_ptr<Piece> MakeSumAtRoot(Rank members, std::uint64_t elements);

/**
 * Position 0 sends block j of @p elements sums (BlockOf) to position j, for j = 1 .. members-1, one
 * after the other, and keeps block 0.
 */
std::unique_ptr<Piece> MakeScatter(Rank members, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_STAR_PIECES_H
