/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/doubling.h"

namespace inca
{

namespace
{

/** In step s every worker swaps its whole sum with worker rank XOR 2^s, and adds. */
class Doubling : public StepPlan
{
  public:
    Doubling(Rank workers, std::uint64_t elements)
        : StepPlan(workers, 0, elements)
    {
    }

    std::uint32_t StepCount(Rank /*rank*/) const override
    {
        std::uint32_t steps = 0;
        while (Rank{1} << steps < WorkerCount())
        {
            ++steps;
        }
        return steps;
    }

    Step At(Rank rank, std::uint32_t step) const override
    {
        const Rank bit = Rank{1} << step;
        const Transfer all{rank ^ bit, {0, Elements()}, PayloadKind::GRADIENT};
        Step swap;
        swap.sends = {all};
        swap.receives = {all};
        swap.receives.front().combine = Combine::ADD;
        swap.receiveFirst = (rank & bit) != 0; // of each pair, one sends first
        return swap;
    }
};

} // namespace

std::unique_ptr<StepPlan>
MakeDoubling(const ExchangeSpec& spec, std::uint64_t elements)
{
    return std::make_unique<Doubling>(spec.workers, elements);
}

std::vector<std::string>
DoublingComplaints(const ExchangeSpec& spec)
{
    auto complaints = WorkerComplaints(spec);
    if (complaints.empty() && (spec.workers & (spec.workers - 1)) != 0)
    {
        complaints.push_back("cluster.workers: must be a power of two, got " +
                             std::to_string(spec.workers));
    }
    return complaints;
}

} // namespace inca
