/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/hierarchical-aggregator.h"

#include "exchange/broadcast.h"
#include "exchange/groups.h"
#include "exchange/ring-pieces.h"
#include "exchange/star-pieces.h"

namespace inca
{

namespace
{

class HierarchicalAggregator : public ComposedPlan
{
  public:
    HierarchicalAggregator(const ExchangeSpec& spec, std::uint64_t elements)
        : ComposedPlan(spec.workers, 1, elements),
          m_groups{spec.workers, spec.groupSize},
          m_reduceScatter(MakeRingReduceScatter(m_groups.size, elements, RingSums::INTERMEDIATE)),
          m_allGather(MakeRingAllGather(m_groups.size, elements, 1)),
          m_sum(MakeSumAtRoot(m_groups.Count() + 1, elements)),
          m_toLeaders(MakeBroadcast(
              {spec.broadcast, spec.segmentElements}, m_groups.Count() + 1, elements)),
          m_toMembers(
              MakeBroadcast({spec.broadcast, spec.segmentElements}, m_groups.size, elements))
    {
    }

  private:
    std::vector<Part> Parts(Rank rank) const override
    {
        const auto leaders = m_groups.LeadersUnder(WorkerCount());
        if (rank == WorkerCount())
        {
            return {{m_sum.get(), leaders, 0}, {m_toLeaders.get(), leaders, 0}};
        }
        const auto members = m_groups.Members(rank);
        const auto position = m_groups.PositionOf(rank);
        std::vector<Part> parts{{m_reduceScatter.get(), members, position},
                                {m_allGather.get(), members, position}};
        if (position == 0)
        {
            parts.push_back({m_sum.get(), leaders, m_groups.Of(rank) + 1});
            parts.push_back({m_toLeaders.get(), leaders, m_groups.Of(rank) + 1});
        }
        parts.push_back({m_toMembers.get(), members, position});
        return parts;
    }

    Groups m_groups;
    std::unique_ptr<Piece> m_reduceScatter;
    std::unique_ptr<Piece> m_allGather;
    std::unique_ptr<Piece> m_sum;
    std::unique_ptr<Piece> m_toLeaders;
    std::unique_ptr<Piece> m_toMembers;
};

} // namespace

std::unique_ptr<StepPlan>
MakeHierarchicalAggregator(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<HierarchicalAggregator>(spec, elements);
}

} // namespace inca
