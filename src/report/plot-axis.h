/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_REPORT_PLOT_AXIS_H
#define INCA_REPORT_PLOT_AXIS_H

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/** What stands at an axis, and what its column's figures are multiplied by to be in that unit. */
struct AxisUnit
{
    std::string title; ///< "iteration time (ms)"
    std::string unit;  ///< "ms"; empty: counts something
    double factor{1};
};

/** The unit in which the largest of @p values has one to three digits before the point. */
AxisUnit UnitFor(const std::string& column, const std::vector<double>& values);

/** A figure or name of a column where none stands beside it: "10 Gbit/s", "4 workers", "ring". */
std::string ValueName(const std::string& column, const std::string& text);

/** Where an axis begins and ends. */
struct AxisScale
{
    bool isLog{false};
    double least{0};
    double most{1};
    std::vector<double> ticks; ///< empty: gnuplot chooses them

    /** @return what is that share of the axis' length from its beginning on */
    double At(double share) const;

    /** @return the share of the length at which @p value stands */
    double ShareOf(double value) const;
};

/**
 * The scale of values: logarithmic where they span a decade; from zero where they come near it.
 * @param values at least one
 * @param ofBars their lengths say how much: the scale is from zero, and logarithmic only over two decades
 */
AxisScale ValueScale(const std::vector<double>& values, bool ofBars = false);

/**
 * The scale of what is varied: ticks where it was simulated, if there is room for them.
 * @param length of the axis, against that in a picture of one column
 */
AxisScale PlaceScale(const std::vector<double>& places, double length = 1);

} // namespace inca

#endif // INCA_REPORT_PLOT_AXIS_H
