/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_NATIVE_TRACE_H
#define INCA_TRACE_NATIVE_TRACE_H

#include "trace/gradient-trace.h"

#include <string>

namespace inca
{

/**
 * INCA's own trace format: CSV in ASCII, lines ending in LF or CRLF.
 *
 *     #inca-trace v1
 *     # model: AlexNet                 model, source, class, device, batch, gradient_type,
 *     # batch: 64                      stats_workers; each at most once; any other key is a note
 *     layer,elements,forward_ns,backward_ns,update_ns
 *     features.0,23296,1046.5,5423,12
 *
 * Times have up to three digits after the point. Optional columns: aggregator_update_ns; the shares density,
 * union_density, block_density, union_block_density; exponents (histogram of all values' biased
 * exponents, zeros at 0, that adds up to 1); b10_w2, b10_w10, b10_w18, b10_w34 and the like for
 * other bounds (add up to 1 within 0.005). An empty field of these is unknown.
 *
 * Files are not trusted: at most 64 MiB, 64 KiB a line, 100,000 layers, 2^40 elements a layer and
 * 2^42 in all, 10^18 ps of times in all.
 */

/** @throws InputError with every complaint (the first 20), each with file, line and column */
GradientTrace ReadTrace(const std::string& path);

/**
 * The same of a text in memory.
 * @param fileName stands in complaints; its last part without ".csv" is the trace's name
 */
GradientTrace ParseTrace(const std::string& text, const std::string& fileName);

/**
 * @return the trace as text; parsing it gives the same trace again (checksum aside). Control and
 * other characters outside ASCII are written as '?'.
 */
std::string FormatTrace(const GradientTrace& trace);

/**
 * Writes the file as a whole or not at all.
 * @throws as WholeFile does
 */
void WriteTrace(const GradientTrace& trace, const std::string& path);

} // namespace inca

#endif // INCA_TRACE_NATIVE_TRACE_H
