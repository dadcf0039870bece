/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_SUM_COST_H
#define INCA_PLAN_SUM_COST_H

#include "exchange/aggregation-scheme.h"
#include "exchange/network-reduction.h"
#include "job/training-job.h"
#include "plan/bound-time.h"
#include "plan/network-speed.h"
#include "scenario/scenario.h"

#include <memory>

namespace inca
{

/** What sums of switches take at least. */
class SumCost
{
  public:
    /** Both must outlive it. */
    SumCost(const Scenario& scenario, const NetworkSpeed& network);

    /** The longest of hosts, links, trunks, adders and slots for @p sums in any order, from the first worker's begin. */
    BoundTime Of(const ReductionCounts& sums) const;

  private:
    BoundTime OnHosts(double frames, double bytes) const;
    BoundTime Trip(double wireBytes, double payloadBytes, std::uint32_t levelsDown) const;
    BoundTime Slots(const ReductionCounts& sums) const;

    const Scenario& m_scenario;
    const NetworkSpeed& m_network;
    std::unique_ptr<AggregationScheme> m_scheme;
    std::uint64_t m_slowestLink; ///< of a worker (bits per second)
    std::uint64_t m_fastestLink;
};

/** The sums that switches make for @p job in an iteration, or in one round. @{ */
ReductionCounts ReductionsOf(const TrainingJob& job);
ReductionCounts ReductionsOf(const TrainingJob& job, const JobRound& round);
/** @} */

} // namespace inca

#endif // INCA_PLAN_SUM_COST_H
