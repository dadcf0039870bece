/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_ALL_TO_ALL_H
#define INCA_TEST_EXCHANGE_ALL_TO_ALL_H

#include "exchange/step-plan.h"

#include <cstdint>

namespace inca
{

/**
 * Transposes: each rank sends block j of its elements to rank j, which puts it where its own block for the sender was. Blocks
 * are equal; a rank's block for itself stays where it is.
 */
class AllToAll : public StepPlan
{
  public:
    AllToAll(Rank ranks, std::uint64_t elements)
        : StepPlan(ranks, 0, elements, Meaning::TRANSPOSE)
    {
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return 1;
    }

    Step At(Rank rank, std::uint32_t /*step*/) const override
    {
        Step step;
        for (Rank i = 1; i < RankCount(); ++i)
        {
            const auto peer = (rank + i) % RankCount();
            const auto block = BlockOf(Elements(), RankCount(), peer);
            Transfer swap{peer, block}; // what leaves it, and what comes for it
            swap.shift = static_cast<std::int64_t>(BlockOf(Elements(), RankCount(), rank).begin) -
                         static_cast<std::int64_t>(block.begin);
            step.sends.push_back(swap);
            step.receives.push_back(swap);
        }
        return step;
    }
};

} // namespace inca

#endif // INCA_TEST_EXCHANGE_ALL_TO_ALL_H
