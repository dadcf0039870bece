/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_RANK_VALUES_H
#define INCA_EXCHANGE_RANK_VALUES_H

#include "exchange/program.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace inca
{

/** What an exchange does to values on their way; both work in place on @p count values. */
struct ValueHooks
{
    /** The sum is rounded to the format in which it is kept (a codec's RoundSum). Empty: fp32. */
    std::function<void(float* values, std::uint64_t count)> roundSum;
    /** What an owner keeps of a finished sum (`ring.owner_copy = "coded"`: decode(encode(sum))). Empty: exact. */
    std::function<void(float* values, std::uint64_t count)> keepOwned;
};

/**
 * The values that one rank holds during one exchange, and what a step does to them. It knows no
 * clock: the simulated rank and the replay without a clock both use it. Memory is taken when
 * values are first written, block by block, and a worker's own gradient is asked for when needed.
 */
class RankValues
{
  public:
    /** Writes this rank's own gradient of @p range; never called on an aggregator. */
    using OwnGradient = std::function<void(ElementRange range, float* out)>;

    /** @param window the elements of the exchange that are held; outside of it nothing is asked for */
    RankValues(ElementRange window, OwnGradient own, ValueHooks hooks);

    /** Writes the present values of @p range, which lies in the window. */
    void Read(ElementRange range, float* out) const;

    /**
     * Combines what @p step received.
     * @param received one array per entry of step.receives, each of that entry's range (clipped to
     *        the window by the caller), in the same order
     */
    void Receive(const Step& step, const std::vector<const float*>& received);

  private:
    ElementRange m_window;
    OwnGradient m_own;
    ValueHooks m_hooks;
};

} // namespace inca

#endif // INCA_EXCHANGE_RANK_VALUES_H
