/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/star-pieces.h"

namespace inca
{

namespace
{

class SumAtRoot : public Piece
{
  public:
    SumAtRoot(Rank members, std::uint64_t elements)
        : m_members(members),
          m_all{0, elements}
    {
    }

    std::uint32_t StepCount(Rank /*position*/) const override
    {
        return 1;
    }

    Step At(Rank position, std::uint32_t /*step*/) const override
    {
        return position == 0 ? Sum() : Send();
    }

  private:
    Step Sum() const
    {
        Step sum;
        for (Rank peer = 1; peer < m_members; ++peer)
        {
            sum.receives.push_back(Operand(peer, m_all, peer == 1));
        }
        sum.update = true;
        return sum;
    }

    Step Send() const
    {
        Step send;
        send.sends = {{0, m_all, PayloadKind::GRADIENT}};
        return send;
    }

    Rank m_members;
    ElementRange m_all;
};

class Scatter : public Piece
{
  public:
    Scatter(Rank members, std::uint64_t elements)
        : m_members(members),
          m_elements(elements)
    {
    }

    std::uint32_t StepCount(Rank position) const override
    {
        return position == 0 ? m_members - 1 : 1;
    }

    Step At(Rank position, std::uint32_t step) const override
    {
        Step one;
        if (position == 0)
        {
            one.sends = {{step + 1, Block(step + 1), PayloadKind::GRADIENT}};
        }
        else
        {
            one.receives = {{0, Block(position), PayloadKind::GRADIENT}};
        }
        return one;
    }

  private:
    ElementRange Block(Rank position) const
    {
        return BlockOf(m_elements, m_members, position);
    }

    Rank m_members;
    std::uint64_t m_elements;
};

} // namespace

std::unique_ptr<Piece>
MakeSumAtRoot(Rank members, std::uint64_t elements)
{
    return std::make_unique<SumAtRoot>(members, elements);
}

std::unique_ptr<Piece>
MakeScatter(Rank members, std::uint64_t elements)
{
    return std::make_unique<Scatter>(members, elements);
}

} // namespace inca
