/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_DATA_PARALLEL_H
#define INCA_JOB_DATA_PARALLEL_H

#include "inca/job/rank-program.h"

#include <memory>

namespace inca
{

struct TrainingJob;

/**
 * The program of a worker that has the whole model, or a shard of its weights or of its optimizer: forward passes layer
 * by layer, backward passes in the other direction, gradients copied to the host and exchanged as the job says, weights
 * updated. A piece is a micro-batch; the next one is opened after its last backward pass.
 *
 * Weights are updated when the sums of all gradients are here, or each layer's as they come
 * (TrainingJob::updatesAtEnd). An iteration's first forward pass of a layer waits for that layer's update
 * of the iteration before (for all updates with the job's barrier). With accumulation, the last micro-batch
 * hands out gradients, or each one does (TrainingJob::exchangedBatches).
 *
 * Where workers keep a shard of the weights (TrainingJob::GathersWeights), those of a bucket's layers are
 * gathered, copied to the GPU and used, and forgotten: each forward and backward pass waits for them, but the first
 * backward pass, whose weights are kept. The next bucket's gather may begin when a pass begins this one; without
 * overlap when a pass is to begin its own bucket, and backward then waits for the gradients of the bucket before, too.
 * All gathers of a micro-batch come after all exchanges of the one before, so they hand on what was updated.
 *
 * A worker of several GPUs is their machine: a bucket's gradients are added up over them before,
 * and given back to all of them after, its exchange (JobChunk::reducePs, JobChunk::gatherPs).
 *
 * @param job has its layers, buckets and chunks; it need not outlive the program
 */
std::shared_ptr<const RankProgram> MakeDataParallelProgram(const TrainingJob& job);

} // namespace inca

#endif // INCA_JOB_DATA_PARALLEL_H
