/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_COST_H
#define INCA_PLAN_COST_H

#include "job/training-job.h"
#include "plan/fold-choice.h"
#include "scenario/scenario.h"

namespace inca
{

/** What it takes to simulate a run, before it begins: right to a factor of three or so. */
struct Cost
{
    double messages{0};     ///< that simulated ranks get, and layers that they compute
    double payloadBytes{0}; ///< of these messages, sums of switches included
    double frames{0};       ///< of data, that are simulated
    double valueSeconds{0}; ///< of the CPU time: values are moved, added, coded and compared
    double cpuSeconds{0};
    double memoryBytes{0};
};

/**
 * Whether the network may repeat itself, so that repetitions can be skipped (experiment/steady-state.h): not at packet level,
 * nor where frames are lost at random, or where values decide how large frames are.
 * @param job as frames carry it
 */
bool MayRepeat(const Scenario& scenario, const TrainingJob& job);

/**
 * One formula: the simulated frames times the links that each crosses, the messages and the values, times one constant
 * each. Some ranks and some steps are counted, and stand for all.
 * @param job with its values
 * @param simulated what frames do of it
 */
Cost SimulationCost(const Scenario& scenario,
                    const TrainingJob& job,
                    const TrainingJob& simulated,
                    const FoldChoice& fold);

/**
 * @throws InputError if a run takes more than simulation.max_cpu_time or simulation.max_memory; says what
 *         helps
 */
void RequireFeasible(const Scenario& scenario, const Cost& cost, const FoldChoice& fold);

} // namespace inca

#endif // INCA_PLAN_COST_H
