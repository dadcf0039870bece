/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "validation/comparison.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inca
{

const char*
PublishedClassName(PublishedClass publishedClass)
{
    switch (publishedClass)
    {
    case PublishedClass::PRINTED:
        return "printed";
    case PublishedClass::MEASURED:
        return "measured";
    case PublishedClass::DERIVED:
        return "derived";
    case PublishedClass::SIMULATED:
        return "simulated";
    }
    return "";
}

const char*
FigureUnitName(FigureUnit unit)
{
    switch (unit)
    {
    case FigureUnit::SECONDS:
        return "s";
    case FigureUnit::PERCENT:
        return "%";
    case FigureUnit::TIMES:
        return "x";
    case FigureUnit::MILLION_VALUES_PER_SECOND:
        return "Mvalues/s";
    case FigureUnit::GIGABITS_PER_SECOND:
        return "Gb/s";
    }
    return "";
}

PublishedValue
Single(double value, PublishedClass publishedClass, std::string source)
{
    return {value, value, publishedClass, std::move(source)};
}

ErrorScale
ErrorScaleOf(const Comparison& comparison)
{
    if (comparison.deviation)
    {
        return ErrorScale::DEVIATIONS;
    }
    return comparison.unit == FigureUnit::PERCENT ? ErrorScale::POINTS : ErrorScale::RELATIVE;
}

std::optional<double>
ErrorOf(const Comparison& comparison)
{
    if (!comparison.published)
    {
        return std::nullopt;
    }
    const auto& published = *comparison.published;
    const double nearest = std::clamp(comparison.predicted, published.from, published.to);
    const double difference = comparison.predicted - nearest;
    switch (ErrorScaleOf(comparison))
    {
    case ErrorScale::RELATIVE:
        return difference / nearest;
    case ErrorScale::POINTS:
        return difference;
    case ErrorScale::DEVIATIONS:
        return difference / *comparison.deviation;
    }
    return std::nullopt;
}

bool
IsJudged(const Comparison& comparison)
{
    return comparison.published && comparison.limit;
}

bool
Misses(const Comparison& comparison)
{
    return IsJudged(comparison) && std::abs(*ErrorOf(comparison)) > *comparison.limit;
}

std::size_t
CountMisses(const ValidationReport& report)
{
    return static_cast<std::size_t>(
        std::count_if(report.comparisons.begin(), report.comparisons.end(), Misses));
}

} // namespace inca
