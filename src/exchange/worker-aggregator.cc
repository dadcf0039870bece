/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/worker-aggregator.h"

#include "exchange/broadcast.h"
#include "exchange/star-pieces.h"

namespace inca
{

namespace
{

class WorkerAggregator : public ComposedPlan
{
  public:
    WorkerAggregator(const ExchangeSpec& spec, std::uint64_t elements)
        : ComposedPlan(spec.workers, 1, elements),
          m_star{spec.workers, 0, 1},
          m_sum(MakeSumAtRoot(spec.workers + 1, elements)),
          m_broadcast(
              MakeBroadcast({spec.broadcast, spec.segmentElements}, spec.workers + 1, elements))
    {
    }

  private:
    std::vector<Part> Parts(Rank rank) const override
    {
        const auto position = rank == m_star.root ? 0 : rank + 1;
        return {{m_sum.get(), m_star, position}, {m_broadcast.get(), m_star, position}};
    }

    Lineup m_star; ///< the aggregator, then the workers
    std::unique_ptr<Piece> m_sum;
    std::unique_ptr<Piece> m_broadcast;
};

} // namespace

std::unique_ptr<StepPlan>
MakeWorkerAggregator(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<WorkerAggregator>(spec, elements);
}

} // namespace inca
