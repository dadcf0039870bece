/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_BENCHMARK_H
#define INCA_VALIDATION_HOMOMORPHIC_BENCHMARK_H

#include "validation/comparison.h"
#include "validation/homomorphic/models.h"
#include "validation/homomorphic/scenarios.h"
#include "validation/measured-run.h"

#include <vector>

namespace inca
{

/**
 * The released benchmark at one set-up. Its throughput is of the exchange between machines, coding
 * included; its iteration also has the sums and copies between a machine's GPUs.
 */
struct BenchmarkPrediction
{
    BenchmarkSetup setup;
    double ratio{0};
    GainPrediction gain;
};

/** @param plain BenchmarkBaseline, and @p coded BenchmarkCompressed at that rate */
BenchmarkPrediction PredictBenchmark(const BenchmarkSetup& setup,
                                     const MeasuredRun& plain,
                                     const MeasuredRun& coded);

/** Uncompressed at every rate, in their order. */
std::vector<PlannedRun> BenchmarkBaselineRuns();

/** @return which of BenchmarkBaselineRuns has that rate */
const MeasuredRun& BaselineOf(const BenchmarkSetup& setup, const std::vector<MeasuredRun>& runs);

/** The baselines, then every set-up at the released ratio of 10. */
std::vector<PlannedRun> BenchmarkRuns();

/** @param runs what BenchmarkRuns gave, in their order */
std::vector<BenchmarkPrediction> BenchmarkPredictions(const std::vector<MeasuredRun>& runs);

/** Every number of it, for the CSV alone. */
std::vector<Comparison> FiguresOf(const BenchmarkPrediction& prediction);

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_BENCHMARK_H
