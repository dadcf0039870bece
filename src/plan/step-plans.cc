/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/step-plans.h"

#include "exchange/exchange-catalog.h"

#include <utility>

namespace inca
{

StepPlans::StepPlans(ExchangeSpec spec)
    : m_spec(std::move(spec))
{
}

std::shared_ptr<const StepPlan>
StepPlans::Of(std::uint64_t words)
{
    auto& plan = m_plans[words];
    if (!plan)
    {
        plan = MakeStepPlan(m_spec, PaddedElements(m_spec, words));
    }
    return plan;
}

} // namespace inca
