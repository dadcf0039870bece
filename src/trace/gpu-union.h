/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_GPU_UNION_H
#define INCA_TRACE_GPU_UNION_H

#include "trace/gradient-trace.h"

#include <cstdint>
#include <optional>

namespace inca
{

/**
 * The trace of a worker that adds up the gradients of several GPUs, from the trace of one: each
 * layer's NonZeroShare d becomes a density of 1 - (1 - d)^(g^a), and its union density keeps the
 * same `a`, so that W such workers have the density of W g GPUs. What is not zero is distributed as
 * one GPU's values are (WithDensity). Layers of which d is unknown are left alone.
 * @param gpus g, at least 1
 * @param unionExponent `a`, 0..1; else each layer's by its union_density, at most 1; else 1
 */
GradientTrace OverGpus(const GradientTrace& trace,
                       std::uint32_t gpus,
                       std::optional<double> unionExponent);

} // namespace inca

#endif // INCA_TRACE_GPU_UNION_H
