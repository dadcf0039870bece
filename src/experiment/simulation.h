/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SIMULATION_H
#define INCA_EXPERIMENT_SIMULATION_H

#include "experiment/links-seen.h"
#include "experiment/recorder.h"
#include "experiment/sketch-results.h"
#include "job/breakdown.h"
#include "job/verifier.h"
#include "plan/plan.h"
#include "record/run-record.h"
#include "record/timeline-request.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inca
{

/** All that a run leaves behind. */
struct Outcome
{
    Plan plan;
    std::unique_ptr<Recorder> seen;
    std::vector<LinkSeen> links;
    std::uint64_t simulatedFrames{0}; ///< of those on all links, one by one
    std::uint64_t framesInTrains{0};  ///< simulated, several at once
    std::vector<SwitchRow> switches;  ///< those that add
    std::uint64_t retransmittedFrames{0};
    std::uint64_t timeouts{0};      ///< that struck in transports
    std::uint64_t clampedValues{0}; ///< did not fit the scale of what switches add
    std::uint64_t hostWireBytes{0}; ///< whole frames that hosts have sent
    Rank lastWorker{0};             ///< ended its last update last; the lowest on a tie
    /** By simulated worker, after its last backward pass. */
    std::vector<std::vector<Span>> communication;
    Breakdown breakdown;             ///< of that worker, from the end of the warm-up on
    std::optional<SumErrors> errors; ///< where workers have values
    std::uint64_t comparedValues{0};
};

/** What decoding coded chunks found; empty when only sizes travelled. */
std::optional<CountedValues> CountedPerIteration(const Outcome& outcome);

/** Called now and then with the share of the run that is done, 0..1. */
using ProgressSink = std::function<void(double share)>;

/**
 * Plans a scenario, builds its cluster, runs it and tears everything down again, so that the next run in
 * this process finds nothing of it.
 * @param timeline to be written; null: none
 * @throws InputError for what the scenario asks and its trace or ns-3 refuses; RunError if the run
 *         stands still, or the disk does not take its timeline; InvariantError if values or conserved
 *         quantities do not add up; Interrupted
 */
Outcome Simulate(const Scenario& scenario,
                 const ProgressSink& onProgress,
                 const TimelineRequest* timeline = nullptr);

} // namespace inca

#endif // INCA_EXPERIMENT_SIMULATION_H
