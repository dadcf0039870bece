/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_PLAN_H
#define INCA_PLAN_PLAN_H

#include "plan/cost.h"
#include "plan/fold-choice.h"
#include "plan/job-builder.h"
#include "plan/lower-bound.h"
#include "plan/network-speed.h"
#include "plan/warning.h"
#include "scenario/scenario.h"
#include "topology/topology-plan.h"

#include <memory>
#include <vector>

namespace inca
{

/** One training job of a plan. */
struct PlannedJob
{
    PreparedJob prepared;
    /** What its simulated ranks do: prepared.job, folded, and without values where these are replayed beside it. */
    std::shared_ptr<const TrainingJob> simulated;

    /** Workers have values, but frames do not carry them: they are replayed without a clock. */
    bool ReplaysValues() const
    {
        return prepared.job->HasValues() && !simulated->HasValues();
    }
};

/** All that can be said of a run before its clock starts. Nobody changes it once it is made. */
struct Plan
{
    Scenario scenario;            ///< resolved: its attributes are no key's
    std::vector<PlannedJob> jobs; ///< that share the network: one
    TopologyPlan topology;        ///< host i is rank i of the job
    FoldChoice fold;              ///< which ranks are simulated for all
    NetworkSpeed network;
    Cost cost;
    LowerBound lowerBound;
    Warnings warnings;

    /** The only job. @{ */
    const PlannedJob& Job() const
    {
        return jobs.front();
    }

    PlannedJob& Job()
    {
        return jobs.front();
    }

    /** @} */
};

} // namespace inca

#endif // INCA_PLAN_PLAN_H
