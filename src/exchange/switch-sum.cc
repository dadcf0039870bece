/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/switch-sum.h"

#include "exchange/workers-plan.h"

namespace inca
{

namespace
{

class SwitchSum : public WorkersPlan
{
  public:
    using WorkersPlan::WorkersPlan;

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return 1;
    }

    Step At(Rank /*rank*/, std::uint32_t /*step*/) const override
    {
        Step step;
        step.networkSum = ElementRange{0, Elements()};
        return step;
    }
};

} // namespace

std::unique_ptr<StepPlan>
MakeSwitchSum(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<SwitchSum>(spec.workers, elements);
}

} // namespace inca
