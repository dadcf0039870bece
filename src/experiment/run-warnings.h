/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_RUN_WARNINGS_H
#define INCA_EXPERIMENT_RUN_WARNINGS_H

#include "experiment/simulation.h"
#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace inca
{

/**
 * What the user should know of a run beside its figures: frames dropped, a window that cannot fill
 * the fastest link, keys that turned out to change nothing with this trace, and what its sizes or
 * values stand on.
 */
std::vector<std::string> RunWarnings(const Scenario& scenario, const Outcome& outcome);

} // namespace inca

#endif // INCA_EXPERIMENT_RUN_WARNINGS_H
