/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/plan-in-turn.h"

#include "exchange/shift-symmetry.h"

#include <utility>

namespace inca
{

namespace
{

class InTurnPlan : public StepPlan
{
  public:
    InTurnPlan(std::shared_ptr<const StepPlan> plan, Rank rows)
        : m_plan(std::move(plan)),
          m_rows(rows)
    {
    }

    Rank WorkerCount() const override
    {
        return m_plan->WorkerCount();
    }

    Rank RankCount() const override
    {
        return m_plan->RankCount();
    }

    std::uint64_t Elements() const override
    {
        return m_plan->Elements();
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        return m_plan->StepCount(RankInTurn(rank, RankCount(), m_rows));
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        auto taken = m_plan->At(RankInTurn(rank, RankCount(), m_rows), step);
        for (auto* transfers : {&taken.sends, &taken.receives})
        {
            for (auto& transfer : *transfers)
            {
                transfer.peer = InTurn(transfer.peer, RankCount(), m_rows);
            }
        }
        return taken;
    }

  private:
    std::shared_ptr<const StepPlan> m_plan;
    Rank m_rows;
};

} // namespace

std::shared_ptr<const StepPlan>
PlanInTurn(std::shared_ptr<const StepPlan> plan, Rank rows)
{
    return std::make_shared<InTurnPlan>(std::move(plan), rows);
}

} // namespace inca
