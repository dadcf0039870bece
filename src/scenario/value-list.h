/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_VALUE_LIST_H
#define INCA_SCENARIO_VALUE_LIST_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace inca
{

/**
 * What stands between commas; a range stands for several: "2..8:x2,100" is 2, 4, 8 and 100.
 * @param most the list ends soon after so many values: a few more than that are too many
 * @throws UnitError if a range has no step, units that differ, or never gets to its end
 */
std::vector<std::string> ParseValues(std::string_view text, std::size_t most);

} // namespace inca

#endif // INCA_SCENARIO_VALUE_LIST_H
