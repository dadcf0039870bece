/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_SWEEP_SWEEP_H
#define INCA_SWEEP_SWEEP_H

#include "record/run-record.h"
#include "scenario/scenario.h"
#include "sweep/run-pool.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace inca
{

/** One run of a sweep. */
struct SweepPoint
{
    std::vector<std::string> varied; ///< "key=value", in the order of the sweep
    Scenario scenario;
};

/** A sweep that is ready to run: every point and every trace was read and checked, but not together. */
struct SweepPlan
{
    std::vector<SweepPoint> points;
    std::vector<std::string> warnings; ///< keys that matter at no point, each once
};

/**
 * Makes a scenario for every point of its grid: what its file varies (ParseSweep), changed by the
 * command line (JoinSweeps). The file is read once, and so is each trace.
 * @param settings of --set, the same for all points; none of a key in @p vary
 * @param vary of --vary: see ExpandGrid
 * @throws InputError with every complaint of every point, each once; nothing has run then
 */
SweepPlan PlanSweep(const std::string& scenarioPath,
                    const std::vector<std::string>& settings,
                    const std::vector<std::string>& vary);

/**
 * Runs the points one after the other, in their order.
 * @param onRecord called after every run, before the next begins
 * @param onProgress told how far the sweep is
 * @throws what RunExperiment throws; an InputError names the point
 */
void RunSweep(const SweepPlan& plan,
              const std::function<void(const SweepPoint&, const RunRecord&)>& onRecord,
              const RunProgress& onProgress);

} // namespace inca

#endif // INCA_SWEEP_SWEEP_H
