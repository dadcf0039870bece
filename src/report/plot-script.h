/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_SCRIPT_H
#define INCA_REPORT_PLOT_SCRIPT_H

#include "report/plot-data.h"
#include "report/plot-page.h"

#include <optional>
#include <string>

namespace inca
{

/**
 * What gnuplot draws of @p data.
 * @param crossover text "A,B", of lines: marks where these two series cross
 * @throws InputError if that cannot be marked
 */
PlotFiles ScriptOf(const PlotData& data,
                   PictureForm form,
                   const std::optional<std::string>& crossover = std::nullopt);

} // namespace inca

#endif // INCA_REPORT_PLOT_SCRIPT_H
