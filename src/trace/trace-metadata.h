/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_TRACE_METADATA_H
#define INCA_TRACE_TRACE_METADATA_H

#include "trace/gradient-trace.h"

#include <functional>
#include <string>
#include <vector>

namespace inca
{

/** One "# key: value" line of the native format that means something to INCA. */
struct TraceKey
{
    std::string name;
    /** @throws UnitError saying what would be right */
    std::function<void(const std::string& text, GradientTrace& trace)> read;
    /** @return the text that read() turns into the same again; empty = unknown */
    std::function<std::string(const GradientTrace& trace)> write;
};

/** All of them, in the order in which they are written. */
const std::vector<TraceKey>& TraceKeys();

/** @return their names */
std::vector<std::string> TraceKeyNames();

} // namespace inca

#endif // INCA_TRACE_TRACE_METADATA_H
