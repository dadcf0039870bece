/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/stranded-plan.h"

#include "base/errors.h"

#include <utility>

namespace inca
{

StrandedPlan::StrandedPlan(std::vector<std::unique_ptr<StepPlan>> strands)
    : m_strands(std::move(strands))
{
}

Rank
StrandedPlan::WorkerCount() const
{
    return m_strands.front()->WorkerCount();
}

Rank
StrandedPlan::RankCount() const
{
    return m_strands.front()->RankCount();
}

std::uint64_t
StrandedPlan::Elements() const
{
    return m_strands.front()->Elements();
}

std::uint32_t
StrandedPlan::StepCount(Rank rank) const
{
    std::uint32_t count = 0;
    for (const auto& strand : m_strands)
    {
        count += strand->StepCount(rank);
    }
    return count;
}

Step
StrandedPlan::At(Rank rank, std::uint32_t step) const
{
    for (const auto& strand : m_strands)
    {
        const auto count = strand->StepCount(rank);
        if (step < count)
        {
            return strand->At(rank, step);
        }
        step -= count;
    }
    throw InvariantError("a rank was asked for a step behind its last");
}

std::uint32_t
StrandedPlan::StrandCount() const
{
    return static_cast<std::uint32_t>(m_strands.size());
}

const StepPlan&
StrandedPlan::Strand(std::uint32_t strand) const
{
    return *m_strands.at(strand);
}

PartialPlan::PartialPlan(std::unique_ptr<StepPlan> plan, ElementRange part, std::uint64_t elements)
    : m_plan(std::move(plan)),
      m_part(part),
      m_elements(elements)
{
}

Rank
PartialPlan::WorkerCount() const
{
    return m_plan->WorkerCount();
}

Rank
PartialPlan::RankCount() const
{
    return m_plan->RankCount();
}

std::uint64_t
PartialPlan::Elements() const
{
    return m_elements;
}

std::uint32_t
PartialPlan::StepCount(Rank rank) const
{
    return m_plan->StepCount(rank);
}

Step
PartialPlan::At(Rank rank, std::uint32_t step) const
{
    return MovedBy(m_plan->At(rank, step), m_part.begin);
}

Step
MovedBy(Step step, std::uint64_t begin)
{
    for (auto& send : step.sends)
    {
        send.range.begin += begin;
    }
    for (auto& receive : step.receives)
    {
        receive.range.begin += begin;
    }
    return step;
}

} // namespace inca
