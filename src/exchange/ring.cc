/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/ring.h"

#include "exchange/ring-pieces.h"

namespace inca
{

namespace
{

class Ring : public ComposedPlan
{
  public:
    Ring(Rank workers, std::uint64_t elements)
        : ComposedPlan(workers, 0, elements),
          m_reduceScatter(MakeRingReduceScatter(workers, elements, RingSums::FINAL)),
          m_allGather(MakeRingAllGather(workers, elements, 1))
    {
    }

  private:
    std::vector<Part> Parts(Rank rank) const override
    {
        return {{m_reduceScatter.get(), {}, rank}, {m_allGather.get(), {}, rank}};
    }

    std::unique_ptr<Piece> m_reduceScatter;
    std::unique_ptr<Piece> m_allGather;
};

} // namespace

std::unique_ptr<StepPlan>
MakeRing(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<Ring>(spec.workers, elements);
}

} // namespace inca
