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
    /** What that does: prepared.job, or Folded, and without values where these are replayed beside it. */
    std::shared_ptr<const TrainingJob> simulated;
    NetworkSpeed network;
    Cost cost;
    LowerBound lowerBound;
    Warnings warnings;

    /** Workers have values, but frames do not carry them: they are replayed without a clock. */
    bool ReplaysValues() const
    {
        return prepared.job->HasValues() && !simulated->HasValues();
    }
};

} // namespace inca

#endif // INCA_PLAN_PLAN_H
