/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/shift-symmetry.h"

#include <utility>

namespace inca
{

namespace
{

class Interleaved : public StepPlan
{
  public:
    Interleaved(std::shared_ptr<const StepPlan> plan, Rank rows)
        : StepPlan(plan->WorkerCount(), plan->RankCount() - plan->WorkerCount(), plan->Elements()),
          m_plan(std::move(plan)),
          m_rows(rows)
    {
    }

    std::uint32_t StepCount(Rank place) const override
    {
        return m_plan->StepCount(InterleavedRank(place, RankCount(), m_rows));
    }

    Step At(Rank place, std::uint32_t index) const override
    {
        auto step = m_plan->At(InterleavedRank(place, RankCount(), m_rows), index);
        for (auto* transfers : {&step.sends, &step.receives})
        {
            for (auto& transfer : *transfers)
            {
                transfer.peer = InterleavedPlace(transfer.peer, RankCount(), m_rows);
            }
        }
        return step;
    }

  private:
    std::shared_ptr<const StepPlan> m_plan;
    Rank m_rows;
};

} // namespace

std::shared_ptr<const StepPlan>
InterleavedPlan(std::shared_ptr<const StepPlan> plan, Rank rows)
{
    return std::make_shared<Interleaved>(std::move(plan), rows);
}

} // namespace inca
