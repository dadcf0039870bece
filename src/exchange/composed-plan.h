/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_COMPOSED_PLAN_H
#define INCA_EXCHANGE_COMPOSED_PLAN_H

#include "inca/exchange/step-plan.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace inca
{

/**
 * A phase of an exchange among members that are known by position only, 0 .. members-1. The peers of its
 * steps are positions; a Lineup turns them into ranks, so that one piece serves all groups of a hierarchy.
 */
struct Piece
{
    std::function<std::uint32_t(Rank position)> stepCount;
    std::function<Step(Rank position, std::uint32_t step)> at; ///< @p step < stepCount(position)
};

/** Which rank has which position: @p root is first, then @p next, @p next + @p stride, ... */
struct Lineup
{
    Rank root{0};
    Rank next{1};
    Rank stride{1};

    Rank At(Rank position) const
    {
        return position == 0 ? root : next + (position - 1) * stride;
    }
};

/** The position of one rank in a piece. */
struct Seat
{
    Lineup lineup{};
    Rank position{0};
};

/** A piece, and which ranks take part in it. */
struct PlanPart
{
    Piece piece;
    std::function<std::optional<Seat>(Rank rank)> seatOf; ///< empty: the rank takes no part
};

/**
 * A plan whose ranks execute parts, one after the other. It has no deadlock if none of its pieces has one:
 * all ranks come to the parts that they share in the same order.
 */
class ComposedPlan : public StepPlan
{
  public:
    ComposedPlan(Rank workers,
                 Rank others,
                 std::uint64_t elements,
                 std::vector<PlanPart> parts,
                 Meaning meaning = Meaning::SUM);

    std::uint32_t StepCount(Rank rank) const override;
    Step At(Rank rank, std::uint32_t step) const override;

  private:
    std::vector<PlanPart> m_parts;
};

/** Plans that a rank executes concurrently (StepPlan::Channel): the channels of a ring, the trees of a double tree. */
class ChannelPlan : public StepPlan
{
  public:
    /** @param channels at least 1, of the same workers, elements and meaning */
    explicit ChannelPlan(std::vector<std::unique_ptr<StepPlan>> channels);

    std::uint32_t StepCount(Rank rank) const override;
    Step At(Rank rank, std::uint32_t step) const override;
    std::uint32_t ChannelCount() const override;
    const StepPlan& Channel(std::uint32_t channel) const override;

  private:
    std::vector<std::unique_ptr<StepPlan>> m_channels;
};

/**
 * The same plan with ranks numbered by InterleavedPlace. So its first ranks can represent all, and are not only workers.
 * @param plan of one channel
 * @param rows that divide its ranks
 */
std::shared_ptr<const StepPlan> InterleavedPlan(std::shared_ptr<const StepPlan> plan, Rank rows);

} // namespace inca

#endif // INCA_EXCHANGE_COMPOSED_PLAN_H
