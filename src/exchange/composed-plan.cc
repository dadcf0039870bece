/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/composed-plan.h"

#include "base/errors.h"
#include "exchange/shift-symmetry.h"

#include <utility>

namespace inca
{

namespace
{

[[noreturn]] void
RefuseStep()
{
    throw InvariantError("a rank was asked for a step behind its last");
}

class Interleaved : public StepPlan
{
  public:
    Interleaved(std::shared_ptr<const StepPlan> plan, Rank rows)
        : StepPlan(plan->WorkerCount(),
                   plan->RankCount() - plan->WorkerCount(),
                   plan->Elements(),
                   plan->Means()),
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
        return WithPeers(m_plan->At(InterleavedRank(place, RankCount(), m_rows), index),
                         [this](Rank peer) { return InterleavedPlace(peer, RankCount(), m_rows); });
    }

  private:
    std::shared_ptr<const StepPlan> m_plan;
    Rank m_rows;
};

} // namespace

ComposedPlan::ComposedPlan(
    Rank workers, Rank others, std::uint64_t elements, std::vector<PlanPart> parts, Meaning meaning)
    : StepPlan(workers, others, elements, meaning),
      m_parts(std::move(parts))
{
}

std::uint32_t
ComposedPlan::StepCount(Rank rank) const
{
    std::uint32_t count = 0;
    for (const auto& [piece, seatOf] : m_parts)
    {
        const auto seat = seatOf(rank);
        count += seat ? piece.stepCount(seat->position) : 0;
    }
    return count;
}

Step
ComposedPlan::At(Rank rank, std::uint32_t step) const
{
    for (const auto& [piece, seatOf] : m_parts)
    {
        const auto seat = seatOf(rank);
        const auto count = seat ? piece.stepCount(seat->position) : 0;
        if (step < count)
        {
            return WithPeers(piece.at(seat->position, step),
                             [&seat](Rank position) { return seat->lineup.At(position); });
        }
        step -= count;
    }
    RefuseStep();
}

ChannelPlan::ChannelPlan(std::vector<std::unique_ptr<StepPlan>> channels)
    : StepPlan(channels.front()->WorkerCount(),
               channels.front()->RankCount() - channels.front()->WorkerCount(),
               channels.front()->Elements(),
               channels.front()->Means()),
      m_channels(std::move(channels))
{
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
    RefuseStep();
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

std::shared_ptr<const StepPlan>
InterleavedPlan(std::shared_ptr<const StepPlan> plan, Rank rows)
{
    return std::make_shared<Interleaved>(std::move(plan), rows);
}

} // namespace inca
