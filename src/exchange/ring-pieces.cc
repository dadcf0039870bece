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
    RingPiece(Rank members, std::uint64_t elements, Rank firstBlock)
        : m_members(members),
          m_elements(elements),
          m_firstBlock(firstBlock)
    {
    }

    std::uint32_t StepCount(Rank /*position*/) const override
    {
        return m_members - 1;
    }

    Step At(Rank position, std::uint32_t step) const override
    {
        Step passOn;
        passOn.sends = {{(position + 1) % m_members, Block(position, step), PayloadKind::GRADIENT}};
        passOn.receives = {{(position + m_members - 1) % m_members,
                            Block(position, step + 1),
                            PayloadKind::GRADIENT}};
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
        return BlockOf(m_elements, m_members, block);
    }

    Rank m_members;
    std::uint64_t m_elements;
    Rank m_firstBlock;
};

class RingReduceScatter : public RingPiece
{
  public:
    RingReduceScatter(Rank members, std::uint64_t elements, RingSums sums)
        : RingPiece(members, elements, 0),
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
    RingAllGather(Rank members, std::uint64_t elements, Rank firstBlock, PayloadKind kind)
        : RingPiece(members, elements, firstBlock),
          m_leg(kind)
    {
    }

  private:
    void Finish(Step& step, bool /*last*/) const override
    {
        step.sends.front().kind = m_leg;
        step.receives.front().kind = m_leg;
    }

    PayloadKind m_leg;
};

} // namespace

std::unique_ptr<Piece>
MakeRingReduceScatter(Rank members, std::uint64_t elements, RingSums sums)
{
    return std::make_unique<RingReduceScatter>(members, elements, sums);
}

std::unique_ptr<Piece>
MakeRingAllGather(Rank members, std::uint64_t elements, Rank firstBlock, PayloadKind kind)
{
    return std::make_unique<RingAllGather>(members, elements, firstBlock, kind);
}

} // namespace inca
