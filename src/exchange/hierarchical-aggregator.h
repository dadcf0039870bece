/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_HIERARCHICAL_AGGREGATOR_H
#define INCA_EXCHANGE_HIERARCHICAL_AGGREGATOR_H

#include "exchange/exchange-spec.h"

#include <memory>

namespace inca
{

/**
 * INCEPTIONN, Fig. 1(b): rings in L groups of G consecutive workers (W = L G), an aggregator (rank
 * W) above them. Each group does a ring reduce-scatter and all-gather; its first member sends the
 * group's sum to the aggregator, which adds them from group 0 upwards, updates the weights and
 * broadcasts them to the first members (positions: aggregator, then groups in order); each of them
 * broadcasts them in its group in the same way.
 *
 * Order of addition: block b of G round the group's ring from its member b; then the groups' sums
 * in order.
 *
 * With n elements: (2 W - L) n gradients travel (2 (G - 1) n in each group, n from each group), and
 * W n weights. The aggregator receives L n and adds (L - 1) n. No rank owns a result that others
 * get coded.
 */
std::unique_ptr<StepPlan> MakeHierarchicalAggregator(const ExchangeSpec& spec,
                                                     std::uint64_t elements);

} // namespace inca

#endif // INCA_EXCHANGE_HIERARCHICAL_AGGREGATOR_H
