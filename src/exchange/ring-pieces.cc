/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/ring-pieces.h"

namespace inca
{

namespace
{

class RingPiece : public Piece
{
  public:
    /** @param ownsLast what the last step adds is a result */
    RingPiece(Rank members, std::uint64_t elements, Rank firstBlock, Combine combine, bool ownsLast)
        : m_members(members),
          m_elements(elements),
          m_firstBlock(firstBlock),
          m_combine(combine),
          m_ownsLast(ownsLast)
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
        passOn.receives = {{(position + m_members - 1) % m_members,
                            Block(position, step + 1),
                            Leg::GRADIENT,
                            m_combine}};
        passOn.receiveFirst = position % 2 == 1;
        passOn.ownsResult = m_ownsLast && step + 1 == m_members - 1;
        return passOn;
    }

  private:
    /** The block that is @p back (at most N - 1) before the one that @p position begins with. */
    ElementRange Block(Rank position, std::uint32_t back) const
    {
        return BlockOf(
            m_elements, m_members, (position + m_firstBlock + m_members - back) % m_members);
    }

    Rank m_members;
    std::uint64_t m_elements;
    Rank m_firstBlock;
    Combine m_combine;
    bool m_ownsLast;
};

} // namespace

std::unique_ptr<Piece>
MakeRingReduceScatter(Rank members, std::uint64_t elements, RingSums sums)
{
    return std::make_unique<RingPiece>(members, elements, 0, Combine::ADD, sums == RingSums::FINAL);
}

std::unique_ptr<Piece>
MakeRingAllGather(Rank members, std::uint64_t elements, Rank firstBlock)
{
    return std::make_unique<RingPiece>(members, elements, firstBlock, Combine::STORE, false);
}

} // namespace inca
