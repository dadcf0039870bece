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

} // namespace inca

#endif // INCA_EXCHANGE_SHARDS_H
