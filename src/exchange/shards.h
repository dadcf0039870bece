/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_SHARDS_H
#define INCA_EXCHANGE_SHARDS_H

#include "exchange/element-range.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** By worker: what of all elements is its own, ascending. */
using Shards = std::vector<std::vector<ElementRange>>;

/** @return elements of all of them */
std::uint64_t TotalCount(const Shards& shards);

/**
 * Who ends @p plan with the sums of which elements (Step::update); where all end with all sums, block w (BlockOf)
 * counts as worker w's.
 * @param plan of as many elements for each worker
 * @throws InvariantError if a worker has other than its share of them
 */
Shards ShardsOf(const StepPlan& plan);

} // namespace inca

#endif // INCA_EXCHANGE_SHARDS_H
