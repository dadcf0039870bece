/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchanges.h"
#include "exchange/pieces.h"

#include <string>

namespace inca
{

namespace
{

bool
IsPowerOfTwo(Rank count)
{
    return (count & (count - 1)) == 0;
}

/** The largest power of two of workers that halve and double. */
Rank
MembersOf(Rank workers)
{
    Rank members = 1;
    while (2 * members <= workers)
    {
        members *= 2;
    }
    return members;
}

/** Consecutive blocks of those that all members together have. */
struct BlockSpan
{
    Rank first;
    Rank count;
};

/** What members exchange in a step. */
enum class Parts
{
    HALVES, ///< of what they still add; then all the way back
    ALL,
};

class HalvingDoubling : public StepPlan
{
  public:
    HalvingDoubling(const ExchangeSpec& spec, std::uint64_t elements, Parts parts)
        : StepPlan(spec.workers,
                   0,
                   elements,
                   parts == Parts::ALL ? Meaning::SUM : MeaningOf(spec.phase)),
          m_parts(parts),
          m_members(MembersOf(spec.workers)),
          m_beyond(spec.workers - m_members),
          m_halvings(CeilLog2(m_members)),
          m_sharded(spec.sharded)
    {
    }

    std::uint32_t StepCount(Rank rank) const override
    {
        const bool isThereAndBack = m_parts == Parts::HALVES && Means() == Meaning::SUM;
        const std::uint32_t own = IsBeyond(rank) ? 0 : (isThereAndBack ? 2 : 1) * m_halvings;
        return own + (HasNeighbour(rank) ? 2 : 0);
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        if (!HasNeighbour(rank))
        {
            return Among(rank, step + (Means() == Meaning::ALL_GATHER ? m_halvings : 0));
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

    Step Among(Rank rank, std::uint32_t step) const
    {
        return m_parts == Parts::ALL ? WithAll(rank, step) : WithHalf(rank, step);
    }

    Step WithAll(Rank rank, std::uint32_t step) const
    {
        const auto member = MemberOf(rank);
        const auto partner = member ^ (Rank{1} << step);
        const ElementRange all{0, Elements()};
        Step exchange;
        exchange.sends = {{RankOf(partner), all, PayloadKind::GRADIENT}};
        exchange.receives = {{RankOf(partner), all, PayloadKind::GRADIENT, Combine::ADD}};
        exchange.receiveFirst = member > partner;
        return exchange;
    }

    /** @param step of a member's 2 log2(P), of both halves */
    Step WithHalf(Rank rank, std::uint32_t step) const
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

    Parts m_parts;
    Rank m_members; ///< P
    Rank m_beyond;
    std::uint32_t m_halvings;
    bool m_sharded;
};

std::unique_ptr<StepPlan>
MakeHalvingDoubling(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<HalvingDoubling>(spec, elements, Parts::HALVES);
}

std::unique_ptr<StepPlan>
MakeRecursiveDoubling(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<HalvingDoubling>(spec, elements, Parts::ALL);
}

/** Beyond a power of two workers sum nothing, so they would have no shard. */
std::vector<std::string>
HalvingDoublingComplaints(const ExchangeSpec& spec)
{
    auto texts = WorkerComplaints(spec);
    if (spec.sharded && !IsPowerOfTwo(spec.workers))
    {
        texts.push_back("cluster.workers: must be a power of two with training.sharding and "
                        "halving-doubling, got " +
                        std::to_string(spec.workers));
    }
    return texts;
}

/** Of a power of two of workers, whoever has another number has its partners' numbers moved likewise. */
ShiftSymmetry
HalvingDoublingSymmetry(const ExchangeSpec& spec, bool alternates)
{
    return {IsPowerOfTwo(spec.workers) && !alternates ? 1U : 0U, true, true};
}

} // namespace

ExchangeEntry
HalvingDoublingExchange()
{
    ExchangeEntry halving{
        "halving-doubling",
        "pairs of workers add half of what they have for each other, then pairs of pairs, and back",
        MakeHalvingDoubling,
        HalvingDoublingComplaints};
    halving.shards = true;
    halving.blocks = [](const ExchangeSpec& spec) {
        return std::uint64_t{MembersOf(spec.workers)};
    };
    halving.symmetry = HalvingDoublingSymmetry;
    return halving;
}

ExchangeEntry
RecursiveDoublingExchange()
{
    ExchangeEntry doubling{
        "recursive-doubling",
        "pairs of workers add all that they have, then pairs of pairs, until each has the sum",
        MakeRecursiveDoubling};
    doubling.symmetry = HalvingDoublingSymmetry;
    return doubling;
}

} // namespace inca
