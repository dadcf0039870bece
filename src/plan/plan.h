/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_PLAN_H
#define INCA_PLAN_PLAN_H

#include "inca/plan/fold-choice.h"
#include "inca/plan/job-builder.h"
#include "inca/plan/resolved.h"
#include "inca/plan/warning.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace inca
{

/** What it takes to simulate a run, before it begins: mostly right to a factor of two (plan/cost.h). */
struct Cost
{
    double messages{0};     ///< that simulated ranks get, and layers that they compute
    double payloadBytes{0}; ///< of these messages, sums of switches included
    double frames{0};       ///< of data, that are simulated
    double valueSeconds{0}; ///< of the CPU time: values are moved, added, coded and compared
    double cpuSeconds{0};
    double searchSeconds{0}; ///< of the CPU time: its buckets are looked for (exchange.cycle_time)
    double memoryBytes{0};
};

/** About the least time of an iteration, in the mean (plan/lower-bound.h). */
struct LowerBound
{
    std::int64_t iterationPs{0};
    bool isProven{false}; ///< no iteration can be faster, in the mean; else one may be a little
};

/** One training job of a plan. */
struct PlannedJob : PreparedJob
{
    FoldChoice fold; ///< which ranks are simulated for all
    /** What its simulated ranks do: the job, folded, and without values where these are replayed beside it. */
    std::shared_ptr<const TrainingJob> simulated;
    /**
     * The network may repeat itself, so that repetitions can be skipped (experiment/steady-state.h): not at packet level, nor
     * where frames are lost at random, or where values decide how large frames are.
     */
    bool mayRepeat{false};
    LowerBound alone{}; ///< as if no other job shared its network

    /** Workers have values, but frames do not carry them: they are replayed without a clock. */
    bool ReplaysValues() const
    {
        return job->HasValues() && !simulated->HasValues();
    }
};

/**
 * All that can be said of a run before its clock starts. It is made once, and never changed: WithoutFold
 * makes another one.
 *
 * A plan says which ranks are simulated. In most exchanges many ranks do the same, each with its own neighbours: rank r
 * of a ring sends to rank r + 1 what rank 0 sends to rank 1, at the same time. Simulating one of them is enough then; it
 * stands for all the others. That is a *fold*. It takes three things: an exchange that looks the same from each of these
 * ranks (ExchangeEntry::symmetry), a network that does so, too (topology/fold.h), and nothing that sets a rank apart,
 * such as lost frames, random compute times, or values of its own in its frames. The simulated rank sends to itself what
 * it would have sent to its neighbour, and each result is counted as often as it would have occurred. Times are the
 * same, to the picosecond; where they may not be, FoldChoice::exact says so.
 *
 * The other way not to simulate everything needs no plan: experiment/steady-state.h.
 */
struct Plan
{
    std::vector<PlannedJob> jobs; ///< that share the network; they say the same of it
    Cost cost;
    Warnings warnings;
    /** By a preset whose range can be told: the same with each of its explanations (preset-range.h); cost is of all. */
    std::vector<Plan> explained;

    /** The only job, or the first. */
    const PlannedJob& Job() const
    {
        return jobs.front();
    }

    /** Its settings; those of the network are all jobs'. */
    const Resolved& Settings() const
    {
        return *jobs.front().resolved;
    }
};

} // namespace inca

#endif // INCA_PLAN_PLAN_H
