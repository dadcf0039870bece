/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXPERIMENT_SIMULATION_H
#define INCA_EXPERIMENT_SIMULATION_H

#include "inca/experiment/job-run.h"
#include "inca/experiment/network-seen.h"
#include "inca/plan/plan.h"
#include "inca/record/timeline-request.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace inca
{

/** All that a run leaves behind. */
struct Outcome
{
    Plan plan;
    std::vector<JobOutcome> jobs; ///< as the plan has them
    std::vector<LinkRow> links;
    std::uint64_t simulatedFrames{0};     ///< of those on all links, one by one
    std::uint64_t retransmittedFrames{0}; ///< of all jobs
    std::uint64_t tiedFrames{0};          ///< of those that were simulated (PortCounters)
    std::uint64_t hostWireBytes{0};       ///< whole frames that hosts have sent

    /** Of the only job. */
    const JobOutcome& Job() const
    {
        return jobs.front();
    }
};

/** Called now and then with the share of the run's time that is over, as far as it is known then: 0..1. */
using ProgressSink = std::function<void(double share)>;

/**
 * Runs a plan: builds its cluster, lets ns-3 run, collects what was seen, and tears everything down again, so that the next run
 * in this process finds nothing of it.
 *
 * Two things keep a run short, and neither changes a result:
 * - *Fold*: the plan says which ranks are simulated (plan/plan.h); of each kind of rank that does the same there is one. What it
 *   has seen is counted for all (WholeLinks, FoldChoice::Representative). Should a frame be dropped, ranks may differ after
 *   all: then the run is done again with every rank. That is the only second run.
 * - *Steady state*: what the network repeats is skipped (experiment/steady-state.h).
 *
 * @param timeline to be written; null: none
 * @throws InputError for what ns-3 refuses, or if all ranks take too long to simulate; RunError if the run
 *         stands still, or the disk does not take its timeline; InvariantError if values or conserved
 *         quantities do not add up; Interrupted
 */
Outcome Simulate(const Plan& plan,
                 const ProgressSink& onProgress,
                 const TimelineRequest* timeline = nullptr);

} // namespace inca

#endif // INCA_EXPERIMENT_SIMULATION_H
