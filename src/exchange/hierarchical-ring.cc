/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/hierarchical-ring.h"

#include "exchange/groups.h"
#include "exchange/ring-pieces.h"
#include "exchange/star-pieces.h"

namespace inca
{

namespace
{

class HierarchicalRing : public ComposedPlan
{
  public:
    HierarchicalRing(const ExchangeSpec& spec, std::uint64_t elements)
        : ComposedPlan(spec.workers, 0, elements),
          m_groups{spec.workers, spec.groupSize},
          m_reduceInGroup(MakeRingReduceScatter(m_groups.size, elements, RingSums::INTERMEDIATE)),
          m_gatherInGroup(MakeRingAllGather(m_groups.size, elements, 1)),
          m_reduceLeaders(MakeRingReduceScatter(m_groups.Count(), elements, RingSums::FINAL)),
          m_gatherLeaders(MakeRingAllGather(m_groups.Count(), elements, 1)),
          m_scatter(MakeScatter(m_groups.size, elements)),
          m_spread(MakeRingAllGather(m_groups.size, elements, 0))
    {
    }

  private:
    std::vector<Part> Parts(Rank rank) const override
    {
        const auto members = m_groups.Members(rank);
        const auto position = m_groups.PositionOf(rank);
        std::vector<Part> parts{{m_reduceInGroup.get(), members, position},
                                {m_gatherInGroup.get(), members, position}};
        if (position == 0)
        {
            parts.push_back({m_reduceLeaders.get(), m_groups.Leaders(), m_groups.Of(rank)});
            parts.push_back({m_gatherLeaders.get(), m_groups.Leaders(), m_groups.Of(rank)});
        }
        parts.push_back({m_scatter.get(), members, position});
        parts.push_back({m_spread.get(), members, position});
        return parts;
    }

    Groups m_groups;
    std::unique_ptr<Piece> m_reduceInGroup;
    std::unique_ptr<Piece> m_gatherInGroup;
    std::unique_ptr<Piece> m_reduceLeaders;
    std::unique_ptr<Piece> m_gatherLeaders;
    std::unique_ptr<Piece> m_scatter;
    std::unique_ptr<Piece> m_spread;
};

} // namespace

std::unique_ptr<StepPlan>
MakeHierarchicalRing(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<HierarchicalRing>(spec, elements);
}

} // namespace inca
