/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_TRACE_COLUMNS_H
#define INCA_TRACE_TRACE_COLUMNS_H

#include "trace/gradient-trace.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace inca
{

/** Encoded widths of the INCEPTIONN codec, tag included: the four columns of a bound. (bits) */
constexpr std::array<unsigned, 4> g_publishedWidths{2, 10, 18, 34};

/** Shares that stand in a file with few digits add up to 1 within this. */
constexpr double g_shareTolerance = 0.005;

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

/** @return the column of one published share: `b10_w2` for bound 10 and the first of the widths 2, 10, 18, 34 */
std::string WidthColumnName(unsigned bound, std::size_t widthIndex);

/** @return what to say of a column's name that is not among TraceColumns */
std::string UnknownTraceColumn(const std::string& name);

} // namespace inca

#endif // INCA_TRACE_TRACE_COLUMNS_H
