/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_GNUPLOT_H
#define INCA_REPORT_GNUPLOT_H

#include "report/plot-page.h"

#include <string>

namespace inca
{

/**
 * Runs gnuplot in a folder of its own, which is gone afterwards.
 * @return the picture's bytes
 * @throws RunError if gnuplot is not there, saying how to install it, or draws no whole picture;
 *         Interrupted
 */
std::string DrawWithGnuplot(const PlotFiles& files);

} // namespace inca

#endif // INCA_REPORT_GNUPLOT_H
