/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_TRACE_TABLES_H
#define INCA_REPORT_TRACE_TABLES_H

#include "inca/trace/gradient-trace.h"

#include <string>
#include <vector>

namespace inca
{

/** One line per trace: name, model, device, layers, parameters, gradient size, class of its figures. */
std::string TraceListText(const std::vector<GradientTrace>& traces);

/**
 * All of one trace for people: its metadata and notes, a line per layer with the totals, and the
 * statistics it has; those over all layers are means weighted by elements.
 */
std::string TraceText(const GradientTrace& trace);

} // namespace inca

#endif // INCA_REPORT_TRACE_TABLES_H
