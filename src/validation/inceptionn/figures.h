/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_INCEPTIONN_FIGURES_H
#define INCA_VALIDATION_INCEPTIONN_FIGURES_H

#include "validation/comparison.h"
#include "validation/inceptionn/prediction.h"
#include "validation/inceptionn/published.h"

#include <optional>
#include <vector>

namespace inca
{

/**
 * Computation per iteration after Table II: forward, backward, copy, sum and update. WA's systems
 * have the table's figures. A worker of a ring of 4 adds 3/4 of a gradient where the aggregator
 * adds 3, so INC's systems have a quarter of the table's sum, and the whole of its update. (s)
 */
double TableTwoComputation(const InceptionnModel& model, InceptionnSystem system);

/** Computation per iteration after Fig. 12: its share of Table II's total; empty without bars. (s) */
std::optional<double> FigureTwelveComputation(const InceptionnModel& model,
                                              InceptionnSystem system);

/**
 * Every figure of one model. Nothing overlaps on this testbed, so
 *     total = predicted communication + computation,
 * once with each of the two computations above. A cut is 1 - system / WA, a speed-up WA / system.
 * Figures without a published number are there too, with nothing beside them.
 */
std::vector<Comparison> CompareInceptionn(const InceptionnModel& model,
                                          const PerSystem<SystemPrediction>& predictions);

} // namespace inca

#endif // INCA_VALIDATION_INCEPTIONN_FIGURES_H
