/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_EXCHANGE_COMPOSED_PLAN_H
#define INCA_EXCHANGE_COMPOSED_PLAN_H

#include "exchange/step-plan.h"

#include <cstdint>
#include <vector>

namespace inca
{

/**
 * A piece of an exchange among members that are known by position only, 0 .. members-1: a phase
 * of a ring, a broadcast. The peers of its steps are positions; a Lineup turns them into ranks, so
 * that one piece serves all groups of a hierarchy.
 */
class Piece
{
  public:
    virtual ~Piece() = default;

    virtual std::uint32_t StepCount(Rank position) const = 0;
    virtual Step At(Rank position, std::uint32_t step) const = 0; ///< @p step < StepCount(position)
};

/** Who stands at which position: @p root first, then @p next, @p next + @p stride, ... */
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

/** What one rank does in one piece. */
struct Part
{
    const Piece* piece;
    Lineup lineup;
    Rank position;
};

/**
 * A plan whose ranks go through pieces, one after the other. Deadlock-free if each piece is and
 * all ranks meet the pieces that they share in the same order.
 */
class ComposedPlan : public StepPlan
{
  public:
    ComposedPlan(Rank workers, Rank aggregators, std::uint64_t elements);

    Rank WorkerCount() const override;
    Rank RankCount() const override;
    std::uint64_t Elements() const override;
    std::uint32_t StepCount(Rank rank) const override;
    Step At(Rank rank, std::uint32_t step) const override;

  private:
    virtual std::vector<Part> Parts(Rank rank) const = 0; ///< in the order of their execution

    Rank m_workers;
    Rank m_aggregators;
    std::uint64_t m_elements;
};

} // namespace inca

#endif // INCA_EXCHANGE_COMPOSED_PLAN_H
