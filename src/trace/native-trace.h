/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_NATIVE_TRACE_H
#define INCA_TRACE_NATIVE_TRACE_H

#include "inca/trace/gradient-trace.h"
#include "inca/trace/layer-statistics.h"

#include <functional>
#include <string>
#include <vector>

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
 * union_density; exponents (histogram of all values' biased
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
 * @throws as AtomicFile does
 */
void WriteTrace(const GradientTrace& trace, const std::string& path);

/** One named text of the native format, and the part of a record that it fills. */
template <typename Record>
struct TraceField
{
    std::string name;
    bool required{false};
    unsigned bound{0}; ///< of the columns `b10_w2` to `b10_w34` 10, of others 0
    /** Reads a text that is not empty. @throws UnitError saying what would be right */
    std::function<void(const std::string& text, Record& record)> read;
    /** @return the text that read() turns into the same again; empty = unknown */
    std::function<std::string(const Record& record)> write;
};

using TraceColumn = TraceField<LayerRecord>; ///< a column: filled in each layer's row
using TraceKey = TraceField<GradientTrace>;  ///< a line "# key: value"

/** All columns that a trace may have, in the order in which they are written. */
const std::vector<TraceColumn>& TraceColumns();

/** The keys of "# key: value" lines that mean something to INCA, in the order in which they are written. */
const std::vector<TraceKey>& TraceKeys();

/** @return what to say of a column's name that is not among TraceColumns */
std::string UnknownTraceColumn(const std::string& name);

} // namespace inca

#endif // INCA_TRACE_NATIVE_TRACE_H
