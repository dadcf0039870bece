/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/other-orders.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "job/chunk-replay.h"
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

/** Changes the order in which switches get workers' words. */
using Reorder = void (*)(std::vector<const Word*>& words);

/** @param reorder null: all come in the usual order */
Words
SumsOf(const TrainingJob& job, JobChunk chunk, Reorder reorder)
{
    ThrowIfInterrupted();
    for (auto& round : chunk.rounds)
    {
        for (auto* network : {&round.hooks.network, &round.hooks.inNodes})
        {
            if (!network->add)
            {
                continue;
            }
            network->add = [reorder,
                            add = network->add](auto words, std::uint64_t count, Word* sum) {
                reorder == nullptr ? void() : reorder(words);
                add(words, count, sum);
            };
        }
    }
    if (chunk.coding)
    {
        const auto values = ReplayCoded(job, chunk).values;
        Words words(values.size());
        CopyBits(values.data(), values.size(), words.data());
        return words;
    }
    const auto replay = ReplayOf(job, chunk, WordsOf(job.GradientsOf(chunk)));
    replay->lastReadyFirst = reorder != nullptr;
    const auto window = ValueWindows(job, chunk).front();
    replay->Run(window);
    const ElementRange part{window.begin, std::min<std::uint64_t>(window.count, 1U << 16U)};
    const auto held = HeldOf(chunk.InCommunicators().front(), chunk, replay->Values(), part);
    Words words;
    for (const auto* own : held.words)
    {
        words.insert(words.end(), own, own + part.count);
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
ReplayInOtherOrders(const TrainingJob& job, bool mayChange)
{
    OrderChanges changes;
    for (const auto& bucket : job.buckets)
    {
        const auto& chunk = job.chunks[bucket.chunks.front()];
        const auto usual = SumsOf(job, chunk, nullptr);
        const auto reversed =
            SumsOf(job, chunk, [](auto& words) { std::reverse(words.begin(), words.end()); });
        const auto other = SumsOf(job, chunk, [](auto& words) {
            std::rotate(words.begin(), words.begin() + 1, words.end());
        });
        changes.values += usual.size();
        for (std::size_t i = 0; i < usual.size(); ++i)
        {
            const bool isSame = IsSame(usual[i], reversed[i]) && IsSame(usual[i], other[i]);
            changes.changed += isSame ? 0 : 1;
        }
        if (chunk.coding || job.coding.DecodesTogether())
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
