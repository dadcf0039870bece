/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_CROSSING_H
#define INCA_REPORT_PLOT_CROSSING_H

#include <vector>

namespace inca
{

struct AxisScale;

/** A place in a picture, in the units of its axes. */
struct PlotPoint
{
    double x{0};
    double y{0};
};

/** The scales of a picture's axes. */
struct PlotScales
{
    const AxisScale& x;
    const AxisScale& y;
};

/**
 * Where two lines cross, as they are drawn: straight between two points on the axes' scales.
 * @param a, b by their x; only what both have an x of counts
 */
std::vector<PlotPoint> Crossings(const std::vector<PlotPoint>& a,
                                 const std::vector<PlotPoint>& b,
                                 const PlotScales& scales);

} // namespace inca

#endif // INCA_REPORT_PLOT_CROSSING_H
