/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_SCRIPT_H
#define INCA_REPORT_PLOT_SCRIPT_H

#include "report/plot-data.h"
#include "report/plot-page.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * What gnuplot draws of @p data.
 * @param crossovers each "A,B", of lines: marks where these two series cross
 * @throws InputError if that cannot be marked
 */
PlotFiles ScriptOf(const PlotData& data,
                   PictureForm form,
                   const std::vector<std::string>& crossovers = {});

} // namespace inca

#endif // INCA_REPORT_PLOT_SCRIPT_H
