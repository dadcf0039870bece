/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/switch-sum.h"

namespace inca
{

namespace
{

class SwitchSum : public StepPlan
{
  public:
    SwitchSum(Rank workers, std::uint64_t elements)
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

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return 1;
    }

    Step At(Rank /*rank*/, std::uint32_t /*step*/) const override
    {
        Step step;
        step.networkSum = ElementRange{0, m_elements};
        return step;
    }

  private:
    Rank m_workers;
    std::uint64_t m_elements;
};

} // namespace

std::unique_ptr<StepPlan>
MakeSwitchSum(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<SwitchSum>(spec.workers, elements);
}

} // namespace inca
