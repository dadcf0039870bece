/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SCENARIO_CHECKS_H
#define INCA_SCENARIO_CHECKS_H

#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace inca
{

/** What is wrong with one key because of others, or because it is missing. */
struct WholeComplaint
{
    std::string key;  ///< dotted
    std::string text; ///< what would be right
    /** Keys that it follows from, too: without them, or if one of them was refused, it says nothing. */
    std::vector<std::string> others;
};

/**
 * What keys contradict each other or are missing; each field by itself is in its range already.
 * @return {} = ready to run, as far as can be said without reading its trace
 */
std::vector<WholeComplaint> Complaints(const Scenario& scenario);

} // namespace inca

#endif // INCA_SCENARIO_CHECKS_H
