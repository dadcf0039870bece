/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "experiment/coded-replay.h"

#include "base/errors.h"
#include "exchange/clockless-replay.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

namespace inca
{

namespace
{

class CodedReplay
{
  public:
    CodedReplay(const TrainingJob& job, const JobChunk& chunk)
        : m_job(job),
          m_chunk(chunk)
    {
    }

    CodedReference Run()
    {
        std::vector<RoundResult> results;
        for (std::size_t round = 0; round < m_chunk.rounds.size(); ++round)
        {
            results.push_back({Summed(round, Encoded(round, results)), LargestExponent(round)});
        }
        CodedReference reference;
        reference.values.resize(m_chunk.range.count);
        reference.report = m_chunk.coding->Decode(results, reference.values);
        reference.errorBound = m_chunk.coding->ErrorBound(results);
        return reference;
    }

  private:
    using Words = std::vector<float>;

    Words OwnValues(Rank worker) const
    {
        Words values(m_chunk.range.count);
        m_job.ownGradient(worker, m_chunk.range, values.data());
        return values;
    }

    std::vector<Words> Encoded(std::size_t round, const std::vector<RoundResult>& ended) const
    {
        std::vector<Words> words;
        for (Rank worker = 0; worker < m_job.workers; ++worker)
        {
            words.push_back(m_chunk.coding->Encode(round, OwnValues(worker), ended));
        }
        return words;
    }

    std::int16_t LargestExponent(std::size_t round) const
    {
        auto largest = NO_EXPONENT;
        for (Rank worker = 0; round == 0 && worker < m_job.workers; ++worker)
        {
            largest = std::max(largest, m_chunk.coding->Exponent(OwnValues(worker)));
        }
        return largest;
    }

    Words Summed(std::size_t round, const std::vector<Words>& own) const
    {
        const auto& [program, hooks] = m_chunk.rounds[round];
        const auto words = program->Elements();
        if (words == 0)
        {
            return {};
        }
        const auto ownOf = [&own](Rank worker, ElementRange range, float* out) {
            std::copy_n(own[worker].data() + range.begin, range.count, out);
        };
        std::vector<Words> sums;
        ClocklessReplay(*program, ownOf, hooks).Run({0, words}, sums);
        for (const auto& sum : sums)
        {
            if (std::memcmp(sum.data(), sums.front().data(), words * sizeof(float)) != 0)
            {
                throw InvariantError("round " + std::to_string(round) +
                                     " of a coded chunk gives workers different words");
            }
        }
        return std::move(sums.front());
    }

    const TrainingJob& m_job;
    const JobChunk& m_chunk;
};

} // namespace

CodedReference
ReplayCoded(const TrainingJob& job, const JobChunk& chunk)
{
    return CodedReplay(job, chunk).Run();
}

} // namespace inca
