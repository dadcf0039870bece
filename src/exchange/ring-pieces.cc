/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/ring-pieces.h"

#include <algorithm>

namespace inca
{

namespace
{

class RingPiece : public Piece
{
  public:
    RingPiece(Rank members, std::uint64_t elements, Rank firstBlock, Rank standIns)
        : m_members(members),
          m_elements(elements),
          m_firstBlock(firstBlock),
          m_standIns(standIns),
          m_larger(standIns == 0 ? 0 : LargerOf(standIns))
    {
    }

    std::uint32_t StepCount(Rank /*position*/) const override
    {
        return m_members - 1;
    }

    Step At(Rank position, std::uint32_t step) const override
    {
        Step passOn;
        passOn.sends = {{(position + 1) % m_members, Block(position, step), Leg::GRADIENT}};
        passOn.receives = {
            {(position + m_members - 1) % m_members, Block(position, step + 1), Leg::GRADIENT}};
        passOn.receiveFirst = position % 2 == 1;
        Finish(passOn, step + 1 == m_members - 1);
        return passOn;
    }

  private:
    virtual void Finish(Step& step, bool last) const = 0; ///< says what the messages are

    /** The block that is @p back (at most N - 1) before the one that @p position begins with. */
    ElementRange Block(Rank position, std::uint32_t back) const
    {
        const auto block = (position + m_firstBlock + m_members - back) % m_members;
        auto range = BlockOf(m_elements, m_members, block);
        if (m_standIns > 0)
        {
            range.count = m_elements / m_members + (IsLarger(position, back) ? 1 : 0);
        }
        return range;
    }

    /** How many of @p standIns blocks are a value larger. */
    Rank LargerOf(Rank standIns) const
    {
        const auto larger = m_elements % m_members;
        if (larger == 0)
        {
            return 0;
        }
        const auto share = (2 * larger * standIns + m_members) / (2 * std::uint64_t{m_members});
        const auto most = std::max<std::uint64_t>(1, std::uint64_t{standIns} - 1);
        return static_cast<Rank>(std::clamp<std::uint64_t>(share, 1, most));
    }

    /** An all-gather goes on with the blocks that a reduce-scatter has passed on N - 1 times. */
    bool IsLarger(Rank position, std::uint32_t back) const
    {
        const auto passed = back + (m_firstBlock == 0 ? 0 : m_members - 1);
        return (position + m_standIns - passed % m_standIns) % m_standIns < m_larger;
    }

    Rank m_members;
    std::uint64_t m_elements;
    Rank m_firstBlock;
    Rank m_standIns;
    Rank m_larger; ///< of so many
};

class RingReduceScatter : public RingPiece
{
  public:
    RingReduceScatter(Rank members, std::uint64_t elements, RingSums sums, Rank standIns)
        : RingPiece(members, elements, 0, standIns),
          m_sums(sums)
    {
    }

  private:
    void Finish(Step& step, bool last) const override
    {
        step.receives.front().combine = Combine::ADD;
        step.ownsResult = last && m_sums == RingSums::FINAL;
        step.update = last && m_sums == RingSums::UPDATED;
    }

    RingSums m_sums;
};

class RingAllGather : public RingPiece
{
  public:
    RingAllGather(Rank members, std::uint64_t elements, Rank firstBlock, Leg leg, Rank standIns)
        : RingPiece(members, elements, firstBlock, standIns),
          m_leg(leg)
    {
    }

  private:
    void Finish(Step& step, bool /*last*/) const override
    {
        step.sends.front().leg = m_leg;
        step.receives.front().leg = m_leg;
    }

    Leg m_leg;
};

} // namespace

std::unique_ptr<Piece>
MakeRingReduceScatter(Rank members, std::uint64_t elements, RingSums sums, Rank standIns)
{
    return std::make_unique<RingReduceScatter>(members, elements, sums, standIns);
}

std::unique_ptr<Piece>
MakeRingAllGather(Rank members, std::uint64_t elements, Rank firstBlock, Leg leg, Rank standIns)
{
    return std::make_unique<RingAllGather>(members, elements, firstBlock, leg, standIns);
}

} // namespace inca
