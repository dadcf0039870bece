/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_RUN_EXPERIMENT_H
#define INCA_EXPERIMENT_RUN_EXPERIMENT_H

#include "record/run-record.h"
#include "record/timeline-request.h"
#include "scenario/scenario.h"

#include <functional>

namespace inca
{

/**
 * One run, from scenario to record. The same scenario gives the same record, whatever ran in this
 * process before.
 * @param onProgress called now and then with the share of the run that is done, 0..1; may be empty
 * @throws InputError, RunError, InvariantError or Interrupted, as Simulate does
 */
RunRecord RunExperiment(const Scenario& scenario,
                        const std::function<void(double share)>& onProgress);

/** The same; writes its timeline, too, which changes nothing of the record. @param timeline null: none */
RunRecord RunWithTimeline(const Scenario& scenario,
                          const std::function<void(double share)>& onProgress,
                          const TimelineRequest* timeline);

} // namespace inca

#endif // INCA_EXPERIMENT_RUN_EXPERIMENT_H
