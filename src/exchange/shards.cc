/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "exchange/shards.h"

#include "base/errors.h"

#include <algorithm>
#include <string>

namespace inca
{

namespace
{

/** What of the step's sums is @p worker's. */
ElementRange
SumsOf(const StepPlan& plan, Rank worker, const Step& step)
{
    if (!step.update)
    {
        return {};
    }
    if (!step.reduction)
    {
        return step.receives.front().range;
    }
    return OwnPart(step, worker, plan.WorkerCount());
}

/** Sums end last, so most steps need not be looked at. */
std::vector<ElementRange>
ShardOf(const StepPlan& plan, Rank worker)
{
    const auto share = plan.Elements() / plan.WorkerCount();
    std::vector<ElementRange> shard;
    for (auto step = plan.StepCount(worker); TotalCount(shard) < share && step-- > 0;)
    {
        const auto sums = SumsOf(plan, worker, plan.At(worker, step));
        if (sums.count > 0)
        {
            shard.push_back(sums);
        }
    }
    if (shard.empty() && share > 0)
    {
        return {BlockOf(plan.Elements(), plan.WorkerCount(), worker)};
    }
    if (TotalCount(shard) != share)
    {
        throw InvariantError("worker " + std::to_string(worker) + " sums " +
                             std::to_string(TotalCount(shard)) + " elements, not " +
                             std::to_string(share));
    }
    std::sort(shard.begin(), shard.end(), [](const auto& left, const auto& right) {
        return left.begin < right.begin;
    });
    return shard;
}

std::uint64_t
DividedUp(std::uint64_t count, std::uint64_t by)
{
    return (count + by - 1) / by;
}

} // namespace

std::uint64_t
TotalCount(const Shards& shards)
{
    std::uint64_t count = 0;
    for (const auto& shard : shards)
    {
        count += TotalCount(shard);
    }
    return count;
}

Shards
ShardsOf(const StepPlan& plan)
{
    Shards shards;
    for (Rank worker = 0; worker < plan.WorkerCount(); ++worker)
    {
        shards.push_back(ShardOf(plan, worker));
    }
    return shards;
}

BlockPackets::BlockPackets(std::uint64_t elements,
                           Rank workers,
                           std::uint64_t perPacket,
                           Rank oneIn)
    : m_least(elements / workers / oneIn),
      m_larger(oneIn > 1 ? 0 : elements % workers),
      m_workers(workers),
      m_oneIn(oneIn),
      m_perPacket(perPacket)
{
    if (oneIn > 1 && (workers % oneIn != 0 || elements % Pattern() != 0))
    {
        throw InvariantError(std::to_string(elements) + " elements of " + std::to_string(workers) +
                             " workers are not " + std::to_string(oneIn) + " equal parts of each");
    }
}

/** Where the larger blocks have a packet more, theirs are the last: they are the first blocks. */
std::uint64_t
BlockPackets::Count() const
{
    return m_larger * DividedUp(m_least + 1, m_perPacket) +
           (Pattern() - m_larger) * DividedUp(m_least, m_perPacket);
}

ElementRange
BlockPackets::RangeOf(std::uint64_t packet) const
{
    const auto part = std::uint64_t{OwnerOf(packet)} * m_oneIn + PartOf(packet);
    const auto offset = packet / Pattern() * m_perPacket;
    const auto left = m_least + (part < m_larger ? 1 : 0) - offset;
    return {part * m_least + std::min(part, m_larger) + offset, std::min(m_perPacket, left)};
}

std::uint64_t
WordsGot(const ReductionSize& sum, Rank worker, Rank workers)
{
    const auto part = BlockOf(sum.words, workers, worker).count / sum.oneIn;
    const auto own = sum.oneIn * DividedUp(part, sum.perWord);
    const auto all = BlockPackets(sum.words, workers, sum.perWord, sum.oneIn).Count();
    return sum.phase == SumPhase::ALL_REDUCE       ? all
           : sum.phase == SumPhase::REDUCE_SCATTER ? own
                                                   : (all - own) / sum.oneIn;
}

} // namespace inca
