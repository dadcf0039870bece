/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/composed-plan.h"

#include "base/errors.h"

namespace inca
{

namespace
{

/** Turns the positions of a piece's step into ranks. */
Step
WithRanks(Step step, const Lineup& lineup)
{
    for (auto& send : step.sends)
    {
        send.peer = lineup.At(send.peer);
    }
    for (auto& receive : step.receives)
    {
        receive.peer = lineup.At(receive.peer);
    }
    return step;
}

} // namespace

ComposedPlan::ComposedPlan(Rank workers, Rank aggregators, std::uint64_t elements)
    : m_workers(workers),
      m_aggregators(aggregators),
      m_elements(elements)
{
}

Rank
ComposedPlan::WorkerCount() const
{
    return m_workers;
}

Rank
ComposedPlan::RankCount() const
{
    return m_workers + m_aggregators;
}

std::uint64_t
ComposedPlan::Elements() const
{
    return m_elements;
}

std::uint32_t
ComposedPlan::StepCount(Rank rank) const
{
    std::uint32_t count = 0;
    for (const auto& part : Parts(rank))
    {
        count += part.piece->StepCount(part.position);
    }
    return count;
}

Step
ComposedPlan::At(Rank rank, std::uint32_t step) const
{
    for (const auto& part : Parts(rank))
    {
        const auto count = part.piece->StepCount(part.position);
        if (step < count)
        {
            return WithRanks(part.piece->At(part.position, step), part.lineup);
        }
        step -= count;
    }
    throw InvariantError("a rank was asked for a step behind its last");
}

} // namespace inca
