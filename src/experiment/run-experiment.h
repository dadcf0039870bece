/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_RUN_EXPERIMENT_H
#define INCA_EXPERIMENT_RUN_EXPERIMENT_H

#include "inca/record/run-record.h"
#include "inca/record/timeline-request.h"
#include "inca/scenario/scenario.h"

#include <functional>

namespace inca
{

/**
 * One run, from scenario to record. The same scenario gives the same record, whatever ran in this
 * process before.
 * @param onProgress called now and then with the share of the run that is done, 0..1; may be empty
 * @param timeline to be written, too, which changes nothing of the record; null: none
 * @throws InputError, RunError, InvariantError or Interrupted, as Simulate does
 */
RunRecord RunExperiment(const Scenario& scenario,
                        const std::function<void(double share)>& onProgress,
                        const TimelineRequest* timeline = nullptr);

} // namespace inca

#endif // INCA_EXPERIMENT_RUN_EXPERIMENT_H
