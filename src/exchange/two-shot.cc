/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/exchanges.h"
#include "exchange/pieces.h"

namespace inca
{

namespace
{

bool
IsFlat(const ExchangeSpec& spec)
{
    return spec.groupSize == 1 || spec.groupSize == spec.workers;
}

/** Workers that send to each other at once, and the elements that all of them have. */
struct Hop
{
    Rank first;
    Rank stride;   ///< from each to the next
    Rank members;  ///< of whom each sums a block
    Rank position; ///< of the one whose hop it is
    ElementRange range;
    bool between; ///< groups

    ElementRange Block(Rank member) const
    {
        const auto block = BlockOf(range.count, members, member);
        return {range.begin + block.begin, block.count};
    }

    Transfer With(Rank member, Rank block, PayloadKind kind, bool adds = false) const
    {
        const auto combine = adds ? Combine::ADD : Combine::STORE;
        return {first + member * stride, Block(block), kind, combine, between};
    }
};

/** Every member sends each its block, and itself its own last, so that others need not wait for it. */
Step
ScatterStep(const Hop& hop)
{
    constexpr auto gradient = PayloadKind::GRADIENT;
    Step step;
    for (Rank i = 0; i < hop.members; ++i)
    {
        const auto to = (hop.position + 1 + i) % hop.members;
        step.sends.push_back(hop.With(to, to, gradient));
        step.receives.push_back(hop.With(i, hop.position, gradient, i > 0));
    }
    return step;
}

/** Every member sends its block to all, and to itself first. */
Step
GatherStep(const Hop& hop, PayloadKind kind)
{
    Step step;
    for (Rank i = 0; i < hop.members; ++i)
    {
        const auto to = (hop.position + i) % hop.members;
        step.sends.push_back(hop.With(to, hop.position, kind));
        step.receives.push_back(hop.With(i, i, kind));
    }
    return step;
}

class TwoShot : public StepPlan
{
  public:
    TwoShot(const ExchangeSpec& spec, std::uint64_t elements)
        : StepPlan(spec.workers, 0, elements),
          m_groupSize(IsFlat(spec) ? spec.workers : spec.groupSize),
          m_hops(IsFlat(spec) ? 1 : 2),
          m_sharded(spec.sharded),
          m_phase(spec.phase)
    {
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        return m_phase == SumPhase::ALL_REDUCE ? 2 * m_hops : m_hops;
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        const auto place = step + (m_phase == SumPhase::ALL_GATHER ? m_hops : 0);
        if (place >= m_hops)
        {
            const auto kind = m_sharded ? PayloadKind::WEIGHT : PayloadKind::GRADIENT;
            return GatherStep(HopOf(rank, 2 * m_hops - 1 - place), kind);
        }
        auto scatter = ScatterStep(HopOf(rank, place));
        const bool isLast = place + 1 == m_hops;
        scatter.ownsResult = isLast && !m_sharded;
        scatter.update = isLast && m_sharded;
        return scatter;
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
        return {member, m_groupSize, groups, group, inGroup.Block(member), true};
    }

    Rank m_groupSize;
    std::uint32_t m_hops;
    bool m_sharded;
    SumPhase m_phase;
};

std::vector<std::string>
TwoShotComplaints(const ExchangeSpec& spec)
{
    return IsFlat(spec) ? WorkerComplaints(spec) : GroupComplaints(spec);
}

/** Of several groups, each does what another does. */
ShiftSymmetry
TwoShotSymmetry(const ExchangeSpec& spec, bool /*alternates*/)
{
    return IsFlat(spec) ? ShiftSymmetry{1} : ShiftSymmetry{spec.groupSize, false};
}

/** In each hop a worker gets a block of each other one, over its link. */
CriticalPath
TwoShotPath(const ExchangeSpec& spec, std::uint64_t elements)
{
    const std::uint64_t size = IsFlat(spec) ? spec.workers : spec.groupSize;
    const std::uint64_t groups = spec.workers / size;
    Rounds inGroup{1, size - 1, elements / size, 0};
    Rounds between{1, groups - 1, elements / size / groups, 0};
    between.between = true;
    std::vector<Rounds> path;
    if (spec.phase != SumPhase::ALL_GATHER)
    {
        path = {inGroup, between};
        for (auto& rounds : path)
        {
            rounds.added = rounds.messages * rounds.elements;
        }
    }
    if (spec.phase != SumPhase::REDUCE_SCATTER)
    {
        inGroup.kind = between.kind = spec.sharded ? PayloadKind::WEIGHT : PayloadKind::GRADIENT;
        path.insert(path.end(), {between, inGroup});
    }
    return {path, path};
}

} // namespace

ExchangeEntry
TwoShotExchange()
{
    ExchangeEntry shots{"two-shot",
                        "all workers send each its block of gradients, then each its sum to all",
                        [](const ExchangeSpec& spec, std::uint64_t elements) {
                            return std::make_unique<TwoShot>(spec, elements);
                        },
                        TwoShotComplaints};
    shots.inGroups = true;
    shots.allToAll = true;
    shots.shards = true;
    shots.blocks = [](const ExchangeSpec& spec) { return std::uint64_t{spec.workers}; };
    shots.symmetry = TwoShotSymmetry;
    shots.path = TwoShotPath;
    return shots;
}

} // namespace inca
