/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_PLAN_H
#define INCA_PLAN_PLAN_H

#include "plan/fold-choice.h"
#include "plan/job-builder.h"
#include "plan/cost.h"
#include "plan/lower-bound.h"
#include "plan/network-speed.h"
#include "plan/train-choice.h"
#include "plan/warning.h"
#include "scenario/scenario.h"
#include "topology/topology-plan.h"

#include <memory>
#include <vector>

namespace inca
{

/** All that can be said of a run before its clock starts. */
struct Plan
{
    Scenario scenario; ///< resolved: its attributes are no key's
    PreparedJob prepared;
    TopologyPlan topology; ///< host i is rank i of the job
    FoldChoice fold;       ///< what of them is simulated
    TrainChoice trains;
    /** What that does: prepared.job, or Folded, or in miniature, and without values where these are replayed beside it. */
    std::shared_ptr<const TrainingJob> simulated;
    /**
     * Workers of an uneven ring that may stand for all, as this plan's do, to be tried in this order. Empty: none, or these do
     * without a trial.
     */
    std::vector<Rank> miniatures;
    NetworkSpeed network;
    Cost cost;
    LowerBound lowerBound;
    Warnings warnings;

    /** Every frame of every rank is simulated by itself, but for what repeats itself. */
    bool IsPacketLevel() const
    {
        return !fold.IsFolded() && trains.frames == 1;
    }

    /** Some ranks of an uneven ring stand for all: whether they do so well is to be seen. */
    bool IsMiniature() const
    {
        return fold.isUnevenRing && fold.IsFolded();
    }

    /** Workers have values, but frames do not carry them: they are replayed without a clock. */
    bool ReplaysValues() const
    {
        return prepared.job->HasValues() && !simulated->HasValues();
    }
};

} // namespace inca

#endif // INCA_PLAN_PLAN_H
