/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_CLI_SWEEP_EXPLAIN_H
#define INCA_CLI_SWEEP_EXPLAIN_H

#include "sweep/points.h"

#include <string>

namespace inca
{

/**
 * The points of a sweep, and for each the command that gives its row, a line each: a script, with all that
 * is no command in its comments.
 */
std::string ExplainSweep(const SweepRequest& request, const SweepPlan& plan);

} // namespace inca

#endif // INCA_CLI_SWEEP_EXPLAIN_H
