/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_BARS_H
#define INCA_REPORT_PLOT_BARS_H

#include "report/plot-data.h"
#include "report/plot-page.h"

namespace inca
{

/** Bars, those of one place side by side, with the 95 % intervals of repeated points. */
void DrawBars(const PlotData& data, PlotPage& page);

/** The parts of each point's time, one on the other; of repeated points their means. */
void DrawStacks(const PlotData& data, PlotPage& page);

/** Of each point's runs: a box from quartile to quartile, the median in it, whiskers to least and most. */
void DrawBoxes(const PlotData& data, PlotPage& page);

} // namespace inca

#endif // INCA_REPORT_PLOT_BARS_H
