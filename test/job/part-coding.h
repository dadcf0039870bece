/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_JOB_PART_CODING_H
#define INCA_TEST_JOB_PART_CODING_H

#include "job/chunk-coding.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace inca
{

/**
 * A coding whose two rounds carry a chunk's values one after the other. If rounds follow each other,
 * those of the second are multiplied by what the first has made of its first word.
 */
class PartCoding : public ChunkCoding
{
  public:
    std::vector<std::uint64_t> words; ///< by round
    std::vector<std::int64_t> encodePs{0, 0};
    std::int64_t decodePs{0};
    bool overlaps{false};
    double errorBound{std::numeric_limits<double>::infinity()};
    std::uint64_t estimated{0}; ///< what decoding tells

    bool Overlaps() const override
    {
        return overlaps;
    }

    std::int64_t EncodePs(std::size_t round) const override
    {
        return encodePs[round];
    }

    std::int64_t DecodePs() const override
    {
        return decodePs;
    }

    std::int16_t Exponent(const std::vector<float>&) const override
    {
        return NO_EXPONENT;
    }

    std::vector<Word> Encode(std::size_t round,
                             const std::vector<float>& values,
                             const std::vector<RoundResult>& ended) const override
    {
        const auto first = round == 0 ? 0 : words[0];
        const auto factor = round == 0 || overlaps ? 1.0F : FloatOf(ended.at(0).words.at(0));
        std::vector<Word> out(words[round]);
        std::transform(values.begin() + static_cast<std::ptrdiff_t>(first),
                       values.begin() + static_cast<std::ptrdiff_t>(first + words[round]),
                       out.begin(),
                       [factor](float value) { return BitsOf(value * factor); });
        return out;
    }

    double ErrorBound(const std::vector<RoundResult>&) const override
    {
        return errorBound;
    }

    ChunkReport Decode(const std::vector<RoundResult>& results,
                       std::vector<float>& values) const override
    {
        auto out = values.begin();
        for (std::size_t round = 0; round < words.size(); ++round)
        {
            if (results.at(round).words.size() != words[round])
            {
                throw std::logic_error("a round has another number of words");
            }
            out = std::transform(
                results[round].words.begin(), results[round].words.end(), out, FloatOf);
        }
        return {estimated};
    }
};

} // namespace inca

#endif // INCA_TEST_JOB_PART_CODING_H
