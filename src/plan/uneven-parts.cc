/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan/uneven-parts.h"

namespace inca
{

namespace
{

/** @return running totals of @p counts, twice round: entry i is of the first i */
std::vector<std::uint64_t>
Totals(const std::vector<std::uint64_t>& counts)
{
    std::vector<std::uint64_t> totals{0};
    for (std::size_t i = 0; i < 2 * counts.size(); ++i)
    {
        totals.push_back(totals.back() + counts[i % counts.size()]);
    }
    return totals;
}

} // namespace

UnevenParts::UnevenParts(const StepPlan& plan, const ShiftSymmetry& symmetry)
    : m_symmetry(symmetry),
      m_ranks(plan.RankCount()),
      m_size(plan.Elements() / symmetry.parts),
      m_larger(plan.Elements() % symmetry.parts)
{
    for (Rank place = 0; place < symmetry.period; ++place)
    {
        const auto rank = RankInTurn(place, m_ranks, symmetry.rows);
        std::vector<std::uint64_t> sent(symmetry.parts, 0);
        std::vector<std::uint64_t> received(symmetry.parts, 0);
        for (std::uint32_t number = 0; number < plan.StepCount(rank); ++number)
        {
            const auto step = plan.At(rank, number);
            for (const auto& transfer : step.sends)
            {
                ++sent[PartAt(transfer.range.begin)];
            }
            for (const auto& transfer : step.receives)
            {
                ++received[PartAt(transfer.range.begin)];
            }
        }
        m_visits.push_back({Totals(sent), Totals(received)});
    }
}

/** The inverse of BlockOf. */
std::uint64_t
UnevenParts::PartAt(std::uint64_t begin) const
{
    const auto inLarger = m_larger * (m_size + 1);
    return begin < inLarger ? begin / (m_size + 1) : m_larger + (begin - inLarger) / m_size;
}

/** Part i of the first rank is part i + @p shift here; parts 0 .. m_larger-1 are the larger ones. */
std::uint64_t
UnevenParts::Elements(const std::vector<std::uint64_t>& visits, std::uint64_t shift) const
{
    const auto first = (m_symmetry.parts - shift) % m_symmetry.parts;
    const auto all = visits[m_symmetry.parts];
    return all * m_size + visits[first + m_larger] - visits[first];
}

MovedElements
UnevenParts::Of(Rank rank) const
{
    const auto place = InTurn(rank, m_ranks, m_symmetry.rows);
    const auto& visits = m_visits[place % m_symmetry.period];
    const auto shifts = place / m_symmetry.period;
    const auto perShift = m_symmetry.parts * m_symmetry.period / m_ranks;
    const auto shift = shifts * perShift % m_symmetry.parts;
    return {Elements(visits.sent, shift), Elements(visits.received, shift)};
}

} // namespace inca
