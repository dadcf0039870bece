/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_HOMOMORPHIC_MODELS_H
#define INCA_VALIDATION_HOMOMORPHIC_MODELS_H

#include "validation/comparison.h"
#include "validation/homomorphic/limits.h"
#include "validation/homomorphic/scenarios.h"
#include "validation/homomorphic/sketches.h"
#include "validation/measured-run.h"

#include <string>
#include <vector>

namespace inca
{

/** What INCA predicts of one exchange, with and without compression. */
struct GainPrediction
{
    double plainGbps{0}; ///< aggregation throughput: fp32 bits over the exchange's time
    double codedGbps{0};
    double plainSeconds{0}; ///< of an iteration
    double codedSeconds{0};
    HomomorphicParts exchangeParts;  ///< of the compressed exchange
    HomomorphicParts iterationParts; ///< of the compressed iteration
    SketchFigures sketches;

    double ThroughputGain() const;
    double IterationGain() const;
};

/** The same, of one model. */
struct ModelPrediction
{
    ModelNetwork network;
    Sparsity sparsity;
    GainPrediction gain;

    /** "ring at 10 Gb/s" */
    std::string System() const;

    /** "density 0.05, identical" */
    std::string SparsityText() const;
};

/** Aggregation throughput of a run that exchanges @p values. (Gb/s) */
double ThroughputGbps(std::uint64_t values, const MeasuredRun& run);

/** When the first iteration ends. (s) */
double IterationSeconds(const MeasuredRun& run);

/** All runs of one model: each once, the uncompressed ones for all sparsities. */
std::vector<PlannedRun> ModelRuns(const std::string& trace);

/** @param runs what ModelRuns gave, in their order, with the scenarios that were run */
std::vector<ModelPrediction> ModelPredictions(const std::string& trace,
                                              const std::vector<MeasuredRun>& runs);

/** Every number of it, for the CSV alone. */
std::vector<Comparison> FiguresOf(const ModelPrediction& prediction);

} // namespace inca

#endif // INCA_VALIDATION_HOMOMORPHIC_MODELS_H
