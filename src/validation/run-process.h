/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_VALIDATION_RUN_PROCESS_H
#define INCA_VALIDATION_RUN_PROCESS_H

#include "scenario/scenario.h"
#include "validation/measured-run.h"
#include "validation/validation-request.h"

#include <memory>
#include <vector>

namespace inca
{

/** One run in a process of its own. The process ends with its owner, if it has not before. */
class RunProcess
{
  public:
    virtual ~RunProcess() = default;

    /** What can be read from while it runs: WaitForOutput looks at it. */
    virtual int Descriptor() const = 0;

    /** Takes in what it has written; never waits. @return whether that was all */
    virtual bool HasEnded() = 0;

    /**
     * Called once, when it has ended.
     * @throws InputError, InvariantError or Interrupted as the run has thrown it; RunError for
     *         all else, and if the process died
     */
    virtual MeasuredRun Result(const Scenario& scenario) = 0;
};

/** @throws RunError if there is no process to be had */
std::unique_ptr<RunProcess> StartRun(const Scenario& scenario, const ScenarioRunner& run);

/** Waits until one of them has something to read, or a signal comes. @param processes at least one */
void WaitForOutput(const std::vector<RunProcess*>& processes);

} // namespace inca

#endif // INCA_VALIDATION_RUN_PROCESS_H
