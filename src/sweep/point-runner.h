/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_POINT_RUNNER_H
#define INCA_SWEEP_POINT_RUNNER_H

#include "record/run-record.h"
#include "scenario/scenario.h"

#include <functional>
#include <optional>
#include <string>

namespace inca
{

/** What became of one run: a record, or why there is none. */
struct PointOutcome
{
    std::optional<RunRecord> record;
    std::string refusal; ///< one line; empty if there is a record
};

/**
 * Runs a scenario, and says what became of it: whether it was refused, or could not finish.
 * @throws Interrupted; InvariantError
 */
using PointRunner = std::function<PointOutcome(const Scenario&)>;

/** Runs it in this process. */
PointOutcome RunPoint(const Scenario& scenario);

} // namespace inca

#endif // INCA_SWEEP_POINT_RUNNER_H
