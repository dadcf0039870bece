/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_SERVER_TRAFFIC_H
#define INCA_PLAN_SERVER_TRAFFIC_H

#include "plan/rank-frames.h"

#include <cstdint>

namespace inca
{

/**
 * What workers, and as many servers, move whose blocks may differ by a value: a worker sends each server its block
 * and gets its sum, so that a server moves its block once for each worker.
 */
class ServerTraffic : public UnevenTraffic
{
  public:
    /** @param workers ranks 0 .. workers-1; ranks workers .. 2 workers-1 are servers */
    ServerTraffic(Rank workers, const Framing& framing);

    RankFrames Of(Rank rank, std::uint64_t elements) const override;

  private:
    Rank m_workers;
    Framing m_framing;
};

} // namespace inca

#endif // INCA_PLAN_SERVER_TRAFFIC_H
