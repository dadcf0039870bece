/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_GRID_H
#define INCA_SCENARIO_GRID_H

#include <cstddef>
#include <string>
#include <vector>

namespace inca
{

/** More points than this are a slip of the pen, not a sweep. */
constexpr std::size_t g_mostGridPoints = 100'000;

/**
 * The points of a sweep: every combination of the varied keys' values, the last key varying
 * fastest. Values are lists ("ring,worker-aggregator") or ranges that end at or below their last
 * value: "2..64:x2" doubles, "1..9:+2" adds two, "0.1..0.3:+0.1" is exact, too; a unit goes with
 * both ends: "10Gbps..80Gbps:x2".
 * @param vary "key=values" each, as of --vary; {} gives one point without settings
 * @return per point the settings of ReadScenario, one for each key
 * @throws InputError with all that is wrong: unknown or repeated keys, repeated values, bad ranges, too many points
 */
std::vector<std::vector<std::string>> ExpandGrid(const std::vector<std::string>& vary);

} // namespace inca

#endif // INCA_SCENARIO_GRID_H
