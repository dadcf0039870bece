/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_GRID_H
#define INCA_SCENARIO_GRID_H

#include "inca/scenario/sweep-spec.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/** More points than this are a slip of the pen, not a sweep. */
constexpr std::size_t g_mostGridPoints = 100'000;

/** More keys than this can only vary by a value each. */
constexpr std::size_t g_mostVariedKeys = 100;

/**
 * What stands between commas; a range stands for several: "2..8:x2,100" is 2, 4, 8 and 100.
 * @param most the list ends soon after so many values: a few more than that are too many
 * @throws UnitError if a range has no step, units that differ, or never gets to its end
 */
std::vector<std::string> ParseValues(std::string_view text, std::size_t most);

/** One combination of all that varies. */
struct GridPoint
{
    std::string label;            ///< of its system; empty without systems
    std::vector<Varied> ofSystem; ///< "key=value" each, with the key's origin
    std::vector<Varied> varied;   ///< the same of zipped, then of varied keys
};

/**
 * The points of a sweep: every system with every place of the zipped lists and every combination of the
 * varied keys' values; systems vary slowest, then what is zipped, and the last varied key fastest. Values
 * are lists ("ring,worker-aggregator") or ranges that end at or below their last value: "2..64:x2"
 * doubles, "1..9:+2" adds two, "0.1..0.3:+0.1" is exact, too; a unit goes with both ends:
 * "10Gbps..80Gbps:x2".
 * @param spec where nothing varies there is one point without settings
 * @return points whose settings together name each key once
 * @throws InputError with all that is wrong: unknown or repeated keys, wrong or repeated values, bad ranges,
 *         zipped lists that differ in length, systems of the same name, too many points
 */
std::vector<GridPoint> ExpandGrid(const SweepSpec& spec);

} // namespace inca

#endif // INCA_SCENARIO_GRID_H
