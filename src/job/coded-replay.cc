/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/coded-replay.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "job/clockless-replay.h"
#include "job/sum-errors.h"

#include <algorithm>
#include <cmath>

namespace inca
{

namespace
{

using Words = std::vector<Word>;

/** All workers' words of a round. @param exponent set to the largest of those that go along with the first round's */
std::vector<Words>
Encoded(const TrainingJob& job,
        const JobChunk& chunk,
        const std::vector<RoundResult>& ended,
        std::int16_t& exponent)
{
    const auto round = ended.size();
    const auto gradients = job.GradientsOf(chunk);
    std::vector<float> values(chunk.ValueCount());
    std::vector<Words> words;
    for (Rank worker = 0; worker < job.workers; ++worker)
    {
        ThrowIfInterrupted();
        gradients(worker, {0, values.size()}, values.data());
        words.push_back(chunk.coding->Encode(round, values, ended));
        words.back().resize(chunk.rounds[round].plan->Elements()); // zeros make equal blocks
        exponent = round == 0 ? std::max(exponent, chunk.coding->Exponent(values)) : exponent;
    }
    return words;
}

/** Of shards, too, a round may be one that all workers need whole. */
bool
IsInShards(const ClocklessReplay& replay, Rank workers)
{
    Rank worker = 0;
    while (worker < workers && replay.ValuesOf(worker).Updated().empty())
    {
        ++worker;
    }
    return worker < workers;
}

/** What of a window's sums all workers hold. */
Words
HeldByAll(const ClocklessReplay& replay, Rank workers, ElementRange window)
{
    const auto* const first = replay.ValuesOf(0).Held(window);
    for (Rank worker = 1; worker < workers; ++worker)
    {
        if (!AreEqual(replay.ValuesOf(worker).Held(window), first, window.count))
        {
            throw InvariantError("a round of a coded chunk gives workers different words");
        }
    }
    return {first, first + window.count};
}

Words
Summed(const TrainingJob& job,
       const JobChunk& chunk,
       std::size_t round,
       const std::vector<Words>& own)
{
    constexpr std::uint64_t most = 1U << 16U; ///< words of a window, about
    const auto& plan = chunk.rounds[round].plan;
    const auto& hooks = chunk.rounds[round].hooks;
    const auto ownOf = [&own](Rank worker, ElementRange range, Word* out) {
        std::copy_n(own[worker].data() + range.begin, range.count, out);
    };
    ClocklessReplay replay(*plan, ownOf, hooks);
    const auto size =
        std::max(hooks.NetworkBlock(), most / hooks.NetworkBlock() * hooks.NetworkBlock());
    Words sums;
    for (std::uint64_t begin = 0; begin < plan->Elements(); begin += size)
    {
        const ElementRange window{begin, std::min(size, plan->Elements() - begin)};
        replay.Run(window);
        const auto part =
            IsInShards(replay, job.workers)
                ? AssembleShards(replay.Values(), chunk.InCommunicators().front(), window)
                : HeldByAll(replay, job.workers, window);
        sums.insert(sums.end(), part.begin(), part.end());
    }
    return sums;
}

/** Whether some order of additions makes @p held of the workers' words number @p i. */
bool
IsSum(const std::vector<Words>& own, std::size_t i, double held)
{
    double sum = 0;
    double magnitude = 0;
    for (const auto& words : own)
    {
        const double value = FloatOf(words[i]);
        sum += value;
        magnitude += std::fabs(value);
    }
    return IsOfSomeOrder(std::fabs(held - sum), magnitude, static_cast<std::uint32_t>(own.size()));
}

void
CheckWords(const TrainingJob& job,
           const JobChunk& chunk,
           std::size_t round,
           const std::vector<Words>& own,
           const Words& held)
{
    const bool isExact = chunk.rounds[round].hooks.IsNetworkExact();
    const auto exact = isExact ? Summed(job, chunk, round, own) : Words{};
    for (std::size_t i = 0; i < held.size(); ++i)
    {
        if (isExact ? held[i] != exact[i] : !IsSum(own, i, FloatOf(held[i])))
        {
            const auto word = isExact ? Text(held[i]) : Text(FloatOf(held[i]));
            throw InvariantError(Text("word ",
                                      i,
                                      " of round ",
                                      round,
                                      " of a coded chunk is ",
                                      word,
                                      ", which no order of additions makes"));
        }
    }
}

CodedReference
Decoded(const JobChunk& chunk, const std::vector<RoundResult>& results)
{
    CodedReference reference;
    reference.values.resize(chunk.ValueCount());
    reference.report = chunk.coding->Decode(results, reference.values);
    reference.errorBound = chunk.coding->ErrorBound(results);
    return reference;
}

} // namespace

CodedReference
ReplayCoded(const TrainingJob& job, const JobChunk& chunk)
{
    std::vector<RoundResult> results;
    while (results.size() < chunk.CodedRounds())
    {
        auto exponent = NO_EXPONENT;
        const auto own = Encoded(job, chunk, results, exponent);
        results.push_back({Summed(job, chunk, results.size(), own), exponent, {}});
    }
    return Decoded(chunk, results);
}

CodedReference
CheckCodedWords(const TrainingJob& job, const JobChunk& chunk, const std::vector<RoundResult>& held)
{
    std::vector<RoundResult> ended;
    while (ended.size() < chunk.CodedRounds())
    {
        const auto round = ended.size();
        auto exponent = NO_EXPONENT;
        CheckWords(job, chunk, round, Encoded(job, chunk, ended, exponent), held.at(round).words);
        ended.push_back(held[round]);
    }
    return Decoded(chunk, held);
}

} // namespace inca
