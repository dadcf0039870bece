/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/channel-plan.h"

#include "base/errors.h"

#include <utility>

namespace inca
{

ChannelPlan::ChannelPlan(std::vector<std::unique_ptr<StepPlan>> channels)
    : m_channels(std::move(channels))
{
}

Rank
ChannelPlan::WorkerCount() const
{
    return m_channels.front()->WorkerCount();
}

Rank
ChannelPlan::RankCount() const
{
    return m_channels.front()->RankCount();
}

std::uint64_t
ChannelPlan::Elements() const
{
    return m_channels.front()->Elements();
}

std::uint32_t
ChannelPlan::StepCount(Rank rank) const
{
    std::uint32_t count = 0;
    for (const auto& channel : m_channels)
    {
        count += channel->StepCount(rank);
    }
    return count;
}

Step
ChannelPlan::At(Rank rank, std::uint32_t step) const
{
    for (const auto& channel : m_channels)
    {
        const auto count = channel->StepCount(rank);
        if (step < count)
        {
            return channel->At(rank, step);
        }
        step -= count;
    }
    throw InvariantError("a rank was asked for a step behind its last");
}

std::uint32_t
ChannelPlan::ChannelCount() const
{
    return static_cast<std::uint32_t>(m_channels.size());
}

const StepPlan&
ChannelPlan::Channel(std::uint32_t channel) const
{
    return *m_channels.at(channel);
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
