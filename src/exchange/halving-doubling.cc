/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/halving-doubling.h"

#include "exchange/workers-plan.h"

namespace inca
{

namespace
{

/** Consecutive blocks of those that all members together have. */
struct BlockSpan
{
    Rank first;
    Rank count;
};

class HalvingDoubling : public WorkersPlan
{
  public:
    HalvingDoubling(const ExchangeSpec& spec, std::uint64_t elements)
        : WorkersPlan(spec.workers, elements),
          m_sharded(spec.sharded),
          m_phase(spec.phase)
    {
        while (2 * m_members <= WorkerCount())
        {
            m_members *= 2;
            ++m_halvings;
        }
        m_beyond = WorkerCount() - m_members;
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        const std::uint32_t own =
            IsBeyond(rank) ? 0 : (m_phase == SumPhase::ALL_REDUCE ? 2 : 1) * m_halvings;
        return own + (HasNeighbour(rank) ? 2 : 0);
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        if (!HasNeighbour(rank))
        {
            return Among(rank, step + (m_phase == SumPhase::ALL_GATHER ? m_halvings : 0));
        }
        const bool isFirst = step == 0;
        const bool isLast = step + 1 == StepCount(rank);
        return isFirst || isLast ? WithNeighbour(rank, isFirst) : Among(rank, step - 1);
    }

  private:
    bool HasNeighbour(Rank rank) const
    {
        return rank < 2 * m_beyond;
    }

    bool IsBeyond(Rank rank) const
    {
        return HasNeighbour(rank) && rank % 2 == 0;
    }

    Rank MemberOf(Rank rank) const
    {
        return HasNeighbour(rank) ? rank / 2 : rank - m_beyond;
    }

    Rank RankOf(Rank member) const
    {
        return member < m_beyond ? 2 * member + 1 : member + m_beyond;
    }

    Step WithNeighbour(Rank rank, bool isFirst) const
    {
        const ElementRange all{0, Elements()};
        const bool sends = IsBeyond(rank) == isFirst;
        const auto peer = IsBeyond(rank) ? rank + 1 : rank - 1;
        Step step;
        if (sends)
        {
            step.sends = {{peer, all, PayloadKind::GRADIENT}};
        }
        else
        {
            step.receives = {
                {peer, all, PayloadKind::GRADIENT, isFirst ? Combine::ADD : Combine::STORE}};
        }
        return step;
    }

    /** @param step of a member's 2 log2(P), of both halves */
    Step Among(Rank rank, std::uint32_t step) const
    {
        const auto member = MemberOf(rank);
        const bool halves = step < m_halvings;
        const auto level = halves ? step : 2 * m_halvings - 1 - step;
        const auto partner = member ^ (Rank{1} << level);
        const auto own = Range(SpanOf(member, level + 1));
        const auto other = Range(SpanOf(partner, level + 1));
        Step exchange;
        const auto kind = m_sharded && !halves ? PayloadKind::WEIGHT : PayloadKind::GRADIENT;
        const bool isSummed = step + 1 == m_halvings;
        exchange.sends = {{RankOf(partner), halves ? other : own, kind}};
        exchange.receives = {
            {RankOf(partner), halves ? own : other, kind, halves ? Combine::ADD : Combine::STORE}};
        exchange.receiveFirst = member > partner;
        exchange.ownsResult = isSummed && !m_sharded;
        exchange.update = isSummed && m_sharded;
        return exchange;
    }

    /** What @p member adds after @p halvings. */
    BlockSpan SpanOf(Rank member, std::uint32_t halvings) const
    {
        BlockSpan span{0, m_members};
        for (std::uint32_t level = 0; level < halvings; ++level)
        {
            span.count /= 2;
            span.first += (member >> level) % 2 * span.count;
        }
        return span;
    }

    ElementRange Range(BlockSpan span) const
    {
        const auto begin = BlockOf(Elements(), m_members, span.first).begin;
        const auto end = BlockOf(Elements(), m_members, span.first + span.count - 1).End();
        return {begin, end - begin};
    }

    Rank m_members{1}; ///< P
    std::uint32_t m_halvings{0};
    Rank m_beyond{0};
    bool m_sharded;
    SumPhase m_phase;
};

} // namespace

std::unique_ptr<StepPlan>
MakeHalvingDoubling(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<HalvingDoubling>(spec, elements);
}

} // namespace inca
