/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_RANK_REDUCTION_STEP_H
#define INCA_RANK_REDUCTION_STEP_H

#include "inca/base/integer-scale.h"
#include "inca/base/word.h"
#include "inca/rank/rank-host.h"
#include "inca/rank/round-content.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace inca
{

/** A step that the network adds: asks the AggregationClient for the sum of what all workers hold. */
class ReductionStep
{
  public:
    /**
     * @param host outlives it
     * @param content of the round; outlives it
     * @param sum of the round's words
     */
    ReductionStep(RankHost& host, RoundContent& content, WordSum sum)
        : m_host(host),
          m_content(content),
          m_sum(sum)
    {
    }

    /**
     * @param step that has one
     * @param done called in an event of the last sum's arrival, when the rank holds what it gets of the sum
     * @throws InvariantError if no switch adds for this rank
     */
    void Begin(const Step& step, std::function<void()> done);

    /** Over the workers, where switches have added words. */
    std::int16_t LargestExponent() const
    {
        return m_largestExponent;
    }

  private:
    /** Writes words of @p range, counted from the first one of the sum, to @p out. */
    using Read = std::function<void(ElementRange range, Word* out)>;
    /** Takes words of @p range, counted from the first one of the sum. */
    using Write = std::function<void(ElementRange range, const Word* words)>;

    static Read Packed(Read read, std::shared_ptr<const Codec> codec);
    /** The inverse, for words that the network gives. */
    static Write Unpacked(Write write, std::shared_ptr<const Codec> codec);

    RankHost& m_host;                            ///< what the rank lends to it
    RoundContent& m_content;                     ///< of the round
    WordSum m_sum;                               ///< how words of the round are combined
    std::int16_t m_largestExponent{NO_EXPONENT}; ///< as the last sum said
};

} // namespace inca

#endif // INCA_RANK_REDUCTION_STEP_H
