/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_LINES_H
#define INCA_REPORT_PLOT_LINES_H

#include "report/plot-data.h"
#include "report/plot-page.h"

#include <optional>
#include <string>
#include <utility>

namespace inca
{

/**
 * Draws lines over numbers, with the 95 % intervals of repeated points, and a cross at the axis where a
 * point is refused, failed or too late; a line has a gap there.
 * @param crossover text "A,B": marks where these two series cross
 * @throws InputError if there is no such series
 */
void DrawLines(const PlotData& data, const std::optional<std::string>& crossover, PlotPage& page);

} // namespace inca

#endif // INCA_REPORT_PLOT_LINES_H
