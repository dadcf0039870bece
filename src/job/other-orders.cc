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

/** @return the chunk, whose switches get workers' words from the last to the first, or beginning with worker 1 */
JobChunk
InAnotherOrder(JobChunk chunk, bool isReversed)
{
    for (auto& round : chunk.rounds)
    {
        round.hooks.network.add = [isReversed, add = round.hooks.network.add](
                                      auto words, std::uint64_t count, Word* sum) {
            if (isReversed)
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
    return chunk;
}

Words
SumsOf(const TrainingJob& job, const JobChunk& chunk, const Wire& wire, bool lastReadyFirst)
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
    replay.lastReadyFirst = lastReadyFirst;
    const auto window = ValueWindows(job, chunk).front();
    replay.Run(window);
    const ElementRange part{window.begin, std::min<std::uint64_t>(window.count, 1U << 16U)};
    Words words;
    ForEachHeld(job, replay, part, [&](const Word* held) {
        words.insert(words.end(), held, held + part.count);
    });
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
        const auto usual = SumsOf(job, chunk, wire, false);
        const auto reversed = SumsOf(job, InAnotherOrder(chunk, true), wire, true);
        const auto other = SumsOf(job, InAnotherOrder(chunk, false), wire, true);
        changes.values += usual.size();
        for (std::size_t i = 0; i < usual.size(); ++i)
        {
            const bool isSame = IsSame(usual[i], reversed[i]) && IsSame(usual[i], other[i]);
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
