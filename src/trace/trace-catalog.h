/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_TRACE_CATALOG_H
#define INCA_TRACE_TRACE_CATALOG_H

#include "inca/trace/gradient-trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * Where the shipped traces are: the environment's INCA_TRACES if it is set; else share/inca/traces
 * beside the bin/ or lib/ that INCA is in. Only what is in a build tree without them takes the source
 * tree's traces/.
 */
std::string TracesDirectory();

/**
 * @return the names of the traces in a folder, ascending, without ".csv"
 * @throws InputError if the folder cannot be read
 */
std::vector<std::string> ShippedTraceNames(const std::string& directory);

/** @return whether FindTrace takes it as a path */
bool IsTracePath(const std::string& nameOrPath);

/**
 * Finds a trace without reading it.
 * @param nameOrPath as of FindTrace
 * @return why there is no such trace, naming the nearest; empty if there is one
 */
std::string WhyNoTrace(const std::string& nameOrPath);

/**
 * @param nameOrPath "tensor:100MB"; or a path, if it has a '/' or ends in ".csv"; or a name in
 * TracesDirectory()
 * @throws InputError if there is no such trace (naming the nearest) or it cannot be read
 */
GradientTrace FindTrace(const std::string& nameOrPath);

/**
 * One fp32 layer without compute, named "tensor". So that it has random values, its exponents are
 * assumed to be those of a normal distribution with mean 0 and standard deviation 2^-6.
 * @param bytes a positive multiple of 4, at most 1 TiB
 * @throws InputError otherwise
 */
GradientTrace MakeTensorTrace(std::uint64_t bytes);

/** What of a trace is to be another. */
struct TraceScale
{
    std::optional<std::uint64_t> batch; ///< samples; forward and backward take as much longer
    double compute{1};                  ///< factor of all times; 0.5 is a GPU twice as fast
    std::string gradientType;           ///< fp32, fp16 or bf16; empty: as it is
};

/**
 * The same model with another batch, on another GPU, or with gradients of another type, which a note
 * of it says; what is not as it was has class `derived`. Times are rounded to picoseconds. Statistics of
 * values stay: they are of values widened to fp32.
 * @throws InputError if a factor or type is none, or the trace does not say its batch
 */
GradientTrace Scaled(const GradientTrace& trace, const TraceScale& scale);

} // namespace inca

#endif // INCA_TRACE_TRACE_CATALOG_H
