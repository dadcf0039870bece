/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_GPU_SUMS_H
#define INCA_PLAN_GPU_SUMS_H

#include "inca/job/gradient-type.h"
#include "inca/trace/value-source.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace inca
{

/** How the GPUs of a worker add up their gradients. */
struct GpuRing
{
    std::uint32_t gpus{2};                   ///< g, at least 1
    GradientType type;                       ///< what each has, and each sum, is rounded to it
    std::vector<std::uint64_t> bucketBegins; ///< in any order; the first bucket begins at 0
    std::uint64_t elements{0};               ///< of the model
};

/**
 * Gradients of workers, each what its GPUs make of theirs by a ring's reduce-scatter (NCCL's, over NVLink): of
 * the g equal blocks of a bucket, block b begins at GPU b and goes around, and every GPU that it comes to adds
 * its own and rounds: ((x_b + x_(b+1)) + x_(b+2)) + ..., modulo g.
 * @param ofGpus GPU i of worker w is its worker w g + i
 */
std::shared_ptr<const ValueSource> MakeGpuSums(std::shared_ptr<const ValueSource> ofGpus,
                                               GpuRing ring);

/** @return @p values rounded to @p type, to nearest, ties to even; of fp32, themselves */
std::shared_ptr<const ValueSource> MakeRoundedValues(std::shared_ptr<const ValueSource> values,
                                                     const GradientType& type);

} // namespace inca

#endif // INCA_PLAN_GPU_SUMS_H
