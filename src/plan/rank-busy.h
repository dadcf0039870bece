/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RANK_BUSY_H
#define INCA_PLAN_RANK_BUSY_H

#include "exchange/rank-load.h"
#include "exchange/shift-symmetry.h"
#include "job/training-job.h"
#include "plan/message-cost.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"

#include <map>
#include <utility>
#include <vector>

namespace inca
{

/** How long the parts of ranks, and trunks, work for exchanges, without a pause. */
class RankBusy
{
  public:
    /** All must outlive it. @param symmetry of the exchange, for hosts that do not alternate */
    RankBusy(const Scenario& scenario,
             const TrainingJob& job,
             const NetworkSpeed& network,
             const MessageCost& cost,
             const ShiftSymmetry& symmetry);

    /** For one chunk's exchange, in all its rounds. Where hosts alternate, what they send counts with what they receive. */
    BusyTimes Of(const JobChunk& chunk, Rank rank);

    /** Workers among which there is one for each kind, or some of very many; not all: IsComplete is false. @{ */
    std::vector<Rank> Workers() const;
    bool IsComplete() const;
    /** @} */

    /**
     * Of the busiest switch's trunks, if they shared evenly what its hosts send to others', and get, in one chunk's
     * exchange; nothing where that has too many messages to look at each.
     */
    double TrunkPs(const JobChunk& chunk);

  private:
    const RankLoad& LoadOn(const StepPlan& plan, Rank rank);
    bool IsAlike() const;
    double TrunkPs(const JobChunk& chunk, const StepPlan& plan) const;

    const Scenario& m_scenario;
    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    const MessageCost& m_cost;
    ShiftSymmetry m_symmetry;
    std::map<std::pair<const StepPlan*, Rank>, RankLoad> m_loads;
    std::map<std::pair<const StepPlan*, double>, double>
        m_trunkPs; ///< by plan and bits of an element
};

} // namespace inca

#endif // INCA_PLAN_RANK_BUSY_H
