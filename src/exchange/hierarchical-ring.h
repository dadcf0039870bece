/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_HIERARCHICAL_RING_H
#define INCA_EXCHANGE_HIERARCHICAL_RING_H

#include "exchange/exchange-spec.h"

#include <memory>

namespace inca
{

/**
 * INCEPTIONN, Fig. 1(c): rings at both levels, over L groups of G consecutive workers (W = L G).
 * The figure leaves the way down open; here it is read so: each group does a ring reduce-scatter
 * and all-gather; the first members do the same with the groups' sums; then each first member sends
 * block j of the total to its member j (it keeps block 0 and the rest), and an all-gather round the
 * group's ring spreads the blocks. Gradients only.
 *
 * Order of addition: block b of G round the group's ring from its member b; then block c of L of
 * the groups' sums round the ring of first members from group c. The first members own the result.
 *
 * With n elements, and B = ceil(n / G) in block 0, all workers together send
 * 2 (G - 1) L n (groups) + 2 (L - 1) n (first members) + L (n - B) (scatter) + (G - 1) L n
 * (all-gather), which is (3 W - 2) n - L B.
 */
std::unique_ptr<StepPlan> MakeHierarchicalRing(const ExchangeSpec& spec, std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_HIERARCHICAL_RING_H
