/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/coded-replay.h"

#include "base/errors.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "job/clockless-replay.h"
#include "job/sum-rounding.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace inca
{

namespace
{

class CodedReplay
{
  public:
    CodedReplay(const TrainingJob& job,
                const JobChunk& chunk,
                const std::function<void()>& atEncoded)
        : m_job(job),
          m_chunk(chunk),
          m_atEncoded(atEncoded)
    {
    }

    CodedReference Run()
    {
        std::vector<RoundResult> results;
        for (std::size_t round = 0; round < m_chunk.CodedRounds(); ++round)
        {
            auto exponent = NO_EXPONENT;
            const auto own = Encoded(round, results, exponent);
            results.push_back({Summed(round, own), exponent, {}});
        }
        return Decoded(results);
    }

    CodedReference Check(const std::vector<RoundResult>& held)
    {
        std::vector<RoundResult> ended;
        for (std::size_t round = 0; round < m_chunk.CodedRounds(); ++round)
        {
            auto exponent = NO_EXPONENT;
            CheckWords(round, Encoded(round, ended, exponent), held.at(round).words);
            ended.push_back(held[round]);
        }
        return Decoded(held);
    }

  private:
    using Words = std::vector<Word>;

    static constexpr std::uint64_t WINDOW{1U << 16U}; ///< words

    CodedReference Decoded(const std::vector<RoundResult>& results) const
    {
        CodedReference reference;
        reference.values.resize(m_chunk.ValueCount());
        reference.report = m_chunk.coding->Decode(results, reference.values);
        reference.errorBound = m_chunk.coding->ErrorBound(results);
        return reference;
    }

    std::vector<float> OwnValues(Rank worker) const
    {
        std::vector<float> values(m_chunk.ValueCount());
        m_job.GradientsOf(m_chunk)(worker, {0, values.size()}, values.data());
        return values;
    }

    /** @param exponent set to the largest of those that go along with the first round's words */
    std::vector<Words> Encoded(std::size_t round,
                               const std::vector<RoundResult>& ended,
                               std::int16_t& exponent) const
    {
        std::vector<Words> words;
        for (Rank worker = 0; worker < m_job.workers; ++worker)
        {
            ThrowIfInterrupted();
            const auto values = OwnValues(worker);
            words.push_back(m_chunk.coding->Encode(round, values, ended));
            words.back().resize(m_chunk.rounds[round].plan->Elements()); // zeros make equal blocks
            exponent = round == 0 ? std::max(exponent, m_chunk.coding->Exponent(values)) : exponent;
            m_atEncoded();
        }
        return words;
    }

    Words Summed(std::size_t round, const std::vector<Words>& own) const
    {
        const auto& [plan, hooks, ofWeights] = m_chunk.rounds[round];
        const auto words = plan->Elements();
        if (words == 0)
        {
            return {};
        }
        const auto ownOf = [&own](Rank worker, ElementRange range, Word* out) {
            std::copy_n(own[worker].data() + range.begin, range.count, out);
        };
        ClocklessReplay replay(*plan, ownOf, hooks);
        Words sums(words);
        const auto window =
            std::max(hooks.network.block, WINDOW / hooks.network.block * hooks.network.block);
        for (std::uint64_t begin = 0; begin < words; begin += window)
        {
            replay.Run({begin, std::min(window, words - begin)});
            TakeWindow(round, replay, {begin, std::min(window, words - begin)}, sums);
        }
        return sums;
    }

    void TakeWindow(std::size_t round,
                    const ClocklessReplay& replay,
                    ElementRange window,
                    Words& sums) const
    {
        if (IsInShards(replay))
        {
            TakeShards(replay, window, sums);
            return;
        }
        replay.ValuesOf(0).Read(window, &sums[window.begin]);
        Words copy(window.count);
        for (Rank worker = 1; worker < m_job.workers; ++worker)
        {
            replay.ValuesOf(worker).Read(window, copy.data());
            if (!std::equal(copy.begin(), copy.end(), &sums[window.begin]))
            {
                throw InvariantError("round " + std::to_string(round) +
                                     " of a coded chunk gives workers different words");
            }
        }
    }

    bool IsInShards(const ClocklessReplay& replay) const
    {
        Rank worker = 0;
        while (worker < m_job.workers && replay.ValuesOf(worker).Updated().empty())
        {
            ++worker;
        }
        return worker < m_job.workers;
    }

    /** What each worker has of the window. */
    void TakeShards(const ClocklessReplay& replay, ElementRange window, Words& sums) const
    {
        std::uint64_t taken = 0;
        for (Rank worker = 0; worker < m_job.workers; ++worker)
        {
            for (const auto& range : replay.ValuesOf(worker).Updated())
            {
                const auto part = Clip(range, window);
                replay.ValuesOf(worker).Read(part, sums.data() + part.begin);
                taken += part.count;
            }
        }
        if (taken != window.count)
        {
            throw InvariantError("of a coded chunk's words not each is one worker's");
        }
    }

    void CheckWords(std::size_t round, const std::vector<Words>& own, const Words& held) const
    {
        const bool isExact = m_chunk.rounds[round].hooks.sum != WordSum::FP32;
        const auto exact = isExact ? Summed(round, own) : Words{};
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

    bool IsSum(const std::vector<Words>& own, std::size_t i, double held) const
    {
        double sum = 0;
        double magnitude = 0;
        for (const auto& words : own)
        {
            const double value = FloatOf(words[i]);
            sum += value;
            magnitude += std::fabs(value);
        }
        return IsOfSomeOrder(std::fabs(held - sum), magnitude, m_job.workers);
    }

    const TrainingJob& m_job;
    const JobChunk& m_chunk;
    const std::function<void()>& m_atEncoded;
};

} // namespace

CodedReference
ReplayCoded(const TrainingJob& job, const JobChunk& chunk, const std::function<void()>& atEncoded)
{
    return CodedReplay(job, chunk, atEncoded).Run();
}

CodedReference
CheckCodedWords(const TrainingJob& job,
                const JobChunk& chunk,
                const std::vector<RoundResult>& held,
                const std::function<void()>& atEncoded)
{
    return CodedReplay(job, chunk, atEncoded).Check(held);
}

} // namespace inca
