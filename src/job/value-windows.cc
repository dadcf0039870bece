/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/value-windows.h"

#include <algorithm>

namespace inca
{

namespace
{

/** @return the most values of a window, of each worker: of all together as many as caches hold, within reason */
std::uint64_t
WindowElements(Rank workers)
{
    constexpr std::uint64_t most = 1U << 16U;
    constexpr std::uint64_t least = 1U << 12U; // fewer take less than to look for them
    constexpr std::uint64_t valuesOfAll = 1U << 20U;
    return std::clamp(valuesOfAll / workers, least, most);
}

/** Into how many parts the network cuts a chunk before it cuts these into blocks. */
Rank
PartsOf(const JobChunk& chunk)
{
    const auto& plan = *chunk.rounds.front().plan;
    for (std::uint32_t step = 0; !chunk.coding && step < plan.StepCount(0); ++step)
    {
        if (plan.At(0, step).phase == SumPhase::REDUCE_SCATTER)
        {
            return plan.WorkerCount();
        }
    }
    return 1;
}

} // namespace

bool
IsInOneWindow(const TrainingJob& job, const JobChunk& chunk)
{
    const auto& plan = *chunk.rounds.front().plan;
    const auto sum = FirstReduction(plan);
    const bool isRouted = chunk.Means() == Meaning::DISPATCH || chunk.Means() == Meaning::COMBINE;
    return job.coding.DecodesTogether() || chunk.Means() == Meaning::TRANSPOSE || isRouted ||
           (sum && sum->among != nullptr);
}

std::vector<ElementRange>
ValueWindows(const TrainingJob& job, const JobChunk& chunk)
{
    if (IsInOneWindow(job, chunk))
    {
        return {{0, chunk.ValueCount()}};
    }
    const auto& round = chunk.rounds.front();
    const auto elements = WindowElements(job.workers);
    const auto block = chunk.coding ? 1 : round.hooks.NetworkBlock();
    const auto size = std::max(block, elements / block * block);
    const auto parts = PartsOf(chunk);
    std::vector<ElementRange> windows;
    for (Rank index = 0; index < parts; ++index)
    {
        const auto part = BlockOf(chunk.ValueCount(), parts, index);
        for (auto begin = part.begin; begin < part.End(); begin += size)
        {
            windows.push_back({begin, std::min(size, part.End() - begin)});
        }
    }
    return windows;
}

HeldWords
HeldOf(const Communicator& workers,
       const JobChunk& chunk,
       const WorkerValues& valuesOf,
       ElementRange window)
{
    HeldWords held;
    if (chunk.Means() == Meaning::REDUCE_SCATTER)
    {
        held.shards = AssembleShards(valuesOf, workers, window);
        held.words = {held.shards.data()};
        return held;
    }
    if (chunk.Means() == Meaning::COMBINE)
    {
        held.shards.resize(window.count);
        for (std::size_t i = 0; i < workers.size(); ++i)
        {
            const auto block = BlockOf(window.count, workers.size(), i);
            valuesOf(workers[i]).Read(block, held.shards.data() + block.begin);
        }
        held.words = {held.shards.data()};
        return held;
    }
    for (const auto worker : workers)
    {
        held.words.push_back(valuesOf(worker).Held(window));
    }
    return held;
}

} // namespace inca
