/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_JOB_BUILDER_H
#define INCA_PLAN_JOB_BUILDER_H

#include "codec/codec.h"
#include "job/clockless-replay.h"
#include "job/training-job.h"
#include "plan/sketch-plan.h"
#include "scenario/scenario.h"
#include "trace/gradient-trace.h"
#include "trace/value-source.h"

#include <memory>
#include <vector>

namespace inca
{

/** A scenario made ready to run: all that is known of it without a network. */
struct PreparedJob
{
    std::shared_ptr<const GradientTrace> trace; ///< with the densities that are encoded
    std::shared_ptr<const Codec> codec;         ///< of frames or messages; null for none
    std::shared_ptr<const TrainingJob> job;     ///< all but the addresses
    /** By chunk, or by shard of each; empty but for homomorphic compression. */
    std::vector<PlannedSketch> sketches;
    Rank otherRanks{0}; ///< aggregators or servers
    Wire wire;          ///< what a gradient message's values go through; empty: nothing
    ValueHooks hooks;   ///< of values
};

/**
 * Reads the trace and makes the job.
 * @throws InputError if the trace cannot be read, or cannot answer what the scenario needs
 */
PreparedJob PrepareJob(const Scenario& scenario);

/** What a message's values go through (TrainingJob::IsCoded). @param job outlives it @param codec of engines, if they code */
Wire WireOf(const TrainingJob& job, const std::shared_ptr<const Codec>& codec);

/**
 * What workers bring into an exchange of their gradients: rounded to their type, and what sparsifying leaves of them.
 * @param trace whose layers they are of
 */
WorkerGradient BroughtOf(const Scenario& scenario,
                         const std::shared_ptr<const GradientTrace>& trace,
                         std::shared_ptr<const ValueSource> gradients);

} // namespace inca

#endif // INCA_PLAN_JOB_BUILDER_H
