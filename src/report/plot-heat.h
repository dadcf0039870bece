/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_HEAT_H
#define INCA_REPORT_PLOT_HEAT_H

#include "report/plot-data.h"
#include "report/plot-page.h"

namespace inca
{

/** Two keys, each value a colour, and its figure where there is room; a cross where a point is not done. */
void DrawHeat(const PlotData& data, PlotPage& page);

} // namespace inca

#endif // INCA_REPORT_PLOT_HEAT_H
