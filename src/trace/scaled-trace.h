/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_SCALED_TRACE_H
#define INCA_TRACE_SCALED_TRACE_H

#include "trace/gradient-trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace inca
{

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

#endif // INCA_TRACE_SCALED_TRACE_H
