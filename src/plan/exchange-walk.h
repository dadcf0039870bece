/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_EXCHANGE_WALK_H
#define INCA_PLAN_EXCHANGE_WALK_H

#include "job/training-job.h"
#include "plan/limited-time.h"
#include "plan/network-speed.h"
#include "plan/network-sum-bound.h"
#include "scenario/scenario.h"

#include <vector>

namespace inca
{

/**
 * Takes all ranks through the steps of an exchange's round, each as soon as it can if messages are in
 * nobody's way: by rank, when it begins, then when it has ended, at the earliest. A rank does its
 * steps one after the other, as RoundRunner does; a step sends one message after the other, what it
 * receives shares the rank's link, engine and host, and it codes and adds one after the other. Ranks
 * that alternate (host.duplex) send and receive in turn, each receive begun by a grant. Strands of a plan
 * are in each other's way only in that they share what receives.
 */
class ExchangeWalk
{
  public:
    /** All must outlive it. @param sums of switches; null where none adds */
    ExchangeWalk(const Scenario& scenario,
                 const TrainingJob& job,
                 const NetworkSpeed& network,
                 const NetworkSumTimes* sums);

    /** One round of @p chunk's exchange. @param times of the first ranks, which stand for all, changed from begin to end */
    void Pass(const JobChunk& chunk, const JobRound& round, std::vector<LimitedTime>& times) const;

  private:
    const Scenario& m_scenario;
    const TrainingJob& m_job;
    const NetworkSpeed& m_network;
    const NetworkSumTimes* m_sums;
};

} // namespace inca

#endif // INCA_PLAN_EXCHANGE_WALK_H
