/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_WORKERS_PLAN_H
#define INCA_EXCHANGE_WORKERS_PLAN_H

#include "exchange/step-plan.h"

#include <cstdint>

namespace inca
{

/** A plan in which nobody but workers takes part. */
class WorkersPlan : public StepPlan
{
  public:
    WorkersPlan(Rank workers, std::uint64_t elements)
        : m_workers(workers),
          m_elements(elements)
    {
    }

    Rank WorkerCount() const override
    {
        return m_workers;
    }

    Rank RankCount() const override
    {
        return m_workers;
    }

    std::uint64_t Elements() const override
    {
        return m_elements;
    }

  private:
    Rank m_workers;
    std::uint64_t m_elements;
};

} // namespace inca

#endif // INCA_EXCHANGE_WORKERS_PLAN_H
