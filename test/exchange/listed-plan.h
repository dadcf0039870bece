/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_EXCHANGE_LISTED_PLAN_H
#define INCA_TEST_EXCHANGE_LISTED_PLAN_H

#include "exchange/step-plan.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace inca
{

/** Steps as a test lists them, by rank; all ranks are workers. */
class ListedPlan : public StepPlan
{
  public:
    ListedPlan(std::uint64_t elements, std::vector<std::vector<Step>> steps)
        : StepPlan(static_cast<Rank>(steps.size()), 0, elements),
          m_steps(std::move(steps))
    {
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        return static_cast<std::uint32_t>(m_steps[rank].size());
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        return m_steps[rank][step];
    }

  private:
    std::vector<std::vector<Step>> m_steps;
};

/** A step in which the network adds. */
inline Step
SumOf(ElementRange range)
{
    Step step;
    step.reduction = range;
    return step;
}

} // namespace inca

#endif // INCA_TEST_EXCHANGE_LISTED_PLAN_H
