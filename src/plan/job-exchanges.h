/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_JOB_EXCHANGES_H
#define INCA_PLAN_JOB_EXCHANGES_H

#include "inca/exchange/network-reduction.h"
#include "inca/exchange/shift-symmetry.h"
#include "inca/job/rank-values.h"
#include "inca/job/training-job.h"
#include "inca/plan/resolved.h"
#include "inca/plan/sketch-plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace inca
{

/**
 * Adds to @p job, which has its layers and settings, what is exchanged: buckets, the chunks they are
 * cut into, and the rounds of each.
 * @param hooks of the values of chunks that are not coded
 * @return the sketches, by chunk, or by shard of each; empty but for homomorphic compression
 * @throws InputError if a layer's density is needed and not known, or the chunks are too large or too many
 */
std::vector<PlannedSketch> AddExchanges(const Resolved& resolved,
                                        const ValueHooks& hooks,
                                        TrainingJob& job);

/**
 * How ranks of all exchanges of @p job do the same; a period of 0: they do not, or nothing is known.
 * @param alternates as ExchangeEntry::symmetry
 */
ShiftSymmetry SymmetryOf(const TrainingJob& job, bool alternates);

/** Whether its exchanges are in communicators of a program, of which no spec says anything. */
bool InCommunicators(const TrainingJob& job);

/** @return a round of each step plan, in the order of the chunks */
std::vector<const JobRound*> RoundsOfPlans(const TrainingJob& job);

/** Of a frame without payload between two workers, by a switch. (ps) */
std::int64_t RoundTripPs(const Scenario& scenario);

/** What a library has picked for the exchanges of an iteration: "ring (LL) 2, ring (Simple) 5". */
std::string PicksOf(const TrainingJob& job);

/** The sums that switches make for @p job in the last micro-batch of an iteration, in the whole run, or in one round. @{ */
ReductionCounts ReductionsOf(const TrainingJob& job);
ReductionCounts ReductionsOfRun(const TrainingJob& job);
ReductionCounts ReductionsOf(const TrainingJob& job, const JobRound& round);
/** @} */

} // namespace inca

#endif // INCA_PLAN_JOB_EXCHANGES_H
