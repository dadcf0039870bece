/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_JOB_BUILDER_H
#define INCA_PLAN_JOB_BUILDER_H

#include "inca/job/training-job.h"
#include "inca/plan/resolved.h"
#include "inca/plan/sketch-plan.h"
#include "inca/trace/value-source.h"

#include <memory>
#include <vector>

namespace inca
{

/** A scenario made ready to run: all that is known of it without a network. */
struct PreparedJob
{
    std::shared_ptr<const Resolved> resolved;
    std::shared_ptr<const TrainingJob> job; ///< all but the addresses
    /** By chunk, or by shard of each; empty but for homomorphic compression. */
    std::vector<PlannedSketch> sketches;
    ValueHooks hooks; ///< of values
};

/** @throws InputError if the trace cannot answer what the job needs */
PreparedJob PrepareJob(std::shared_ptr<const Resolved> resolved, JobId id = JobId());

/**
 * What workers bring into an exchange of their gradients: rounded to their type, and what sparsifying leaves of them.
 */
WorkerGradient BroughtOf(const Resolved& resolved, std::shared_ptr<const ValueSource> gradients);

} // namespace inca

#endif // INCA_PLAN_JOB_BUILDER_H
