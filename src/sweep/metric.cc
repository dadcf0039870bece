/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep/metric.h"

#include "base/errors.h"
#include "base/nearest.h"
#include "record/result-row.h"

#include <algorithm>
#include <cstdlib>

namespace inca
{

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

} // namespace inca
