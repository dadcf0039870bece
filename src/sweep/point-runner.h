/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_POINT_RUNNER_H
#define INCA_SWEEP_POINT_RUNNER_H

#include "record/run-record.h"
#include "scenario/scenario.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** What became of one run: a record, or why there is none. */
struct PointOutcome
{
    std::optional<RunRecord> record;
    std::string refusal; ///< one line; empty if there is a record
};

/**
 * Runs scenarios, and says of each what became of it, in their order. A scenario that is refused, or that
 * cannot finish, does not keep the others from running.
 * @throws Interrupted; InvariantError
 */
using PointRunner = std::function<std::vector<PointOutcome>(const std::vector<Scenario>&)>;

/** Runs them in this process, one after the other. */
std::vector<PointOutcome> RunPoints(const std::vector<Scenario>& scenarios);

/** The same, and after each of them calls @p onRun with how many it has run, all calls together. */
PointRunner TellingRunner(std::function<void(std::size_t runs)> onRun);

/** @return the first line of what an error says, which may have many */
std::string FirstLine(const std::string& text);

} // namespace inca

#endif // INCA_SWEEP_POINT_RUNNER_H
