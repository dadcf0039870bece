/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RING_TRAFFIC_H
#define INCA_PLAN_RING_TRAFFIC_H

#include "exchange/exchange-spec.h"
#include "plan/rank-frames.h"

#include <cstdint>
#include <vector>

namespace inca
{

/**
 * What each rank of a ring moves whose blocks may differ by a value: which blocks these are is counted in the
 * steps of the first rank, and others move blocks that are as much further as they are. Walks those once; each rank
 * then takes constant time per channel.
 */
class RingTraffic : public UnevenTraffic
{
  public:
    RingTraffic(ExchangeSpec spec, Framing framing);

    RankFrames Of(Rank rank, std::uint64_t elements) const override;

  private:
    MessageTraffic Messages(const std::vector<std::uint64_t>& visits,
                            Rank rank,
                            std::uint64_t elements) const;

    ExchangeSpec m_spec;
    Framing m_framing;
    // -- how often the first rank moves each block, added up from block 0 on, twice round: entry i is of the first i
    std::vector<std::uint64_t> m_sent;
    std::vector<std::uint64_t> m_received;
};

} // namespace inca

#endif // INCA_PLAN_RING_TRAFFIC_H
