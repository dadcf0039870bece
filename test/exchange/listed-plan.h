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
        : m_elements(elements),
          m_steps(std::move(steps))
    {
    }

    Rank WorkerCount() const override
    {
        return static_cast<Rank>(m_steps.size());
    }

    Rank RankCount() const override
    {
        return WorkerCount();
    }

    std::uint64_t Elements() const override
    {
        return m_elements;
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
    std::uint64_t m_elements;
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
