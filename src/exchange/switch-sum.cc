/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/switch-sum.h"

#include "exchange/workers-plan.h"

#include <vector>

namespace inca
{

namespace
{

class SwitchSum : public WorkersPlan
{
  public:
    SwitchSum(const ExchangeSpec& spec, std::uint64_t elements)
        : WorkersPlan(spec.workers, elements),
          m_steps(StepsOf(spec))
    {
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return static_cast<std::uint32_t>(m_steps.size());
    }

    Step At(Rank /*rank*/, std::uint32_t index) const override
    {
        Step step;
        step.reduction = ElementRange{0, Elements()};
        step.phase = m_steps[index];
        step.update = step.phase == SumPhase::REDUCE_SCATTER;
        return step;
    }

  private:
    static std::vector<SumPhase> StepsOf(const ExchangeSpec& spec)
    {
        const bool isOne = !spec.sharded || spec.phase != SumPhase::ALL_REDUCE;
        return isOne ? std::vector<SumPhase>{spec.phase}
                     : std::vector<SumPhase>{SumPhase::REDUCE_SCATTER, SumPhase::ALL_GATHER};
    }

    std::vector<SumPhase> m_steps;
};

} // namespace

std::unique_ptr<StepPlan>
MakeSwitchSum(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<SwitchSum>(spec, elements);
}

} // namespace inca
