/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_TRACE_JOB_H
#define INCA_JOB_TRACE_JOB_H

#include "inca/exchange/exchange-spec.h"
#include "inca/job/bucket-plan.h"
#include "inca/job/training-job.h"
#include "inca/trace/gradient-trace.h"

#include <cstdint>
#include <memory>

namespace inca
{

/** Adds the layers of @p trace to a job that has none. */
void AddLayers(const GradientTrace& trace, TrainingJob& job);

/** @return the last layer of @p job that has elements in @p range, which is not empty */
std::uint32_t LastLayerOf(const TrainingJob& job, ElementRange range);

/** What a worker computes of a layer in a phase. (ps) */
std::int64_t PhasePs(const LayerRecord& layer, ComputePhase phase);

/**
 * Data-parallel training as @p trace has it: each worker computes what it says, and gradients are exchanged in the buckets
 * that @p buckets makes of them. Change what you like before it is installed.
 * @throws InputError if the exchange is unknown or cannot run with so many workers, or there are too many chunks
 */
std::shared_ptr<TrainingJob> MakeTraceJob(std::shared_ptr<const GradientTrace> trace,
                                          const ExchangeSpec& exchange,
                                          BucketSpec buckets);

} // namespace inca

#endif // INCA_JOB_TRACE_JOB_H
