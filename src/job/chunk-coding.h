/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_JOB_CHUNK_CODING_H
#define INCA_JOB_CHUNK_CODING_H

#include "inca/base/integer-scale.h"
#include "inca/base/word.h"
#include "inca/exchange/shards.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace inca
{

/** What a round of a coded chunk has given each worker. */
struct RoundResult
{
    std::vector<Word> words;
    std::int16_t exponent{NO_EXPONENT}; ///< the largest over the workers, where switches add
    std::vector<ElementRange> held{};   ///< of the words, where the others stay zeros; empty: all
};

/** How a chunk came out of its decoding. */
struct ChunkReport
{
    std::uint64_t estimated{0}; ///< values that are not the sum but an estimate of it
    std::uint64_t marked{0}; ///< values that an index says are set on some worker, these included
};

/**
 * Turns a chunk's values into words that hosts and switches can add, in several rounds, and their
 * sums back into values: compression that is undone only after all was added. Const, shared by all
 * workers; what it costs is work of the worker's codec (RankHost::codec).
 */
class ChunkCoding
{
  public:
    virtual ~ChunkCoding() = default;

    /** @return whether a round's words may leave before the round before them has ended */
    virtual bool Overlaps() const = 0;

    virtual std::int64_t EncodePs(std::size_t round) const = 0; ///< to make a round's words
    virtual std::int64_t DecodePs() const = 0;                  ///< once all rounds have ended

    /** What goes along with the first round's words; NO_EXPONENT if nothing. */
    virtual std::int16_t Exponent(const std::vector<float>& values) const = 0;

    /**
     * One worker's words of a round.
     * @param values the worker's own, of the whole chunk
     * @param ended results of the rounds before; of those that go on (Overlaps) empty ones
     */
    virtual std::vector<Word> Encode(std::size_t round,
                                     const std::vector<float>& values,
                                     const std::vector<RoundResult>& ended) const = 0;

    /**
     * How far a decoded value that is no estimate can be from the sum of the workers' values before it is
     * rounded to the gradients' type, as far as that can be told; else infinity.
     */
    virtual double ErrorBound(const std::vector<RoundResult>& results) const = 0;

    /** @param results of all rounds @param values of the whole chunk */
    virtual ChunkReport Decode(const std::vector<RoundResult>& results,
                               std::vector<float>& values) const = 0;

    /** By worker: what of the values it decodes; null: each decodes all. */
    virtual const Shards* ShardsOfValues() const
    {
        return nullptr;
    }

    /** What @p worker decodes, and needs the words of; other values become zeros. */
    virtual ChunkReport DecodeFor(Rank /*worker*/,
                                  const std::vector<RoundResult>& results,
                                  std::vector<float>& values) const
    {
        return Decode(results, values);
    }
};

/** @return what of @p all stands in @p ranges, one after the other */
template <typename Value>
std::vector<Value>
Gathered(const std::vector<Value>& all, const std::vector<ElementRange>& ranges)
{
    std::vector<Value> part;
    part.reserve(TotalCount(ranges));
    for (const auto& range : ranges)
    {
        const auto* const first = all.data() + range.begin;
        part.insert(part.end(), first, first + range.count);
    }
    return part;
}

/** Puts @p part back, as far as it goes. */
template <typename Value>
void
Scatter(const std::vector<Value>& part,
        const std::vector<ElementRange>& ranges,
        std::vector<Value>& all)
{
    std::uint64_t done = 0;
    for (const auto& range : ranges)
    {
        const auto count = std::min<std::uint64_t>(range.count, part.size() - done);
        std::copy_n(part.data() + done, count, all.data() + range.begin);
        done += count;
    }
}

} // namespace inca

#endif // INCA_JOB_CHUNK_CODING_H
