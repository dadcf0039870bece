/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchanges.h"
#include "exchange/pieces.h"

namespace inca
{

namespace
{

/** All workers are one group if none is given. */
Rank
GroupSizeOf(const ExchangeSpec& spec)
{
    return spec.groupSize == 1 ? spec.workers : spec.groupSize;
}

/** Workers that send to each other at once, and the elements that all of them have. */
struct Hop
{
    Rank first;
    Rank stride;   ///< from each to the next
    Rank members;  ///< of whom each sums a block
    Rank position; ///< of the one whose hop it is
    ElementRange range;
    bool crossesGroups;

    ElementRange Block(Rank member) const
    {
        const auto block = BlockOf(range.count, members, member);
        return {range.begin + block.begin, block.count};
    }

    Transfer With(Rank member, Rank block, PayloadKind kind, bool adds = false) const
    {
        const auto combine = adds ? Combine::ADD : Combine::STORE;
        return {first + member * stride, Block(block), kind, combine, crossesGroups};
    }
};

/**
 * Every member sends each its block, and itself its own last, so that others need not wait for it; or, as it
 * @p gathers, its own block to all, and to itself first.
 */
Step
StepOf(const Hop& hop, bool gathers, PayloadKind kind)
{
    Step step;
    for (Rank i = 0; i < hop.members; ++i)
    {
        const auto to = (hop.position + i + (gathers ? 0 : 1)) % hop.members;
        step.sends.push_back(hop.With(to, gathers ? hop.position : to, kind));
        step.receives.push_back(hop.With(i, gathers ? i : hop.position, kind, !gathers && i > 0));
    }
    return step;
}

class TwoShot : public StepPlan
{
  public:
    TwoShot(const ExchangeSpec& spec, std::uint64_t elements)
        : StepPlan(spec.workers, 0, elements, MeaningOf(spec.phase)),
          m_spec(spec),
          m_groupSize(GroupSizeOf(spec)),
          m_hops(m_groupSize == spec.workers ? 1 : 2)
    {
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return Means() == Meaning::SUM ? 2 * m_hops : m_hops;
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        const auto place = step + (Means() == Meaning::ALL_GATHER ? m_hops : 0);
        const bool gathers = place >= m_hops;
        const auto kind = gathers ? KindOfSums(m_spec) : PayloadKind::GRADIENT;
        auto one = StepOf(HopOf(rank, gathers ? 2 * m_hops - 1 - place : place), gathers, kind);
        const bool sums = place + 1 == m_hops;
        one.ownsResult = sums && !m_spec.sharded;
        one.update = sums && m_spec.sharded;
        return one;
    }

  private:
    Hop HopOf(Rank rank, std::uint32_t index) const
    {
        const auto member = rank % m_groupSize;
        const auto group = rank / m_groupSize;
        const Hop inGroup{rank - member, 1, m_groupSize, member, {0, Elements()}, false};
        if (index == 0)
        {
            return inGroup;
        }
        const auto groups = WorkerCount() / m_groupSize;
        return {member, m_groupSize, groups, group, inGroup.Block(member), m_spec.groupsCross};
    }

    ExchangeSpec m_spec;
    Rank m_groupSize;
    std::uint32_t m_hops;
};

} // namespace

ExchangeEntry
TwoShotExchange()
{
    ExchangeEntry shots{"two-shot",
                        "all workers send each its block of gradients, then each its sum to all",
                        [](const ExchangeSpec& spec, std::uint64_t elements) {
                            return std::make_unique<TwoShot>(spec, elements);
                        },
                        [](const ExchangeSpec& spec) {
                            return GroupSizeOf(spec) == spec.workers ? WorkerComplaints(spec)
                                                                     : GroupComplaints(spec);
                        }};
    shots.inGroups = true;
    shots.allToAll = true;
    shots.shards = true;
    shots.blocks = [](const ExchangeSpec& spec) { return std::uint64_t{spec.workers}; };
    shots.symmetry = [](const ExchangeSpec& spec, bool /*alternates*/) {
        const auto size = GroupSizeOf(spec); // of several groups, each does what another does
        return size == spec.workers ? ShiftSymmetry{1} : ShiftSymmetry{size, false};
    };
    return shots;
}

} // namespace inca
