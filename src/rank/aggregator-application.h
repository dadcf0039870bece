/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_AGGREGATOR_APPLICATION_H
#define INCA_RANK_AGGREGATOR_APPLICATION_H

#include "rank/rank-application.h"

namespace inca
{

/**
 * A rank that computes nothing of its own, an aggregator or a server: it adds what workers send it,
 * updates the weights if it is an aggregator, and sends them, or the sums, on.
 */
class AggregatorApplication : public RankApplication
{
  public:
    static ns3::TypeId GetTypeId();

    bool IsFinished() const override;
};

} // namespace inca

#endif // INCA_RANK_AGGREGATOR_APPLICATION_H
