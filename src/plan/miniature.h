/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_MINIATURE_H
#define INCA_PLAN_MINIATURE_H

#include "job/breakdown.h"
#include "plan/plan.h"

#include <memory>
#include <vector>

namespace inca
{

/**
 * A ring whose blocks differ by a value, in miniature. Its workers do not stay in step: whoever passes on the
 * larger blocks falls behind, acknowledgements then come between its frames, and how far each is behind goes round the
 * ring with the blocks. Some workers, the last one being the first one's neighbour, have that as all have, and each
 * stands for those that are a multiple of so many further (MakeRing). Only the run shows whether they are enough, but in
 * a lone exchange, which all begin in step.
 */

/**
 * How many workers may stand for all, to be tried in this order: 8, 32, .. and at most a quarter, so that one that was
 * tried in vain costs little. In a lone exchange a 16th of all, and at least 8: the more there are, the longer it takes until the
 * last one is out of step, and few are sooner than many. Empty where @p whole, which simulates all, is no
 * uneven ring, or takes no more than about a second, and is no lone exchange, or where none may be (MayBeInMiniature), or an acknowledgement is
 * more than a tenth of a message.
 */
std::vector<Rank> MiniaturesOf(const Scenario& scenario,
                               const TrainingJob& job,
                               const FoldChoice& whole,
                               const Cost& cost);

/**
 * Where one worker is ahead of the one before it, it waits for that one's sums. In a lone exchange there is one such place, which
 * goes round the ring; it comes to each of few more often than to each of all.
 */
WaitShare WaitsOf(const Scenario& scenario, const TrainingJob& job, const FoldChoice& fold);

/**
 * Ranks 0 .. @p standIns-1 stand for all ranks of an uneven ring over the one switch of @p topology.
 * @param standIns at most half of the ranks; 1: a ring in step, all blocks of which are the larger ones
 */
FoldChoice FoldInMiniature(const TopologyPlan& topology, Rank ranks, Rank standIns);

/**
 * What one rank does for all, if all blocks are as small as the smallest: who passes on larger blocks, too, takes no less.
 * (Larger blocks alone would be no bound: a worker that has passed them on begins the next exchange with another.)
 */
std::shared_ptr<const TrainingJob> JobOfSmallest(const Scenario& scenario, const TrainingJob& job);

/** The job that they do. */
std::shared_ptr<const TrainingJob> JobInMiniature(const Scenario& scenario,
                                                  const TrainingJob& job,
                                                  Rank standIns);

} // namespace inca

#endif // INCA_PLAN_MINIATURE_H
