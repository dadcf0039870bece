/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_METRIC_H
#define INCA_SWEEP_METRIC_H

#include "record/run-record.h"

#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** A column of a result row by which runs are compared. */
struct Metric
{
    std::string column;
    bool moreIsBetter{false};
};

/** The first is the usual one. */
const std::vector<Metric>& Metrics();

/** @throws InputError if it is none, naming the nearest */
const Metric& FindMetric(const std::string& column);

/** @return the column's number; nothing if it does not apply to @p record */
std::optional<double> ValueOf(const Metric& metric, const RunRecord& record);

/** By how much @p a is better than @p b: 0.25 is 1.25 times as good; below 0 it is that much worse. */
double Advantage(const Metric& metric, double a, double b);

} // namespace inca

#endif // INCA_SWEEP_METRIC_H
