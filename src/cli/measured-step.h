/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_MEASURED_STEP_H
#define INCA_CLI_MEASURED_STEP_H

#include "trace/step-files.h"
#include "trace/value-counts.h"

#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** One line of `inca trace measure`: a layer of a step, or all of them together. */
struct MeasuredLine
{
    std::string step;  ///< empty: unknown
    std::string layer; ///< "all layers" for all of them
    ValueCounts counts;
    LayerStatistics statistics;
    double independentUnion; ///< the union's density if workers' positions were independent
};

/** What was counted in a step; the last line is that of all layers. */
std::vector<MeasuredLine> LinesOf(const StepFiles& files,
                                  const GradientTrace& trace,
                                  const std::vector<ValueCounts>& counts);

/** @return a table: of each step the line of all layers, or with @p withLayers every line */
std::string MeasuredText(const std::vector<MeasuredLine>& lines, bool withLayers);

/** @return every line, with all figures (docs/formats.md, "Measured values") */
std::string MeasuredCsv(const std::vector<MeasuredLine>& lines);

} // namespace inca

#endif // INCA_CLI_MEASURED_STEP_H
