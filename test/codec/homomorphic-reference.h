/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCA_TEST_CODEC_HOMOMORPHIC_REFERENCE_H
#define INCA_TEST_CODEC_HOMOMORPHIC_REFERENCE_H

#include "base/random.h"
#include "codec/sketch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace inca
{

/*
 * The sketch a second time, as its definition reads: one lane at a time, all counts anew in every
 * round. Slow, and shares nothing with src/codec but the hash.
 */

/** Random values of which about @p density are not 0: normal, mean 0, standard deviation 1. */
inline std::vector<float>
SparseValues(std::size_t count, double density, std::uint64_t seed)
{
    RandomStream random(seed, 0);
    std::vector<float> values(count);
    for (auto& value : values)
    {
        if (random.Uniform() < density)
        {
            value = static_cast<float>(random.Normal());
        }
    }
    return values;
}

/** One lane of a bucket. @tparam Number float, or std::uint32_t for int32 modulo 2^32 */
template <typename Number>
class ReferenceLane
{
  public:
    explicit ReferenceLane(std::uint32_t counterRows)
        : m_counters(counterRows)
    {
    }

    std::vector<Number>& Counters()
    {
        return m_counters;
    }

    void Add(std::uint32_t row, Number value)
    {
        for (std::uint32_t j = 0; j < 3; ++j)
        {
            m_counters[Place(row, j)] += Signed(row, j, value);
        }
    }

    /** Decodes the rows of @p left into @p found. @return rounds, with the one that found nothing */
    unsigned Peel(std::set<std::uint32_t>& left, std::map<std::uint32_t, Number>& found)
    {
        unsigned rounds = 0;
        for (bool peeled = true; peeled; ++rounds)
        {
            const auto counts = Count(left);
            const auto before = left;
            peeled = false;
            for (const auto row : before)
            {
                for (std::uint32_t j = 0; j < 3; ++j)
                {
                    if (counts.at(Place(row, j)) == 1)
                    {
                        found[row] = Signed(row, j, m_counters[Place(row, j)]);
                        Subtract(row, found[row]);
                        left.erase(row);
                        peeled = true;
                        break;
                    }
                }
            }
        }
        return rounds;
    }

    /** The signed counters of a row, ascending. */
    std::array<Number, 3> Estimates(std::uint32_t row) const
    {
        std::array<Number, 3> all{};
        for (std::uint32_t j = 0; j < 3; ++j)
        {
            all[j] = Signed(row, j, m_counters[Place(row, j)]);
        }
        std::sort(all.begin(), all.end());
        return all;
    }

  private:
    std::size_t Place(std::uint32_t row, std::uint32_t j) const
    {
        return MurmurHash3(row, j) % m_counters.size();
    }

    static Number Signed(std::uint32_t row, std::uint32_t j, Number value)
    {
        return MurmurHash3(row, j) >= 0x80000000U ? static_cast<Number>(-value) : value;
    }

    void Subtract(std::uint32_t row, Number value)
    {
        for (std::uint32_t j = 0; j < 3; ++j)
        {
            m_counters[Place(row, j)] -= Signed(row, j, value);
        }
    }

    std::map<std::size_t, unsigned> Count(const std::set<std::uint32_t>& rows) const
    {
        std::map<std::size_t, unsigned> counts;
        for (const auto row : rows)
        {
            for (std::uint32_t j = 0; j < 3; ++j)
            {
                ++counts[Place(row, j)];
            }
        }
        return counts;
    }

    std::vector<Number> m_counters;
};

} // namespace inca

#endif // INCA_TEST_CODEC_HOMOMORPHIC_REFERENCE_H
