/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "job/sharded-coding.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace inca
{

namespace
{

class ShardedCoding : public ChunkCoding
{
  public:
    explicit ShardedCoding(ShardedCodingSpec spec)
        : m_spec(std::move(spec))
    {
    }

    bool Overlaps() const override
    {
        return m_spec.coding.front()->Overlaps();
    }

    std::int64_t EncodePs(std::size_t round) const override
    {
        std::int64_t ps = 0;
        for (const auto& coding : m_spec.coding)
        {
            ps += coding->EncodePs(round);
        }
        return ps;
    }

    std::int64_t DecodePs() const override
    {
        std::int64_t ps = 0;
        for (const auto& coding : m_spec.coding)
        {
            ps = std::max(ps, coding->DecodePs());
        }
        return ps;
    }

    std::int16_t Exponent(const std::vector<float>& values) const override
    {
        auto exponent = NO_EXPONENT;
        for (std::size_t shard = 0; shard < m_spec.coding.size(); ++shard)
        {
            const auto own = Gathered(values, m_spec.values[shard]);
            exponent = std::max(exponent, m_spec.coding[shard]->Exponent(own));
        }
        return exponent;
    }

    std::vector<Word> Encode(std::size_t round,
                             const std::vector<float>& values,
                             const std::vector<RoundResult>& ended) const override
    {
        std::vector<Word> words(TotalCount(m_spec.words[round]), Word{});
        for (std::size_t shard = 0; shard < m_spec.coding.size(); ++shard)
        {
            const auto own = Gathered(values, m_spec.values[shard]);
            const auto coded = m_spec.coding[shard]->Encode(round, own, OfShard(shard, ended));
            Scatter(coded, m_spec.words[round][shard], words);
        }
        return words;
    }

    double ErrorBound(const std::vector<RoundResult>& results) const override
    {
        double bound = 0;
        for (std::size_t shard = 0; shard < m_spec.coding.size(); ++shard)
        {
            bound = std::max(bound, m_spec.coding[shard]->ErrorBound(OfShard(shard, results)));
        }
        return bound;
    }

    ChunkReport Decode(const std::vector<RoundResult>& results,
                       std::vector<float>& values) const override
    {
        ChunkReport all;
        for (Rank worker = 0; worker < m_spec.coding.size(); ++worker)
        {
            const auto report = DecodeShard(worker, results, values);
            all.estimated += report.estimated;
            all.marked += report.marked;
        }
        return all;
    }

    const Shards* ShardsOfValues() const override
    {
        return &m_spec.values;
    }

    ChunkReport DecodeFor(Rank worker,
                          const std::vector<RoundResult>& results,
                          std::vector<float>& values) const override
    {
        std::fill(values.begin(), values.end(), 0.0F);
        return DecodeShard(worker, results, values);
    }

  private:
    ChunkReport DecodeShard(Rank worker,
                            const std::vector<RoundResult>& results,
                            std::vector<float>& values) const
    {
        const auto& shard = m_spec.values[worker];
        std::vector<float> own(TotalCount(shard), 0.0F); // what no layer has stays zero
        const auto report = m_spec.coding[worker]->Decode(OfShard(worker, results), own);
        Scatter(own, shard, values);
        return report;
    }

    /** What of each round's words is of that shard; of rounds that go on nothing. */
    std::vector<RoundResult> OfShard(std::size_t shard,
                                     const std::vector<RoundResult>& results) const
    {
        std::vector<RoundResult> own;
        for (std::size_t round = 0; round < results.size(); ++round)
        {
            const auto& [words, exponent, held] = results[round];
            const auto there =
                words.empty() ? std::vector<Word>() : Gathered(words, m_spec.words[round][shard]);
            own.push_back({there, exponent, {}});
        }
        return own;
    }

    ShardedCodingSpec m_spec;
};

} // namespace

std::shared_ptr<const ChunkCoding>
MakeShardedCoding(ShardedCodingSpec spec)
{
    return std::make_shared<const ShardedCoding>(std::move(spec));
}

} // namespace inca
