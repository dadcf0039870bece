/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SPAWNED_RUN_H
#define INCA_SWEEP_SPAWNED_RUN_H

#include "sweep/run-process.h"

#include <memory>
#include <string>

namespace inca
{

/** The subcommand of a process that SpawnRun starts: `inca run-point PARENT`. */
constexpr const char* SPAWNED_RUN_COMMAND = "run-point";

/**
 * Runs a scenario in a process that is started afresh and knows nothing of MPI, which may not be split from
 * a process that uses it.
 * @param scenario as TOML (FormatScenario)
 * @throws RunError if there is no process to be had
 */
std::unique_ptr<RunProcess> SpawnRun(const std::string& scenario);

/**
 * What that process does: reads the scenario from stdin, and writes what TellRun does to stdout.
 * @param parent the process that has started it, with which it ends
 */
void ServeSpawnedRun(int parent);

} // namespace inca

#endif // INCA_SWEEP_SPAWNED_RUN_H
