/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_HALVING_DOUBLING_H
#define INCA_EXCHANGE_HALVING_DOUBLING_H

#include "exchange/exchange-spec.h"

#include <cstdint>
#include <memory>

namespace inca
{

/**
 * Rabenseifner's all-reduce, as MPICH and Open MPI have it (Thakur, Rabenseifner, Gropp: "Optimization
 * of collective communication operations in MPICH", IJHPCA 19(1), 2005): a reduce-scatter by recursive
 * halving, then an all-gather by recursive doubling, among P members, P the largest power of two that is
 * at most N. In step s = 0 .. log2(P) - 1 member i exchanges half of what it still adds with member
 * i xor 2^s; the all-gather goes the same way back. Blocks are those of BlockOf among P.
 *
 * The N - P workers beyond give all they have to a neighbour before, and get the sums from it after:
 * worker 2 i gives to worker 2 i + 1, for i < N - P; these odd ones, and all workers from 2 (N - P) on,
 * are the members, in their order.
 *
 * With n elements that P divides, a member sends and receives 2 n (1 - 1 / P), in 2 log2(P) messages,
 * and adds n (1 - 1 / P); one with a neighbour receives, adds and sends n more. It owns the block whose
 * number is its own with the log2(P) bits reversed. Order of addition: own + neighbour's, then partner after partner.
 *
 * With spec.phase it is the halving alone, after which each worker has the weights of its own block, or the
 * doubling, before which it has; N is a power of two then.
 */
std::unique_ptr<StepPlan> MakeHalvingDoubling(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_HALVING_DOUBLING_H
