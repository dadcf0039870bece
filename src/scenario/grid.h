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

/** More keys than this can only vary by a value each. */
constexpr std::size_t g_mostVariedKeys = 100;

/** A setting that varies: "key=values" of a whole sweep, or "key=value" of one of its points. */
struct Varied
{
    std::string text;
    std::string origin{"--vary"}; ///< what complaints call it: an option, or a place in a file
};

/**
 * The points of a sweep: every combination of the varied keys' values, the last key varying
 * fastest. Values are lists ("ring,worker-aggregator") or ranges that end at or below their last
 * value: "2..64:x2" doubles, "1..9:+2" adds two, "0.1..0.3:+0.1" is exact, too; a unit goes with
 * both ends: "10Gbps..80Gbps:x2".
 * @param vary "key=values" each; {} gives one point without settings
 * @return per point the settings of ReadScenario, one for each key, with the key's origin
 * @throws InputError with all that is wrong: unknown or repeated keys, repeated values, bad ranges, too many points
 */
std::vector<std::vector<Varied>> ExpandGrid(const std::vector<Varied>& vary);

/**
 * A file's sweep as a command line changes it: a key that @p vary has, too, takes its values instead,
 * the other keys of @p vary come last (and so vary fastest), and a key that @p settings fix does not
 * vary.
 * @param settings "key=value" each, as of --set
 */
std::vector<Varied> JoinSweeps(const std::vector<Varied>& ofFile,
                               const std::vector<Varied>& vary,
                               const std::vector<std::string>& settings);

} // namespace inca

#endif // INCA_SCENARIO_GRID_H
