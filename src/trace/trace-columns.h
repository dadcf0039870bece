/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_TRACE_COLUMNS_H
#define INCA_TRACE_TRACE_COLUMNS_H

#include "trace/gradient-trace.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** Encoded widths of the INCEPTIONN codec, tag included: the four columns of a bound. (bits) */
constexpr std::array<unsigned, 4> g_publishedWidths{2, 10, 18, 34};
constexpr unsigned g_leastBound = 1; ///< bounds are 2^-1 ...
constexpr unsigned g_mostBound = 15; ///< ... to 2^-15

/** Shares that stand in a file with few digits add up to 1 within this. */
constexpr double g_shareTolerance = 0.005;

/** One column of the native format: how a layer is filled from its text, and the other way round. */
struct TraceColumn
{
    std::string name;
    bool required{false};
    /** Reads a field that is not empty. @throws UnitError saying what would be right */
    std::function<void(const std::string& text, LayerRecord& layer)> read;
    /** @return the field's text, which read() turns into the same again; empty = unknown */
    std::function<std::string(const LayerRecord& layer)> write;
};

/** The columns that have fixed names, in the order in which they are written. */
const std::vector<TraceColumn>& TraceColumns();

/** The column of one published share: `b10_w2` for bound 10 and the first of g_publishedWidths. */
TraceColumn WidthColumn(unsigned bound, std::size_t widthIndex);

/** @return the column of that name, be it fixed or of a width; nothing if there is none */
std::optional<TraceColumn> FindTraceColumn(const std::string& name);

/** @return what to say of a column's name that FindTraceColumn does not know */
std::string UnknownTraceColumn(const std::string& name);

} // namespace inca

#endif // INCA_TRACE_TRACE_COLUMNS_H
