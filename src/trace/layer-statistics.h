/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TRACE_LAYER_STATISTICS_H
#define INCA_TRACE_LAYER_STATISTICS_H

#include "trace/gradient-trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inca
{

/**
 * Share of positions where at least one of several workers has a non-zero value: 1 - (1 - d)^(W^a).
 * @param density d, 0..1, of one worker
 * @param workers W, at least 1
 * @param unionExponent a: 1 = independent positions, 0 = the same positions
 */
double UnionDensity(double density, std::uint32_t workers, double unionExponent);

/**
 * The `a` with which UnionDensity(d, stats_workers, a) is the layer's published union density.
 * @return empty where the statistics do not determine it: a value is missing, or d or the union is
 * 0 or 1. Above 1 where workers avoid each other's positions.
 */
std::optional<double> FitUnionExponent(const LayerStatistics& statistics,
                                       std::optional<std::uint32_t> statsWorkers);

/** @return what contradicts itself in a layer's statistics, as column and text; {} = nothing */
std::vector<std::pair<std::string, std::string>> StatisticsComplaints(
    const LayerStatistics& statistics, std::optional<std::uint32_t> statsWorkers);

} // namespace inca

#endif // INCA_TRACE_LAYER_STATISTICS_H
