/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_BENCH_TIMED_RECORD_H
#define INCA_TEST_BENCH_TIMED_RECORD_H

#include "experiment/run-experiment.h"
#include "record/precision.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <optional>

namespace inca
{

/** What a run found, and the CPU time that it took. */
struct TimedRecord
{
    RunRecord record;
    double seconds{0};
};

inline TimedRecord
RunTimed(Scenario scenario, const std::string& mode)
{
    scenario.simulation.mode = mode;
    const auto begin = std::clock();
    TimedRecord run{RunExperiment(scenario, {})};
    run.seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    return run;
}

/** Of the iteration time, the communication time and the exchange time; a share. */
inline double
LargestError(const Precision& precision)
{
    return std::max(
        {precision.iterationError, precision.communicationError, precision.exchangeError});
}

} // namespace inca

#endif // INCA_TEST_BENCH_TIMED_RECORD_H
