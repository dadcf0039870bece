/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_LOADED_SCENARIO_H
#define INCA_SCENARIO_LOADED_SCENARIO_H

#include "scenario/scenario.h"

#include <set>
#include <string>
#include <vector>

namespace inca
{

/** A scenario, and what its reader should tell the user. */
struct LoadedScenario
{
    Scenario scenario;
    /** With their places: keys that are set but cannot matter, and files that are in two places. */
    std::vector<std::string> warnings;
    std::vector<std::string> idleKeys;     ///< whom each of the warnings is about
    std::vector<std::string> complaints{}; ///< why it is refused; {} = it is not (TryScenario)
    std::set<std::string> givenKeys{};     ///< dotted names of all that is set, whatever to
};

} // namespace inca

#endif // INCA_SCENARIO_LOADED_SCENARIO_H
