/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_PLAN_STEP_PLANS_H
#define INCA_PLAN_STEP_PLANS_H

#include "exchange/exchange-spec.h"
#include "exchange/step-plan.h"

#include <cstdint>
#include <map>
#include <memory>

namespace inca
{

/** Step plans depend on the number of words only, so rounds of one size share one. */
class StepPlans
{
  public:
    explicit StepPlans(ExchangeSpec spec);

    /** Of equal blocks: padded. @throws InputError as MakeStepPlan does */
    std::shared_ptr<const StepPlan> Of(std::uint64_t words);

  private:
    ExchangeSpec m_spec;
    std::map<std::uint64_t, std::shared_ptr<const StepPlan>> m_plans;
};

} // namespace inca

#endif // INCA_PLAN_STEP_PLANS_H
