/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_TABLES_H
#define INCA_VALIDATION_HOMOMORPHIC_TABLES_H

#include "validation/homomorphic/benchmark.h"
#include "validation/homomorphic/models.h"
#include "validation/homomorphic/ratios.h"

#include <string>
#include <vector>

namespace inca
{

/** Plain text of at most 100 columns; each begins with an empty line. */

/** One model: a line per exchange, rate, density and overlap. */
std::string ModelTable(const std::vector<ModelPrediction>& predictions);

/**
 * The best gains of all models' predictions beside what the paper's abstract claims, how many reach
 * that, and what limits the others.
 */
std::string BestText(const std::vector<ModelPrediction>& predictions);

/** The benchmark's set-up, a line per index, rounds and rate. */
std::string BenchmarkTable(const std::vector<BenchmarkPrediction>& predictions);

/** At which ratio the benchmark reaches the claimed throughput gain. */
std::string RatioTable(const std::vector<FoundRatio>& found);

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_TABLES_H
