/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/other-orders.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "job/coded-replay.h"
#include "job/value-windows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace inca
{

namespace
{

using Words = std::vector<Word>;

enum class Order
{
    USUAL,
    REVERSED,
    ROTATED,
};

/** @return the chunk, whose switches get workers' words in that order */
JobChunk
InOrder(JobChunk chunk, Order order)
{
    for (auto& round : chunk.rounds)
    {
        auto& add = round.hooks.network.add;
        if (add && order != Order::USUAL)
        {
            add = [add, order](std::vector<const Word*> words, std::uint64_t count, Word* sum) {
                if (order == Order::REVERSED)
                {
                    std::reverse(words.begin(), words.end());
                }
                else
                {
                    std::rotate(words.begin(), words.begin() + 1, words.end());
                }
                add(words, count, sum);
            };
        }
    }
    return chunk;
}

/** What each worker ends with, one after the other, or the owners of shards. */
Words
SumsOf(const TrainingJob& job, const JobChunk& chunk, const Wire& wire, Order order)
{
    ThrowIfInterrupted();
    if (chunk.coding)
    {
        const auto values = ReplayCoded(job, chunk).values;
        Words words(values.size());
        CopyBits(values.data(), values.size(), words.data());
        return words;
    }
    const auto& round = chunk.rounds.front();
    ClocklessReplay replay(*round.plan, WordsOf(job.GradientsOf(chunk)), round.hooks, wire);
    replay.lastReadyFirst = order != Order::USUAL;
    const auto window = ValueWindows(job, chunk).front();
    replay.Run(window);
    const auto valuesOf = [&](Rank worker) -> RankValues& { return replay.ValuesOf(worker); };
    if (job.GathersWeights())
    {
        return AssembleShards(valuesOf, job.workers, window);
    }
    Words words;
    for (Rank worker = 0; worker < job.workers; ++worker)
    {
        const auto* const held = valuesOf(worker).Held(window);
        words.insert(words.end(), held, held + window.count);
    }
    return words;
}

bool
IsSame(Word a, Word b)
{
    return a == b || (std::isnan(FloatOf(a)) && std::isnan(FloatOf(b)));
}

} // namespace

OrderChanges
ReplayInOtherOrders(const TrainingJob& job, const Wire& wire, bool mayChange)
{
    OrderChanges changes;
    for (const auto& bucket : job.buckets)
    {
        const auto& chunk = job.chunks[bucket.chunks.front()];
        const auto usual = SumsOf(job, chunk, wire, Order::USUAL);
        const auto reversed = SumsOf(job, InOrder(chunk, Order::REVERSED), wire, Order::REVERSED);
        const auto rotated = SumsOf(job, InOrder(chunk, Order::ROTATED), wire, Order::ROTATED);
        changes.values += usual.size();
        for (std::size_t i = 0; i < usual.size(); ++i)
        {
            const bool isSame = IsSame(usual[i], reversed[i]) && IsSame(usual[i], rotated[i]);
            changes.changed += isSame ? 0 : 1;
        }
        if (chunk.coding || job.codecGroup > 1)
        {
            break;
        }
    }
    if (changes.changed > 0 && !mayChange)
    {
        throw InvariantError(
            Text(changes.changed,
                 " of ",
                 changes.values,
                 " values of sums depend on the order of arrival, and none should"));
    }
    return changes;
}

} // namespace inca
