/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_LABELS_H
#define INCA_REPORT_PLOT_LABELS_H

#include "report/plot-crossing.h"

#include <string>
#include <vector>

namespace inca
{

/** A text at a mark in a picture. */
struct PlotLabel
{
    std::string text;
    PlotPoint at;          ///< the mark; of a label that is placed, where the text begins
    bool endsThere{false}; ///< it ends there instead
};

/**
 * @return the labels beside their marks: where a text covers the least of @p lines, none of the labels
 *         before it, and nothing beyond the axes' ends
 */
std::vector<PlotLabel> PlaceLabels(const std::vector<PlotLabel>& labels,
                                   const std::vector<std::vector<PlotPoint>>& lines,
                                   const PlotScales& scales);

} // namespace inca

#endif // INCA_REPORT_PLOT_LABELS_H
