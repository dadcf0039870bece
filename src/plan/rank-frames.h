/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_RANK_FRAMES_H
#define INCA_PLAN_RANK_FRAMES_H

#include "exchange/step-plan.h"
#include "scenario/scenario.h"

#include <cstdint>

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
struct RankFrames
{
    MessageTraffic sent;
    MessageTraffic received;

    void Add(const RankFrames& other, std::uint64_t times);
};

/** Walks all steps of @p rank. */
RankFrames WalkedFrames(const StepPlan& plan, Rank rank, const Framing& framing);

/** What each rank of an exchange moves whose blocks may differ by a value. */
class UnevenTraffic
{
  public:
    virtual ~UnevenTraffic() = default;

    /** @param elements of the exchange */
    virtual RankFrames Of(Rank rank, std::uint64_t elements) const = 0;
};

} // namespace inca

#endif // INCA_PLAN_RANK_FRAMES_H
