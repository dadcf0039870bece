/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/crossover.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "record/result-row.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace inca
{

namespace
{

/** Narrows a crossing until its ends are near enough, or something between them is refused. */
Crossing
Narrow(Crossing crossing,
       const KeyScale& scale,
       const Metric& metric,
       double tolerance,
       const Comparer& compare)
{
    while (const auto middle =
               scale.Between(crossing.before.value, crossing.after.value, tolerance))
    {
        auto sample = compare(*middle);
        if (!sample.IsWhole())
        {
            crossing.narrowed = false;
            return crossing;
        }
        const bool asBefore = WinnerOf(metric, sample) == WinnerOf(metric, crossing.before);
        (asBefore ? crossing.before : crossing.after) = std::move(sample);
    }
    return crossing;
}

} // namespace

const std::vector<Metric>&
Metrics()
{
    static const std::vector<Metric> metrics{{"iteration_time_s"},
                                             {"iteration_time_min_s"},
                                             {"iteration_time_p50_s"},
                                             {"iteration_time_p99_s"},
                                             {"communication_s"},
                                             {"exchange_time_s"},
                                             {"samples_per_s", true},
                                             {"scaling_efficiency", true},
                                             {"aggregation_throughput_gbps", true},
                                             {"algbw_gbps", true},
                                             {"busbw_gbps", true},
                                             {"achieved_ratio", true},
                                             {"wire_bytes"},
                                             {"sum_error_max"},
                                             {"sum_error_mean"}};
    return metrics;
}

const Metric&
FindMetric(const std::string& column)
{
    std::vector<std::string> names;
    for (const auto& metric : Metrics())
    {
        if (metric.column == column)
        {
            return metric;
        }
        names.push_back(metric.column);
    }
    throw InputError("--metric: " + UnknownName(column, names));
}

std::optional<double>
ValueOf(const Metric& metric, const RunRecord& record)
{
    const auto& columns = ResultColumns();
    const auto column = std::find_if(columns.begin(), columns.end(), [&metric](const auto& each) {
        return each.name == metric.column;
    });
    const auto text = column->text(record);
    return text.empty() ? std::nullopt : std::optional(std::strtod(text.c_str(), nullptr));
}

double
Advantage(const Metric& metric, double a, double b)
{
    const double good = metric.moreIsBetter ? a : b;
    const double bad = metric.moreIsBetter ? b : a;
    return good >= bad ? good / bad - 1 : 1 - bad / good;
}

Winner
WinnerOf(const Metric& metric, const CrossoverSample& sample)
{
    if (*sample.a == *sample.b)
    {
        return Winner::NEITHER;
    }
    return (*sample.a > *sample.b) == metric.moreIsBetter ? Winner::A : Winner::B;
}

Crossover
FindCrossover(const KeyScale& scale,
              const Metric& metric,
              double tolerance,
              const Comparer& compare)
{
    Crossover found;
    for (const auto& value : scale.Points(g_crossoverScan))
    {
        found.scan.push_back(compare(value));
    }
    const CrossoverSample* before = nullptr;
    bool gap = false;
    for (const auto& sample : found.scan)
    {
        if (!sample.IsWhole())
        {
            gap = true;
            continue;
        }
        if (before != nullptr && WinnerOf(metric, *before) != WinnerOf(metric, sample))
        {
            const Crossing crossing{*before, sample, !gap};
            found.crossings.push_back(gap ? crossing
                                          : Narrow(crossing, scale, metric, tolerance, compare));
        }
        before = &sample;
        gap = false;
    }
    return found;
}

} // namespace inca
