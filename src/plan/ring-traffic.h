/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RING_TRAFFIC_H
#define INCA_PLAN_RING_TRAFFIC_H

#include "exchange/exchange-spec.h"
#include "exchange/step-plan.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <vector>

namespace inca
{

/** How messages become frames of INCA's transport, without losses and engines. */
struct Framing
{
    std::uint64_t bytesPerElement{4};
    std::uint64_t payloadBytes{1460}; ///< of a frame, at most
    std::uint64_t ackFrames{16};      ///< each so many are acknowledged, and a message's last
};

Framing FramingOf(const Scenario& scenario, std::uint64_t bytesPerElement);

/** What messages of one way are. */
struct MessageTraffic
{
    std::uint64_t elements{0};
    std::uint64_t frames{0};
    std::uint64_t wireBytes{0};
    std::uint64_t acknowledgements{0}; ///< that come back

    /** Adds @p times messages. */
    void Add(std::uint64_t elementsOfEach, std::uint64_t times, const Framing& framing);
    void Add(const MessageTraffic& other, std::uint64_t times);
};

/** Of one rank, in one exchange. */
struct RankTraffic
{
    MessageTraffic sent;
    MessageTraffic received;

    void Add(const RankTraffic& other, std::uint64_t times);
};

/** Walks all steps of @p rank. */
RankTraffic WalkedTraffic(const StepPlan& plan, Rank rank, const Framing& framing);

/**
 * What each rank of a ring moves whose blocks may differ by a value: which blocks these are is counted in the
 * steps of the first rank, and others move blocks that are as much further as they are. Walks those once; each rank
 * then takes constant time per channel.
 */
class RingTraffic
{
  public:
    RingTraffic(ExchangeSpec spec, Framing framing);

    /** @param elements of the exchange */
    RankTraffic Of(Rank rank, std::uint64_t elements) const;

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
