/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_TRACE_HEADER_H
#define INCA_TRACE_TRACE_HEADER_H

#include "trace/complaint-list.h"
#include "trace/trace-columns.h"

#include <optional>
#include <string>
#include <vector>

namespace inca
{

/**
 * Turns the header row of a native trace into columns, and complains of unknown, repeated and
 * missing ones.
 * @return one entry per name, in their order; nothing for one that is not to be read
 */
std::vector<std::optional<TraceColumn>> ReadTraceHeader(const std::vector<std::string>& names,
                                                        unsigned line,
                                                        ComplaintList& complaints);

} // namespace inca

#endif // INCA_TRACE_TRACE_HEADER_H
