/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_LINES_H
#define INCA_REPORT_PLOT_LINES_H

#include "report/plot-data.h"
#include "report/plot-page.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * Draws lines over numbers, with the 95 % intervals of repeated points, and a cross at the axis where a
 * point is refused, failed or too late; a line has a gap there.
 * @param crossovers each "A,B": marks where these two series cross
 * @throws InputError if there is no such series
 */
void DrawLines(const PlotData& data, const std::vector<std::string>& crossovers, PlotPage& page);

} // namespace inca

#endif // INCA_REPORT_PLOT_LINES_H
