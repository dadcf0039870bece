/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_RATIOS_H
#define INCA_VALIDATION_HOMOMORPHIC_RATIOS_H

#include "validation/comparison.h"
#include "validation/homomorphic/benchmark.h"
#include "validation/validation-request.h"

#include <vector>

namespace inca
{

/** Where a set-up of the benchmark reaches the claimed throughput gain. */
struct FoundRatio
{
    bool reached{false};
    /** At the smallest ratio that reaches it; where none does, at the one with the largest gain. */
    BenchmarkPrediction at;
    BenchmarkPrediction bestThatDecodes; ///< the largest gain of those with a load below 0.78
};

/** Up to this load (values marked per lane / R) large sketches decode without loss. */
constexpr double g_losslessLoad = 0.78;

/**
 * Runs every set-up at ratios from 2 to 128, then halves the interval in which the gain is first
 * reached ten times. All set-ups advance together, so that the request's jobs have work.
 */
std::vector<FoundRatio> FindRatios(const ValidationRequest& request);

/** Every number of it, for the CSV alone. */
std::vector<Comparison> FiguresOf(const FoundRatio& found);

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_RATIOS_H
