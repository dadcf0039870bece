/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/step-plans.h"

#include "exchange/exchange-catalog.h"
#include "scenario/specs.h"

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
        plan = MakeStepPlan(m_spec, words);
    }
    return plan;
}

std::uint64_t
ExchangedElements(const Scenario& scenario, std::uint64_t count)
{
    const std::uint64_t workers = scenario.cluster.workers;
    return IsSharded(scenario) ? (count + workers - 1) / workers * workers : count;
}

} // namespace inca
